// What stands in activities: what the customer did, what the channel can show, and what the bot says.
import { decodeHTML } from 'entities';
import { z } from 'zod';
import type { CardMessage, Texts } from '../cards/index.ts';
import { faultFields, fingerprint, type Log } from '../src/platform/log.ts';
import { type Activity, CardFactory, InputHints, type TurnContext } from './sdk.ts';

export type Input =
  /**
   * A card's button, with the card's inputs. The id means something only to the dialog that made it. `click` names this click by its button and
   * by a hash of what was entered: the second half of a doubled click has the same.
   */
  | { readonly kind: 'action'; readonly id: string; readonly fields: Readonly<Record<string, string>>; readonly click: string }
  | { readonly kind: 'text'; readonly text: string }
  /** A card's submit that carries nothing we ever made. */
  | { readonly kind: 'foreign' }
  /** A message without words: a picture, a file, or nothing at all; or with more of them than are read. */
  | { readonly kind: 'unreadable'; readonly long?: true }
  | { readonly kind: 'none' };

/** The longest text that is read; nothing the bot asks for is longer. Half of a longer one could say something else, so none of it counts. */
const longest = 2000;

/** Text in its plain form. One that is too long stays so; it is cut first, since normalising can make text eighteen times as long. */
const normal = (text: string) =>
  text
    .slice(0, longest + 1)
    .normalize('NFKC')
    .slice(0, longest + 1)
    .toWellFormed();

/** Why a message could not be read, in words. */
export const unread = (t: Texts, { long }: Extract<Input, { kind: 'unreadable' }>): string =>
  long ? t('question.long', { max: longest }) : t('question.unreadable');

/** Whether an activity is the click of an Action.Execute, which its channel wants answered. */
export const isCardInvoke = ({ type, name }: { readonly type?: string | undefined; readonly name?: string | undefined }) =>
  type === 'invoke' && name === 'adaptiveCard/action';

const mention = z.object({ type: z.literal('mention'), text: z.string().min(1), mentioned: z.object({ id: z.string() }) });

/**
 * What was typed. Teams puts the bot's name before what is said to it, in private chats too, and writes some characters
 * as HTML entities (learn.microsoft.com, "Mentions in bots"); so does a channel whose text is XML.
 */
const typedIn = ({ channelId, entities = [], recipient, text = '', textFormat }: Partial<Activity>) => {
  let typed = text;
  for (const entity of entities) {
    const { data } = mention.safeParse(entity);
    if (data && data.mentioned.id === recipient?.id) typed = typed.replace(data.text, ' ');
  }
  return normal((channelId === 'msteams' || textFormat === 'xml' ? decodeHTML(typed) : typed).trim());
};

/** Reads an activity. A submit has a `value` and no text; both Action.Submit and Action.Execute are understood. */
export const readInput = (activity: Partial<Activity>): Input => {
  const { type, name, value } = activity;
  if (isCardInvoke({ type, name })) return readSubmit(value?.action?.data);
  if (type !== 'message') return { kind: 'none' };
  if (value !== undefined && value !== null) return readSubmit(value);
  const typed = typedIn(activity);
  if (typed.length > longest) return { kind: 'unreadable', long: true };
  return typed === '' ? { kind: 'unreadable' } : { kind: 'text', text: typed };
};

const readSubmit = (data: unknown): Input => {
  if (typeof data !== 'object' || data === null) return { kind: 'foreign' };
  const { action, ...rest } = data as Record<string, unknown>;
  if (typeof action !== 'string' || action.length > 64) return { kind: 'foreign' };
  const fields = Object.entries(rest)
    .filter(([, field]) => ['string', 'number', 'boolean'].includes(typeof field))
    .map(([name, field]) => [name, normal(String(field))]);
  return { kind: 'action', id: action, fields: Object.fromEntries(fields), click: `${action} ${fingerprint(JSON.stringify(fields))}` };
};

/** Text as it is compared: lower case, without accents, punctuation or doubled spaces. People write "dont" as often as "don't". */
export const comparable = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/['’‘ʼ`´]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

// What a channel can do, as far as the dialogs care.

export interface ChannelAbilities {
  /** Shows Adaptive Cards, and their buttons work. Where not, everything is said in text, with choices numbered. */
  readonly cards: boolean;
  /** Is shown by Web Chat, which reads a card out only by words that stand beside it. */
  readonly webChat: boolean;
  /** Alerts the customer's devices for a message that asks for it. */
  readonly alerts: boolean;
  /** Replaces a message in place. Where it cannot, a waiting card stays as it was sent. */
  readonly updates: boolean;
  /** Takes a customer's message out of the chat when asked to. */
  readonly removes: boolean;
}

const inWebChat = new Set(['directline', 'emulator', 'webchat']);
/**
 * The others turn a card into a picture without buttons, or drop it (learn.microsoft.com, "Channels reference": card
 * support).
 */
const showing = new Set([...inWebChat, 'msteams']);
const updating = new Set(['msteams', 'slack']);

/** The abilities of an activity's channel. `ownChat` is the service address of our own Direct Line, which can do everything. */
export const channelOf = (
  { channelId, serviceUrl }: { channelId: string; serviceUrl: string },
  ownChat = 'urn:countersign:directline',
): ChannelAbilities => ({
  cards: showing.has(channelId),
  webChat: inWebChat.has(channelId),
  alerts: channelId === 'msteams',
  updates: updating.has(channelId) || serviceUrl === ownChat,
  removes: serviceUrl === ownChat,
});

/** What speaking needs of a turn. */
interface Speaker {
  readonly context: TurnContext;
  readonly channel: ChannelAbilities;
  readonly t: Texts;
  /** What is noted of the turn. */
  readonly notes?: { secret: boolean; readonly said: { readonly from: 'agent' | 'bot'; readonly text: string }[] };
}

/** What goes with a saying. */
export interface Extras {
  /** For pages and hubs that embed the chat. */
  readonly channelData?: object;
  /** A name for what is said once only, whichever turn says it: said again, it takes the place of the first where the channel can. */
  readonly deliveryKey?: string;
  /** What can be said next, as quick replies. */
  readonly quick?: readonly string[];
  /** Worth a notification on the customer's devices, where the channel has them. */
  readonly alert?: boolean;
}

/** A saying as an activity (decision 0018). */
export const asActivity = (
  { channel, t }: Pick<Speaker, 'channel' | 't'>,
  saying: string | CardMessage,
  { channelData, deliveryKey: name, quick = [], alert = false }: Extras = {},
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
export const say = async (turn: Speaker, saying: string | CardMessage, extras?: Extras): Promise<string | undefined> => {
  // Of a card one line: what else stands on it may be for the customer alone.
  turn.notes?.said.push({ from: 'bot', text: typeof saying === 'string' ? saying : saying.summary });
  return (await turn.context.sendActivity(asActivity(turn, saying, extras)))?.id || undefined;
};

/** Buttons below the message that say their own title; channels without them show nothing. */
const quickReplies = (titles: readonly string[]): Partial<Activity> =>
  titles.length === 0 ? {} : { suggestedActions: { to: [], actions: titles.map((title) => ({ type: 'imBack', title, value: title })) } };

/** Removes the message of this turn: it holds something that should not stay in a transcript. Where it cannot be removed, it stays. */
export const takeBack = async ({
  context,
  channel,
  notes,
  services,
}: Speaker & { readonly services: { readonly log: Log } }): Promise<void> => {
  if (notes) notes.secret = true;
  const { id } = context.activity;
  if (!channel.removes || !id) return;
  try {
    await context.deleteActivity(id);
  } catch (fault) {
    services.log.warn({ ...faultFields(fault), operation: 'delete' }, 'a message could not be taken out of the chat');
  }
};
