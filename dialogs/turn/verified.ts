// Whether the customer of a turn is verified: reads the chat's record, and tells the bot's chat page.
import { endVerification, requireVerified, type VerificationState, validProofs, verificationState } from '../../src/verification/index.ts';
import { TurnContext } from '../sdk.ts';
import type { Turn } from './turn.ts';

type Chat = Pick<Turn, 'context' | 'memory' | 'services'>;

const referenceIn = ({ context }: Chat) => TurnContext.getConversationReference(context.activity);

/** The verification of this turn's customer; if nobody has given a number, with the one that the channel vouches for. */
export const verificationOf = (turn: Chat): VerificationState => {
  const { phoneNumber, vouchedFor } = turn.memory;
  const given = phoneNumber ?? vouchedFor;
  const chat = given === undefined ? turn.memory : { ...turn.memory, phoneNumber: given };
  return verificationState(chat, referenceIn(turn), turn.services.clock.now());
};

/**
 * The same as the customer is told it: an attempt from before the chat changed hands may be somebody else's.
 */
export const ownVerification = (turn: Chat): VerificationState => {
  const verification = verificationOf(turn);
  return 'at' in verification && verification.at <= (turn.memory.endedAt ?? 0) ? { state: 'none' } : verification;
};

/** The customer's proofs that still hold. */
export const proofsOf = (turn: Chat) => validProofs(turn.memory, referenceIn(turn), turn.services.clock.now());

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
  const verification = verificationOf(turn);
  const until = verification.state === 'verified' ? verification.until : undefined;
  if (until === memory.shownUntil) return;
  if (until === undefined) delete memory.shownUntil;
  else memory.shownUntil = until;
  const value: VerifiedNews =
    verification.state === 'verified'
      ? {
          ...{ verified: true, method: verification.method, until: new Date(verification.until).toISOString() },
          ...(verification.phone !== undefined && { phone: verification.phone }),
        }
      : { verified: false };
  await context.sendActivity({ type: 'event', name: 'verification', value });
};
