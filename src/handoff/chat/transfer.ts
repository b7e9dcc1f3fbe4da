// Transfers a caller who asks for a person: the gateway learns the destination, and the other end who is verified and
// why a person is wanted.
import { caseOf, contextOf, type Escalation, say } from '../../../dialogs/index.ts';
import type { ChannelProfile } from '../../platform/channels.ts';
import { shownConversation, type VerificationState } from '../../verification/index.ts';
import { EventFactory } from '../sdk.ts';
import type { AgentTurn } from './agent-turn.ts';

/** Where callers who ask for an agent are transferred. */
export interface CallTransfer {
  /** `tel:+12025550100`, or a SIP address. */
  readonly to: string;
  /** The proof that is passed on for a verified customer. */
  prove(verification: VerificationState, conversation: string): Promise<string | undefined>;
}

/**
 * Transfers a caller to an agent, with what the caller has proved (techdocs.audiocodes.com, "Transferring the call"; for
 * Azure's telephony channel github.com/microsoft/botframework-telephony, "Transfer call to an agent").
 * @param by - `transfer`: by an event for voice gateways; `handoff`: by Bot Framework's own
 */
export const transferCaller = async (
  turn: AgentTurn,
  escalation: Escalation,
  { to, prove }: CallTransfer,
  by: NonNullable<ChannelProfile['transfers']>,
): Promise<void> => {
  const { context, memory, services, t } = turn;
  const about = await caseOf(turn, escalation);
  const conversation = shownConversation(services.chatOf(context.activity).conversation);
  await say(turn, t('speech.transferring'), { answer: 'later' });
  const values = contextOf(about, { conversation, assertion: await prove(about.verification, conversation) });
  const activityParams = { transferTarget: to, handoverReason: about.reason, transferSipHeaders: headersOf(values) };
  await context.sendActivity(
    by === 'handoff'
      ? EventFactory.createHandoffInitiation(context, { ...values, TargetPhoneNumber: to.replace(/^tel:/, '') })
      : { type: 'event', name: 'transfer', channelData: { activityParams } },
  );
  memory.transferring = true;
  turn.transferred = true;
};

/** SIP headers of the transferred call: values of the flat context, under names that only we use. */
const headersOf = (context: Readonly<Record<string, string | boolean | number>>) =>
  shownInHeaders.flatMap((key) => {
    const value = context[key];
    const name = `X-Countersign-${key.slice(3).replaceAll('_', '-')}`;
    return value === undefined ? [] : [{ name, value: String(value) }];
  });

const shownInHeaders = [
  ...['cs_reason', 'cs_app', 'cs_conversation', 'cs_verified', 'cs_verification', 'cs_verified_method'],
  ...['cs_request_ids', 'cs_assertion'],
];
