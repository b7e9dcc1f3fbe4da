// Who is verified in a chat, how, and until when: what may be shown there, and what a person who takes the chat over may rely on.
import { type AppContract, apps, ref, type VerifyingAppId } from '../contract/index.ts';
import type { Interaction } from '../interactions/index.ts';

/** Where somebody writes: the parts of a conversation reference that tell one user of one chat from every other. */
export interface Place {
  readonly channelId?: string | undefined;
  readonly conversation?: { readonly id?: string | undefined; readonly tenantId?: string | undefined } | undefined;
  readonly user?: { readonly id?: string | undefined; readonly aadObjectId?: string | undefined } | undefined;
}

/** That a customer was verified. Kept with the chat as plain JSON. */
export interface Verification {
  readonly method: VerifyingAppId;
  /** Who was asked for, and who the service says it was, by its own identifier. */
  readonly customerRef: string;
  /** The service's request that proved it. */
  readonly requestId: string;
  /** The number it was asked for with; records from before do not have it. */
  readonly phoneNumber?: string;
  /** Whom it holds for: see {@link bindingOf}. */
  readonly binding: string;
  /** When it was proved, and when it ends; epoch milliseconds. */
  readonly at: number;
  readonly until: number;
}

/** A try that failed: the customer, or somebody else at the device, could not prove it. */
interface Failure {
  readonly binding: string;
  readonly requestId: string;
  readonly at: number;
}

/** What a chat remembers of it. */
export interface Verified {
  verified?: readonly Verification[];
  /** Tries that failed since something was last proved, newest last. */
  failed?: readonly Failure[];
  /** Whom the chat is about: by the service's identifier, or by what was typed where nobody may learn whose it is. */
  customerRef?: string;
  /** What was asked for before this instant (epoch ms) verifies nobody any more. */
  endedAt?: number;
}

/** How long a verification holds (docs/decisions/0009). */
const lifetime = 15 * 60_000;

/** Failures that are remembered: more say nothing more. */
const keptFailures = 20;

/** The one user, in the one conversation, of the one tenant and channel that a verification belongs to. */
export const bindingOf = ({ channelId, conversation, user }: Place): string =>
  JSON.stringify([channelId, conversation?.tenantId ?? null, conversation?.id, user?.id, user?.aadObjectId ?? null]);

/** Whether the request named this customer. One whose reference no request can carry is never named, so nothing is proven of them. */
const asksFor = ({ customerRef, request }: Interaction): boolean =>
  ref.safeParse(customerRef).success && 'customerRef' in request && request.customerRef === customerRef;

/** Whether an app's success can prove who the customer is. */
const isVerifying = (app: Interaction['app']): app is VerifyingAppId => apps[app].verifies !== false;

/**
 * Whether an interaction proves that its customer was there: a result that says so of this app and this very customer, or a code that matched. An
 * event alone is enough to tell the customer how it ended, and not enough for this; nor is setting up a passkey.
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
 * Notes what an interaction's outcome proves, for whoever asked for it, or that it failed to. A proof replaces their earlier verification by the same
 * way, and any of another customer; what holds for others in the same chat stays as it is.
 */
export const noteVerification = (chat: Verified, interaction: Interaction): void => {
  const { address, app, createdAt, customerRef, outcome, phoneNumber, requestId } = interaction;
  if (!isVerifying(app) || !outcome || requestId === undefined || address === '' || createdAt < (chat.endedAt ?? 0)) return;
  const binding = bindingOf(JSON.parse(address));
  const { verified = [], failed = [] } = chat;
  if (proves(interaction)) {
    const others = verified.filter((kept) => kept.binding !== binding || (kept.method !== app && kept.customerRef === customerRef));
    const proof = { method: app, customerRef, phoneNumber, requestId, binding, at: outcome.at, until: outcome.at + lifetime };
    chat.verified = [...others, proof];
    const theirs = failed.filter((kept) => kept.binding !== binding);
    if (failed.length > 0) chat.failed = theirs;
  } else if (outcome.status === 'failure' && !failed.some((kept) => kept.requestId === requestId)) {
    chat.failed = [...failed, { binding, requestId, at: outcome.at }].slice(-keptFailures);
  }
};

/** Nobody is verified in the chat from now on (epoch ms), whatever was asked for before and comes in later. */
export const endVerification = (chat: Verified, now: number): void => {
  delete chat.verified;
  delete chat.failed;
  chat.endedAt = now;
};

/** The chat is about this customer from now on; what was proven of another ends. */
export const changeCustomer = (chat: Verified, customerRef: string, now: number): void => {
  // Found by what was typed at first, and by their identifier since it was proved whose it is.
  if (chat.verified?.some((kept) => kept.customerRef === customerRef)) return;
  if (chat.customerRef !== undefined && chat.customerRef !== customerRef) endVerification(chat, now);
  chat.customerRef = customerRef;
};
