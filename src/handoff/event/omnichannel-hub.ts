// The hub of Dynamics 365 (Omnichannel, Contact Center), which takes commands as tags of messages instead of events
// (learn.microsoft.com, "Configure Azure agents to escalate and end conversations"; Microsoft's sample
// DynamicsOmnichannelMiddleware).

import { contextOf } from '../../../dialogs/index.ts';
import { ownServiceUrl } from '../../platform/channels.ts';
import { rootOf } from '../../platform/root-bot.ts';
import type { Hub } from '../hub.ts';
import type { Activity, TurnContext } from '../sdk.ts';

type Values = Readonly<Record<string, string | number>>;

/** A message that Dynamics carries out; agents see its text, customers do not. */
const command = (type: 'Escalate' | 'EndConversation', context: Values, text: string): Partial<Activity> => ({
  type: 'message',
  text,
  channelData: { tags: JSON.stringify({ type, context }) },
});

/** The activity as Dynamics takes it: customers see only messages that are bridged. */
const adapted = (activity: Partial<Activity>): Partial<Activity> => {
  if (activity.type === 'endOfConversation') return { ...activity, ...command('EndConversation', {}, 'End of conversation') };
  if (activity.type !== 'message' || activity.channelData?.tags !== undefined) return activity;
  return { ...activity, channelData: { ...activity.channelData, deliveryMode: 'bridged' } };
};

/** Whether the chat is Dynamics': our own Direct Line and root bots do not lead there. */
const isThere = ({ activity }: TurnContext) => activity.serviceUrl !== ownServiceUrl && rootOf(activity) === undefined;

/** For a bot in Dynamics 365. Once it has escalated, Dynamics takes it out of the chat. */
export const omnichannelHub: Hub = {
  name: 'omnichannel',
  audience: 'urn:countersign:handoff:omnichannel',
  inChannel: true,

  initiate: async (context, about, place) => {
    const { va_AgentMessage: summary, ...values } = contextOf(about, place);
    // Context variables are strings or integers.
    const variables = Object.entries({ ...values, va_AgentMessage: summary }).map(([name, value]) => [
      name,
      typeof value === 'boolean' ? String(value) : value,
    ]);
    await context.sendActivity(command('Escalate', Object.fromEntries(variables), String(summary)));
  },

  middleware: {
    onTurn: async (context, next) => {
      if (isThere(context)) {
        context.onSendActivities((_context, activities, send) => {
          for (const activity of activities) Object.assign(activity, adapted(activity));
          return send();
        });
        context.onUpdateActivity((_context, activity, update) => {
          Object.assign(activity, adapted(activity));
          return update();
        });
      }
      await next();
    },
  },
};
