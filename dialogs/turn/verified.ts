// Whether the customer of a turn is verified: reads the chat's record, and tells the bot's chat page.
import {
  currentVerifications,
  endVerification,
  requireVerified,
  type VerificationState,
  verificationState,
} from '../../src/verification/index.ts';
import { TurnContext } from '../sdk.ts';
import type { Turn } from './turn.ts';

type Chat = Pick<Turn, 'context' | 'memory' | 'services'>;

const referenceIn = ({ context }: Chat) => TurnContext.getConversationReference(context.activity);

/** The verification of this turn's customer; if nobody has given a number, with the one that the channel vouches for. */
export const standingOf = (turn: Chat): VerificationState => {
  const { phoneNumber, vouchedFor } = turn.memory;
  const given = phoneNumber ?? vouchedFor;
  const chat = given === undefined ? turn.memory : { ...turn.memory, phoneNumber: given };
  return verificationState(chat, referenceIn(turn), turn.services.clock.now());
};

/**
 * The same as the customer is told it: an attempt from before the chat changed hands may be somebody else's.
 */
export const ownStanding = (turn: Chat): VerificationState => {
  const stands = standingOf(turn);
  return 'at' in stands && stands.at <= (turn.memory.endedAt ?? 0) ? { state: 'none' } : stands;
};

/** The customer's proofs that still hold. */
export const proofsOf = (turn: Chat) => currentVerifications(turn.memory, referenceIn(turn), turn.services.clock.now());

/** Whether the customer is verified for this identifier of the service. */
export const isVerifiedFor = (turn: Chat, customerRef: string): boolean =>
  requireVerified(turn.memory, referenceIn(turn), { customerRef }, turn.services.clock.now()).verified;

/** Ends the chat's verification: the next person to write may be a different one. */
export const endProofs = ({ memory, services }: Pick<Turn, 'memory' | 'services'>): void => endVerification(memory, services.clock.now());

/** The event's value. The page itself notices when the verification expires. */
type VerifiedNews =
  | { readonly verified: false }
  /** `until`: ISO 8601. `phone`: the customer's number, masked. */
  | { readonly verified: true; readonly method: string; readonly until: string; readonly phone?: string };

/** Tells the bot's chat page of a change, as an event named `verification`. Sends nothing on other channels. */
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
      ? {
          ...{ verified: true, method: stands.method, until: new Date(stands.until).toISOString() },
          ...(stands.phone !== undefined && { phone: stands.phone }),
        }
      : { verified: false };
  await context.sendActivity({ type: 'event', name: 'verification', value });
};
