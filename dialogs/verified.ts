// Whether the customer of a turn is verified: what is asked of the chat's record, and what our own page shows of it.
import { endVerification, requireVerified, standing, type VerificationState, verificationState } from '../src/verification/index.ts';
import { TurnContext } from './sdk.ts';
import type { Turn } from './turn.ts';

type Chat = Pick<Turn, 'context' | 'memory' | 'services'>;

const referenceIn = ({ context }: Chat) => TurnContext.getConversationReference(context.activity);

/** How the customer of this turn stands. */
export const standingOf = (turn: Chat): VerificationState => verificationState(turn.memory, referenceIn(turn), turn.services.clock.now());

/** What they have proved, as far as it still holds. */
export const proofsOf = (turn: Chat) => standing(turn.memory, referenceIn(turn), turn.services.clock.now());

/** Whether they are verified for this very customer, by the service's identifier. */
export const isVerifiedFor = (turn: Chat, customerRef: string): boolean =>
  requireVerified(turn.memory, referenceIn(turn), { customerRef }, turn.services.clock.now()).verified;

/** Nobody is verified in this chat any more: the next to write may be somebody else. */
export const endProofs = ({ memory, services }: Pick<Turn, 'memory' | 'services'>): void => endVerification(memory, services.clock.now());

/** The event's value. The page itself notices when the time is up. */
type VerifiedNews =
  | { readonly verified: false }
  /** `until`: ISO 8601. */
  | { readonly verified: true; readonly method: string; readonly until: string };

/** Tells our chat page of a change, as an event named `verification`. Says nothing to other channels. */
export const showVerification = async (turn: Turn): Promise<void> => {
  const { channel, context, memory } = turn;
  if (!channel.showsVerified) return;
  const stands = standingOf(turn);
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
