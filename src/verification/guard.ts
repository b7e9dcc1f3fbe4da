// What dialogs, flows and the desk ask of a chat's verification: how it stands, and whether it is enough.
import { bindingOf, type Place, type Verification, type Verified } from './verification.ts';

/**
 * How a chat stands for one of its users: always a state, never an absence. `expired`: somebody was verified, and that
 * is over by time alone. `failed`: since then, or ever, it was only tried. Instants are epoch milliseconds.
 */
export type VerificationState =
  | ({ readonly state: 'verified' } & Proven)
  | ({ readonly state: 'expired' } & Pick<Proven, 'method' | 'at' | 'until'>)
  | { readonly state: 'failed'; readonly tries: number; readonly at: number }
  | { readonly state: 'none' };

/** What is told of a verification that holds. */
type Proven = Pick<Verification, 'method' | 'customerRef' | 'requestId' | 'at' | 'until'>;

/** Those that hold at `now` (epoch ms) for the user of a conversation; nobody else's. */
export const standing = ({ verified = [] }: Verified, of: Place, now: number): readonly Verification[] =>
  verified.filter(({ binding, until }) => binding === bindingOf(of) && now < until);

/** How the user of a conversation stands at `now` (epoch ms). What holds longest counts. */
export const verificationState = (chat: Verified, of: Place, now: number): VerificationState => {
  const binding = bindingOf(of);
  const longest = chat.verified?.filter((kept) => kept.binding === binding).reduce(later, undefined as Verification | undefined);
  if (longest && now < longest.until) {
    const { method, customerRef, requestId, at, until } = longest;
    return { state: 'verified', method, customerRef, requestId, at, until };
  }
  const failures = chat.failed?.filter((kept) => kept.binding === binding) ?? [];
  const last = failures.at(-1);
  if (last) return { state: 'failed', tries: failures.length, at: last.at };
  if (longest) return { state: 'expired', method: longest.method, at: longest.at, until: longest.until };
  return { state: 'none' };
};

const later = (one: Verification | undefined, other: Verification) => (one && one.until > other.until ? one : other);

/** What something asks for before it is shown or done. */
export interface Requirement {
  /** Of this customer, by the service's identifier. */
  readonly customerRef: string;
  /** Proved so many milliseconds ago at the most; unset: as long as it holds. */
  readonly within?: number;
}

/** The guard's answer. Not enough is an answer like any other: `stands` says what to tell. */
export type Guarded =
  | { readonly verified: true; readonly by: Verification }
  | { readonly verified: false; readonly stands: VerificationState };

/** The one guard: whether the user of a conversation is verified at `now` (epoch ms) as something requires. */
export const requireVerified = (chat: Verified, of: Place, { customerRef, within = Infinity }: Requirement, now: number): Guarded => {
  const by = standing(chat, of, now).findLast((kept) => kept.customerRef === customerRef && now - kept.at < within);
  return by ? { verified: true, by } : { verified: false, stands: verificationState(chat, of, now) };
};
