// Saying things: as a card where the channel shows cards, else as text. Never both, since channels that show cards show
// both.
import { type Activity, CardFactory, InputHints } from 'botbuilder';
import type { CardMessage } from '../cards/index.ts';
import type { Turn } from './turn.ts';

export interface Extras {
  /** For pages and hubs that embed the chat. */
  readonly channelData?: object;
  /** A name for what is said once only, whichever turn says it: said again, it takes the place of the first where the channel can. */
  readonly name?: string;
  /** What can be said next, as quick replies. */
  readonly quick?: readonly string[];
  /** Worth a notification on the customer's devices, where the channel has them. */
  readonly alert?: boolean;
}

/** A saying as an activity (decision 0018). */
export const asActivity = (
  { channel, t }: Pick<Turn, 'channel' | 't'>,
  saying: string | CardMessage,
  { channelData, name, quick = [], alert = false }: Extras = {},
): Partial<Activity> => {
  const card = typeof saying !== 'string' && channel.cards ? saying : undefined;
  const data = {
    ...channelData,
    ...(alert && channel.alerts && { notification: { alert: true } }),
    ...(card && channel.webChat && { 'webchat:fallback-text': card.text }),
    ...(name !== undefined && { deliveryKey: name }),
  };
  return {
    type: 'message',
    inputHint: InputHints.AcceptingInput,
    locale: t.locale,
    ...(card
      ? { attachments: [CardFactory.adaptiveCard(card.card)], summary: card.summary, speak: card.speak }
      : { text: typeof saying === 'string' ? saying : saying.text, textFormat: 'plain' }),
    ...(Object.keys(data).length > 0 && { channelData: data }),
    ...quickReplies(quick),
  };
};

/** Says it; answers the activity's id, as far as the channel tells one. */
export const say = async (turn: Turn, saying: string | CardMessage, extras?: Extras): Promise<string | undefined> =>
  (await turn.context.sendActivity(asActivity(turn, saying, extras)))?.id || undefined;

/** Buttons below the message that say their own title; channels without them show nothing. */
const quickReplies = (titles: readonly string[]): Partial<Activity> =>
  titles.length === 0 ? {} : { suggestedActions: { to: [], actions: titles.map((title) => ({ type: 'imBack', title, value: title })) } };
