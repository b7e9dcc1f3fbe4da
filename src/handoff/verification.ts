// Who is verified in a chat, how, and until when: what a person who takes the chat over may rely on.
import type { ConversationReference } from 'botbuilder';
import type { Interaction } from '../interactions/interaction.ts';

/** An app that proves who somebody is. */
type Method = 'passkeys' | 'one-time-passcode';

/** That a customer was verified. Kept with the chat as plain JSON. */
export interface Verification {
  readonly method: Method;
  /** Who the service says it was, by its own identifier. */
  readonly customerRef: string;
  /** The service's request that proved it. */
  readonly requestId: string;
  /** Whom it holds for: see {@link bindingOf}. */
  readonly binding: string;
  /** When it was proved, and when it ends; epoch milliseconds. */
  readonly at: number;
  readonly until: number;
}

/** How long a verification holds (security: verified status). */
const lifetime = 15 * 60_000;

/** The one user, in the one conversation, of the one tenant and channel that a verification belongs to. */
const bindingOf = ({ channelId, conversation, user }: Partial<ConversationReference>): string =>
  JSON.stringify([channelId, conversation?.tenantId ?? null, conversation?.id, user?.id, user?.aadObjectId ?? null]);

/**
 * What an interaction's outcome proves, for whoever asked for it. Nothing on doubt: an event alone, whose result nobody could read, is enough to tell the
 * customer and not enough for this.
 */
export const verificationBy = ({ app, outcome, requestId, customerRef, address }: Interaction): Verification | undefined => {
  if ((app !== 'passkeys' && app !== 'one-time-passcode') || requestId === undefined) return undefined;
  if (outcome?.status !== 'success' || (outcome.by !== 'result' && outcome.by !== 'check')) return undefined;
  const binding = bindingOf(JSON.parse(address));
  return { method: app, customerRef, requestId, binding, at: outcome.at, until: outcome.at + lifetime };
};

/** The newest verification of each method replaces the one before. */
export const withVerification = (kept: readonly Verification[] = [], added: Verification): readonly Verification[] => [
  ...kept.filter(({ method }) => method !== added.method),
  added,
];

/** Those that hold at `now` (epoch ms) for the user of a conversation; nobody else's. */
export const standing = (kept: readonly Verification[] = [], of: Partial<ConversationReference>, now: number): readonly Verification[] =>
  kept.filter(({ binding, until }) => binding === bindingOf(of) && now < until);
