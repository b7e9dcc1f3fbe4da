// Telling a chat what happened, in a turn that nobody's message started.
import { type Activity, type ConversationReference, TurnContext } from 'botbuilder';
import type { Interaction } from '../interactions/interaction.ts';
import type { News, Notifier } from '../interactions/ports.ts';
import type { Log } from '../platform/log.ts';
import { type TurnAdapter, turnKey } from './adapter.ts';
import type { RunTurn } from './turns.ts';

export interface NotifierOptions {
  readonly adapter: Pick<TurnAdapter, 'continueConversation'>;
  readonly run: RunTurn;
  readonly log: Log;
}

/** The chat an interaction belongs to: its name, and where it is reached later. */
export interface ChatAddress {
  readonly conversation: string;
  readonly address: string;
}

/** The chat of an activity. The activity's own id is left out of the address: an outcome is no reply to one message. */
export const chatOf = (activity: Partial<Activity>): ChatAddress => {
  const { activityId: _, ...reference } = TurnContext.getConversationReference(activity);
  return { conversation: turnKey(activity), address: JSON.stringify(reference) };
};

/** What is stored as an address does not belong to the chat that the interaction was made in. */
class WrongChat extends Error {
  override readonly name = 'WrongChat';
  readonly code = 'wrong_chat';
  /** Trying again would not make it right. */
  readonly final = true;
}

/** Brings news into the chat that an interaction's address names, through a proactive turn of its conversation. */
export const makeNotifier = ({ adapter, run, log }: NotifierOptions): Notifier => {
  const bring = (interaction: Interaction, kind: News['kind']) => {
    const reference: Partial<ConversationReference> = JSON.parse(interaction.address);
    // Both were written together and never change. If they no longer agree, somebody else wrote one of them.
    if (turnKey(reference) !== interaction.conversation) {
      log.error(
        { interaction: interaction.id, app: interaction.app, reason: 'wrong_chat' },
        'an outcome was about to go to the wrong chat',
      );
      throw new WrongChat();
    }
    return adapter.continueConversation(reference, (context) => run(context, { kind, interaction }));
  };

  return {
    outcome: async (interaction) => bring(interaction, 'outcome'),
    progress: async (interaction) => bring(interaction, 'progress'),
  };
};
