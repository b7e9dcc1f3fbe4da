// Saying things: a complete text, with a card that says the same where the channel shows cards.
import { type Activity, CardFactory, MessageFactory } from 'botbuilder';
import type { CardMessage } from '../cards/index.ts';
import type { Turn } from './turn.ts';

export interface Extras {
  /** For pages and hubs that embed the chat. */
  readonly channelData?: object;
  /** A name for what is said once only, whichever turn says it: said again, it takes the place of the first where the channel can. */
  readonly name?: string;
  /** What can be said next, as quick replies. */
  readonly quick?: readonly string[];
}

/** A saying as an activity. */
export const asActivity = (
  { channel, t }: Pick<Turn, 'channel' | 't'>,
  saying: string | CardMessage,
  { channelData, name, quick = [] }: Extras = {},
): Partial<Activity> => {
  const { text, card } = typeof saying === 'string' ? { text: saying } : saying;
  return {
    ...MessageFactory.text(text),
    textFormat: 'plain',
    locale: t.locale,
    ...(card && channel.cards && { attachments: [CardFactory.adaptiveCard(card)] }),
    ...((channelData || name !== undefined) && { channelData: { ...channelData, ...(name !== undefined && { deliveryKey: name }) } }),
    ...quickReplies(quick),
  };
};

/** Says it; answers the activity's id, as far as the channel tells one. */
export const say = async (turn: Turn, saying: string | CardMessage, extras?: Extras): Promise<string | undefined> =>
  (await turn.context.sendActivity(asActivity(turn, saying, extras)))?.id || undefined;

/** Buttons below the message that say their own title; channels without them show nothing. */
const quickReplies = (titles: readonly string[]): Partial<Activity> =>
  titles.length === 0 ? {} : { suggestedActions: { to: [], actions: titles.map((title) => ({ type: 'imBack', title, value: title })) } };
