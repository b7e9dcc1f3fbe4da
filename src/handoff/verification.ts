// Who is verified in a chat, by which app, and until when. Cards that show details rely on it, and so does a person who
// takes over.
import { type AppContract, apps, ref, type VerifyingAppId } from '../contract/index.ts';
import type { Interaction } from '../interactions/index.ts';
import type { ConversationReference } from './sdk.ts';

/** The proof that a customer was verified. Kept with the chat as plain JSON. */
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
  /** When it was proved and when it ends; epoch milliseconds. */
  readonly at: number;
  readonly until: number;
}

/** A chat's verification state. */
export interface Verified {
  verified?: readonly Verification[];
  /**
   * The customer whom the chat is about: the service's identifier, or the customer's own words where the chat may not
   * learn it.
   */
  customerRef?: string;
  /** Requests made before this instant (epoch ms) no longer verify anybody. */
  endedAt?: number;
}

/** How long a verification holds, in milliseconds (docs/decisions/0009). */
const lifetime = 15 * 60_000;

/** The one user, conversation, tenant and channel that a verification belongs to. */
const bindingOf = ({ channelId, conversation, user }: Partial<ConversationReference>): string =>
  JSON.stringify([channelId, conversation?.tenantId ?? null, conversation?.id, user?.id, user?.aadObjectId ?? null]);

/**
 * Whether the request named this customer. A reference that no request can carry is never sent, so nothing is proved
 * about its customer.
 */
const asksFor = ({ customerRef, request }: Interaction): boolean =>
  ref.safeParse(customerRef).success && 'customerRef' in request && request.customerRef === customerRef;

/**
 * Whether an interaction proves that its customer was there: by a result that says so about this app and this very
 * customer, or by a code that matched. An event alone is enough to tell the customer how it ended, but proves nothing;
 * nor does setting up a passkey.
 */
const proves = (interaction: Interaction): interaction is Interaction & { readonly app: VerifyingAppId } => {
  const { app, customerRef, outcome } = interaction;
  const { answeredIn, verifies }: AppContract = apps[app];
  if (!verifies || outcome?.status !== 'success' || !asksFor(interaction)) return false;
  if (outcome.by === 'check') return answeredIn === 'chat';
  if (outcome.by !== 'result' || outcome.result?.app !== app || outcome.result.customerRef !== customerRef) return false;
  const fields: Readonly<Record<string, unknown>> = outcome.result;
  return Object.entries(verifies).every(([name, value]) => fields[name] === value);
};

/**
 * Records what an interaction's outcome proves about the user who asked for it. It replaces their earlier verification
 * by the same app, and any of another customer; verifications of other users in the same chat are unaffected.
 */
export const noteVerification = (chat: Verified, interaction: Interaction): void => {
  const { requestId, customerRef, phoneNumber, address, createdAt, outcome } = interaction;
  if (!proves(interaction) || !outcome || requestId === undefined || address === '' || createdAt < (chat.endedAt ?? 0)) return;
  const binding = bindingOf(JSON.parse(address));
  const others = (chat.verified ?? []).filter(
    (kept) => kept.binding !== binding || (kept.method !== interaction.app && kept.customerRef === customerRef),
  );
  const proof = { method: interaction.app, customerRef, phoneNumber, requestId, binding };
  chat.verified = [...others, { ...proof, at: outcome.at, until: outcome.at + lifetime }];
};

/** Ends all verifications in the chat at `now` (epoch ms). Requests made before it will verify nobody either. */
export const endVerification = (chat: Verified, now: number): void => {
  delete chat.verified;
  chat.endedAt = now;
};

/** Changes the customer whom the chat is about, and ends verifications of any other. */
export const changeCustomer = (chat: Verified, customerRef: string, now: number): void => {
  // First known by what was typed, and by the identifier once it is proved.
  if (chat.verified?.some((kept) => kept.customerRef === customerRef)) return;
  if (chat.customerRef !== undefined && chat.customerRef !== customerRef) endVerification(chat, now);
  chat.customerRef = customerRef;
};

/** The verifications that hold at `now` (epoch ms) for the user of a conversation. */
export const standing = ({ verified = [] }: Verified, of: Partial<ConversationReference>, now: number): readonly Verification[] =>
  verified.filter(({ binding, until }) => binding === bindingOf(of) && now < until);

/**
 * The app by which the user of a conversation is verified as this customer at `now` (epoch ms); `undefined` when they
 * are not.
 */
export const verifiedFor = (
  chat: Verified,
  of: Partial<ConversationReference>,
  customerRef: string,
  now: number,
): Verification | undefined => standing(chat, of, now).findLast((kept) => kept.customerRef === customerRef);
