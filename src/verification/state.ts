// The verification state as it is told to others, always with the person it is about. Whatever shows or tells a
// verification derives it from here.
import type { VerifyingAppId } from '../contract/index.ts';

/** Whom a state is about. Records made before an update may lack it. */
export interface Subject {
  /** The customer whom the request named, by the service's identifier. */
  readonly customerRef?: string;
  /** The request that was made of them. */
  readonly requestId?: string;
  /** Their number, masked; if nobody has tried, the one that was given in the chat. */
  readonly phone?: string;
}

/**
 * The verification state of a chat for one of its users: always a state, never an absence. `expired`: a verification
 * has ended, by time or before. `failed`: since then, or ever, there were only failed attempts. Instants are epoch
 * milliseconds.
 */
export type VerificationState =
  | ({ readonly state: 'verified' } & Proven)
  | ({ readonly state: 'expired' } & Lapsed)
  | ({ readonly state: 'failed'; readonly tries: number; readonly at: number } & Subject)
  | { readonly state: 'none'; readonly phone?: string };

type Proven = Lapsed & Required<Pick<Subject, 'customerRef' | 'requestId'>>;
type Lapsed = Subject & { readonly method: VerifyingAppId; readonly at: number; readonly until: number };

/** What was last reported of a chat's verification: see {@link stateAt}. */
export interface Reported {
  /** JSON of a {@link VerificationState}. */
  readonly verification?: object;
  /** When it stopped to count, because whoever it was reported to has left the chat. */
  readonly endedAt?: number;
}

/** The state at `now` (epoch ms), from the last report: a verification ends by time, and with what it was reported for. */
export const stateAt = ({ endedAt, verification }: Reported, now: number): VerificationState => {
  const said = (verification ?? { state: 'none' }) as VerificationState;
  if (said.state !== 'verified' || (endedAt === undefined && now < said.until)) return said;
  return { ...said, state: 'expired', until: Math.min(said.until, endedAt ?? said.until) };
};

/** The state without the customer and the request, for those who may not know them. */
export const withoutCustomer = (of: VerificationState): VerificationState => {
  const { customerRef: _, requestId: __, ...rest } = { customerRef: undefined, requestId: undefined, ...of };
  return rest as VerificationState;
};

/** Whether two states are about the same person. */
export const isSamePerson = (one: VerificationState, other: VerificationState): boolean => {
  const [a, b]: readonly Subject[] = [one, other];
  return a?.customerRef === undefined || b?.customerRef === undefined ? a?.phone === b?.phone : a.customerRef === b.customerRef;
};
