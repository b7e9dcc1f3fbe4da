// Where an outcome is told later: the conversation reference, as the text that an interaction keeps.
import type { Activity, ConversationReference } from 'botbuilder';
import { TurnContext } from 'botbuilder';

/** The address of an activity's chat. The activity's own id is left out: an outcome is no reply to one message. */
export const addressOf = (activity: Partial<Activity>): string => {
  const { activityId: _, ...reference } = TurnContext.getConversationReference(activity);
  return JSON.stringify(reference);
};

/** The conversation reference that an address stands for. */
export const referenceOf = (address: string): Partial<ConversationReference> => JSON.parse(address);
