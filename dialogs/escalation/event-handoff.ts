// Asking for a person by Bot Framework's handoff events (learn.microsoft.com, "Transition conversations from bot
// to human").
import { iso } from '../../src/platform/time/clock.ts';
import { type Activity, EventFactory, type TurnContext } from '../sdk.ts';
import { type CaseReference, contextOf, type HandoffCase } from './case.ts';
import { inertLine } from './inert-line.ts';

/** Sends the event that asks for a person. */
export const initiateHandoff = async (context: TurnContext, about: HandoffCase, reference?: CaseReference): Promise<void> => {
  const event = EventFactory.createHandoffInitiation(context, contextOf(about, reference), {
    // The SDK's type requires fields that only a sent activity has.
    activities: activitiesOf(context, about) as unknown as Activity[],
  });
  await context.sendActivity(event);
};

/** The lines as activities, as a Transcript holds them. */
const activitiesOf = ({ activity }: TurnContext, { transcript }: HandoffCase) =>
  transcript.map(({ agent = 'agent', at, from, phone, text, verified }) => ({
    type: 'message',
    text: inertLine(text),
    timestamp: iso(at) as unknown as Date,
    from: { id: from, name: from === 'agent' ? agent : from, role: from === 'customer' ? 'user' : 'bot' } as Activity['from'],
    conversation: { id: activity.conversation.id } as Activity['conversation'],
    channelId: activity.channelId,
    ...(verified && { channelData: { cs_verified: true, ...(phone !== undefined && { cs_phone: phone }) } }),
  }));

/** Brings a person into the chats of another bot or program, in that program's own way. */
export interface Handoff {
  /** Asks for a person. `unavailable`: nobody can join this chat, and the customer must be told. */
  escalate(context: TurnContext, about: HandoffCase): Promise<'requested' | 'unavailable'>;
}

/** Uses Bot Framework's handoff event. */
export const eventHandoff: Handoff = {
  escalate: (context, about) => initiateHandoff(context, about).then(() => 'requested'),
};
