// What our own chat page shows beside the chat: whether the customer is verified in it, and until when.
import { verificationState } from '../src/verification/index.ts';
import { TurnContext } from './sdk.ts';
import type { Turn } from './turn.ts';

/** The event's value. The page itself notices when the time is up. */
export type VerifiedNews =
  | { readonly verified: false }
  /** `until`: ISO 8601. */
  | { readonly verified: true; readonly method: string; readonly until: string };

/** Tells the page of a change, as an event named `verification`. Says nothing to other channels. */
export const tellVerification = async ({ channel, context, memory, services }: Turn): Promise<void> => {
  if (!channel.showsVerified) return;
  const stands = verificationState(memory, TurnContext.getConversationReference(context.activity), services.clock.now());
  const until = stands.state === 'verified' ? stands.until : undefined;
  if (until === memory.shownUntil) return;
  if (until === undefined) delete memory.shownUntil;
  else memory.shownUntil = until;
  const value: VerifiedNews =
    stands.state === 'verified'
      ? { verified: true, method: stands.method, until: new Date(stands.until).toISOString() }
      : { verified: false };
  await context.sendActivity({ type: 'event', name: 'verification', value });
};
