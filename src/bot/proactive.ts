// Telling a chat what happened, in a turn that nobody's message started.
import { type Activity, type ConversationReference, TurnContext } from 'botbuilder';
import type { Interaction } from '../interactions/interaction.ts';
import type { News, Teller } from '../interactions/ports.ts';
import type { TurnAdapter } from './adapter.ts';
import { ownServiceUrl } from './connector.ts';
import { isFinal } from './connector-error.ts';
import type { RunTurn } from './turns.ts';

export interface TellerOptions {
  readonly adapter: Pick<TurnAdapter, 'continueConversation'>;
  readonly run: RunTurn;
}

/** The address of an activity's chat, as an interaction keeps it. The activity's own id is left out: an outcome is no reply to one message. */
export const addressOf = (activity: Partial<Activity>): string => {
  const { activityId: _, ...reference } = TurnContext.getConversationReference(activity);
  return JSON.stringify(reference);
};

const referenceOf = (address: string): Partial<ConversationReference> => JSON.parse(address);

/** Brings news into the chat that an interaction's address names, through a proactive turn of its conversation. */
export const makeTeller = ({ adapter, run }: TellerOptions): Teller => {
  const bring = (interaction: Interaction, kind: News['kind']) =>
    adapter.continueConversation(referenceOf(interaction.address), async (context) => {
      if (kind === 'outcome' && context.activity.serviceUrl === ownServiceUrl) {
        // Told again after a crash, each message has the name it had the first time, and our Direct Line drops what it has shown.
        let count = 0;
        context.onSendActivities(async (_context, activities, next) => {
          for (const activity of activities) {
            activity.channelData = { ...activity.channelData, deliveryKey: `${interaction.id}:${count}` };
            count += 1;
          }
          return next();
        });
      }
      await run(context, { kind, interaction });
    });

  return {
    outcome: async (interaction) => {
      try {
        await bring(interaction, 'outcome');
        return 'told';
      } catch (fault) {
        if (isFinal(fault)) return 'gone';
        throw fault;
      }
    },
    progress: (interaction) => bring(interaction, 'progress'),
  };
};
