// Transfers a caller who asks for a person: the gateway learns the destination, and the other end who is verified and
// why a person is wanted.

import { type CaseReference, contextOf, type HandoffCase } from './case.ts';
import { type Activity, EventFactory, type TurnContext } from './sdk.ts';

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

/**
 * Transfers the call (techdocs.audiocodes.com, "Transferring the call"; for Azure's telephony channel
 * github.com/microsoft/botframework-telephony, "Transfer call to an agent").
 * @param to - `tel:+12025550100`, or a SIP address
 * @param by - `transfer`: by an event for voice gateways; `handoff`: by Bot Framework's own
 * @param reference - the call, and the proof of a current verification for whoever takes it
 */
export const transferCall = async (
  context: TurnContext,
  about: HandoffCase,
  to: string,
  by: 'transfer' | 'handoff',
  reference: CaseReference,
): Promise<void> => {
  const values = contextOf(about, reference);
  if (by === 'handoff') {
    await context.sendActivity(EventFactory.createHandoffInitiation(context, { ...values, TargetPhoneNumber: to.replace(/^tel:/, '') }));
    return;
  }
  const activityParams = { transferTarget: to, handoverReason: about.reason, transferSipHeaders: headersOf(values) };
  await context.sendActivity({ type: 'event', name: 'transfer', channelData: { activityParams } } as Partial<Activity>);
};
