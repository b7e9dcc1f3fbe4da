// Who is verified in a chat, by which app and until when; and the guard with which dialogs, flows and the desk check
// whether that is enough. Cards with details rely on it, and so does an agent who takes over.
import { type AppContract, apps, ref, type VerifyingAppId } from '../contract/index.ts';
import type { Interaction } from '../interactions/index.ts';
import { maskPhoneNumber } from '../platform/text/masks.ts';
import type { VerificationState } from './state.ts';

/** Where a message was written: the parts of a conversation reference that identify one user of one chat. */
export interface ChatUser {
  readonly channelId?: string | undefined;
  readonly conversation?: { readonly id?: string | undefined; readonly tenantId?: string | undefined } | undefined;
  readonly user?: { readonly id?: string | undefined; readonly aadObjectId?: string | undefined } | undefined;
}

/** The proof that a customer was verified. Stored with the chat as plain JSON. */
export interface Verification {
  readonly method: VerifyingAppId;
  /** The customer whom the request named and the service's result confirmed, by the service's identifier. */
  readonly customerRef: string;
  /** The request at the service that proved it. */
  readonly requestId: string;
  /** The number that the request was for; older records lack it. */
  readonly phoneNumber?: string;
  /** The user it holds for: see {@link bindingOf}. */
  readonly binding: string;
  /** When it was proved and when it ends, or was ended; epoch milliseconds. */
  readonly at: number;
  readonly until: number;
}

/** A chat's verification state. */
export interface Verified {
  verified?: readonly Verification[];
  /**
   * Failed attempts since the last proof, newest last: the customer, or somebody else at the device, could not prove it.
   * Older records do not say whom the request named.
   */
  failed?: readonly (Pick<Verification, 'at' | 'binding' | 'phoneNumber' | 'requestId'> & { readonly customerRef?: string })[];
  /**
   * The chat's customer: the service's identifier, or the customer's own words if the chat may not learn the
   * identifier.
   */
  customerRef?: string;
  /** The number that was given in the chat, in E.164. It proves nothing. */
  phoneNumber?: string;
  /** Requests made before this instant (epoch ms) no longer verify anybody. */
  endedAt?: number;
}

/** How long a verification holds, in milliseconds (docs/decisions/0009). */
const lifetime = 15 * 60_000;

/** How many verifications, and how many failures, are stored: more would add nothing. */
const maxKept = 20;

/** The one user, in the one conversation, of the one tenant and channel that a verification belongs to. */
const bindingOf = ({ channelId, conversation, user }: ChatUser): string =>
  JSON.stringify([channelId, conversation?.tenantId ?? null, conversation?.id, user?.id, user?.aadObjectId ?? null]);

/**
 * Whether the request named this customer. A reference that no request can carry is never sent, so nothing is proved
 * about its customer.
 */
const asksFor = ({ customerRef, request }: Interaction): boolean =>
  ref.safeParse(customerRef).success && 'customerRef' in request && request.customerRef === customerRef;

/** Whether an app's success can prove who the customer is. */
const isVerifying = (app: Interaction['app']): app is VerifyingAppId => apps[app].verifies !== false;

/**
 * Whether an interaction proves that its customer was there: by a result that says so about this app and this very
 * customer, or by a code that matched. An event alone is enough to tell the customer how it ended, but proves nothing;
 * nor does setting up a passkey.
 */
const proves = (interaction: Interaction): boolean => {
  const { app, customerRef, outcome } = interaction;
  const { answeredIn, verifies }: AppContract = apps[app];
  if (outcome?.status !== 'success' || !asksFor(interaction)) return false;
  if (outcome.by === 'check') return answeredIn === 'chat';
  if (outcome.by !== 'result' || outcome.result?.app !== app || outcome.result.customerRef !== customerRef) return false;
  const fields: Readonly<Record<string, unknown>> = outcome.result;
  return Object.entries(verifies).every(([name, value]) => fields[name] === value);
};

/**
 * Records what an interaction's outcome proves about the user who asked for it, or that it failed. A proof replaces
 * their earlier verification by the same app, and any of another customer; other users in the same chat are unaffected.
 */
export const noteVerification = (chat: Verified, interaction: Interaction): void => {
  const { address, blindLookup, app, createdAt, customerRef, outcome, phoneNumber, requestId } = interaction;
  if (!isVerifying(app) || !outcome || requestId === undefined || address === '' || createdAt < (chat.endedAt ?? 0)) return;
  const binding = bindingOf(JSON.parse(address));
  const { verified = [], failed = [] } = chat;
  if (proves(interaction)) {
    const others = verified.filter((kept) => kept.binding !== binding || (kept.method !== app && kept.customerRef === customerRef));
    const proof = { method: app, customerRef, phoneNumber, requestId, binding, at: outcome.at, until: outcome.at + lifetime };
    chat.verified = [...others, proof].slice(-maxKept);
    const theirs = failed.filter((kept) => kept.binding !== binding);
    if (failed.length > 0) chat.failed = theirs;
    // A failure would tell that the number has such a customer, which the chat may not learn.
  } else if (outcome.status === 'failure' && !blindLookup && !failed.some((kept) => kept.requestId === requestId)) {
    chat.failed = [...failed, { binding, requestId, customerRef, phoneNumber, at: outcome.at }].slice(-maxKept);
  }
};

/**
 * Ends all verifications in the chat at `now` (epoch ms). Requests made before it will verify nobody either. Who was
 * verified, or failed, is kept until somebody is verified again.
 */
export const endVerification = (chat: Verified, now: number): void => {
  if (chat.verified) chat.verified = chat.verified.map((kept) => ({ ...kept, until: Math.min(kept.until, now) }));
  chat.endedAt = now;
};

/** Changes the customer whom the chat is about, and ends verifications of any other. */
export const changeCustomer = (chat: Verified, customerRef: string, now: number): void => {
  // First known by what was typed, and by the identifier once it is proved.
  if (chat.verified?.some((kept) => kept.customerRef === customerRef && now < kept.until)) return;
  if (chat.customerRef !== undefined && chat.customerRef !== customerRef) endVerification(chat, now);
  chat.customerRef = customerRef;
};

/** The verifications that are current at `now` (epoch ms) for this user of the conversation. */
export const validProofs = ({ verified = [] }: Verified, of: ChatUser, now: number): readonly Verification[] =>
  verified.filter(({ binding, until }) => binding === bindingOf(of) && now < until);

/**
 * The verification state of a conversation's user at `now` (epoch ms), with the person it is about. The verification
 * that lasts longest counts.
 */
export const verificationState = (chat: Verified, of: ChatUser, now: number): VerificationState => {
  const binding = bindingOf(of);
  const longest = chat.verified?.filter((kept) => kept.binding === binding).reduce(later, undefined as Verification | undefined);
  const failures = chat.failed?.filter((kept) => kept.binding === binding) ?? [];
  const failed = failures.at(-1);
  // What failed while they were verified says nothing of the time since.
  if (failed && !(longest && Math.min(now, failed.at) < longest.until)) {
    const { at, customerRef, phoneNumber, requestId } = failed;
    const who = { requestId, ...(customerRef !== undefined && { customerRef }), ...masked(phoneNumber) };
    return { state: 'failed', tries: failures.length, at, ...who };
  }
  if (!longest) return { state: 'none', ...masked(chat.phoneNumber) };
  const { at, customerRef, method, phoneNumber, requestId, until } = longest;
  return { state: now < until ? 'verified' : 'expired', method, at, until, requestId, customerRef, ...masked(phoneNumber) };
};

const masked = (phoneNumber: string | undefined) => (phoneNumber === undefined ? {} : { phone: maskPhoneNumber(phoneNumber) });

const later = (one: Verification | undefined, other: Verification) => (one && one.until > other.until ? one : other);

/**
 * What must be verified before something is shown or done: this customer, by the service's identifier, and by a proof of
 * that maximum age, in milliseconds; unset: as long as it is current.
 */
type Requirement = { readonly customerRef: string; readonly within?: number };

/** The guard's answer. If it is not enough, `stands` says what to tell the customer. */
export type Guarded =
  | { readonly verified: true; readonly by: Verification }
  | { readonly verified: false; readonly stands: VerificationState };

/** The only guard: whether the user of a conversation is verified at `now` (epoch ms) as something requires. */
export const requireVerified = (chat: Verified, of: ChatUser, { customerRef, within = Infinity }: Requirement, now: number): Guarded => {
  const by = validProofs(chat, of, now).findLast((kept) => kept.customerRef === customerRef && now - kept.at < within);
  return by ? { verified: true, by } : { verified: false, stands: verificationState(chat, of, now) };
};
