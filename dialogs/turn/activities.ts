// Reads what the customer did from activities, and writes what the bot says to them.
import { z } from 'zod';
import { type CardMessage, isolateNumbers, pointer, record, type Texts, universal } from '../../cards/index.ts';
import { type ChannelProfile, channelOf } from '../../src/platform/channels.ts';
import { faultFields, fingerprint } from '../../src/platform/log.ts';
import { typedIn } from '../language/channel-text.ts';
import { inSegments } from '../language/segments.ts';
import { asSpoken, unmarked } from '../language/speech.ts';
import { westernDigits } from '../language/words.ts';
import { type Activity, CardFactory, INVOKE_RESPONSE_KEY, InputHints, type TurnContext } from '../sdk.ts';
import type { CommonServices } from './services.ts';

export type Input =
  /**
   * A card's button, with the card's inputs. The id means something only to the dialog that made it. `click` names this
   * click by its button and by a hash of what was entered: the second half of a doubled click has the same.
   */
  | { readonly kind: 'action'; readonly id: string; readonly fields: Readonly<Record<string, string>>; readonly click: string }
  | { readonly kind: 'text'; readonly text: string }
  /** A card's submit that carries nothing the bot ever made. */
  | { readonly kind: 'foreign' }
  /** A message without words (a picture, a file, or nothing at all); or a text that is too `long` for any question. */
  | { readonly kind: 'unreadable'; readonly long?: string }
  /** Keys of a telephone, whose meaning depends on what is open. */
  | { readonly kind: 'keys'; readonly keys: string }
  /** A request to repeat what was said last, in words or by a key. */
  | { readonly kind: 'repeat'; readonly text?: string }
  | { readonly kind: 'none' };

/** The longest text that is read. No answer needs more, and half of a long text may mean something else. */
const longest = 2000;

/** The longest text that is passed on to an agent, who reads more than a question takes. Every hub takes that much. */
export const longestPassedOn = 20_000;

/** Text in its plain form. Cut before normalising, which can make text eighteen times as long. */
const normal = (text: string, most = longest) =>
  westernDigits(
    text
      .slice(0, most + 1)
      .normalize('NFKC')
      .slice(0, most + 1),
  ).toWellFormed();

/** The customer's words in a turn, of any length. */
export const wordsIn = (input: Input): string | undefined =>
  input.kind === 'text' || input.kind === 'repeat' ? input.text : input.kind === 'unreadable' ? input.long : undefined;

/** Why a message could not be read, in words. */
export const unread = (t: Texts, { long }: Extract<Input, { kind: 'unreadable' }>): string =>
  long === undefined ? t('question.unreadable') : t('question.long', { max: longest });

/** Whether an activity is the click of an Action.Execute, which its channel wants answered. */
export const isCardInvoke = ({ type, name }: { readonly type?: string | undefined; readonly name?: string | undefined }) =>
  type === 'invoke' && name === 'adaptiveCard/action';

/** Whether a card that came into view asks to be refreshed; the customer has pressed nothing. */
export const isRefresh = ({ type, name, value }: Partial<Activity>): boolean =>
  isCardInvoke({ type, name }) && value?.action?.verb === 'refresh';

const digits = z
  .union([z.string(), z.number()])
  .transform(String)
  .pipe(z.string().regex(/^[\d*#]{1,40}$/));

/**
 * The keys that were pressed: AudioCodes sends them as an event (techdocs.audiocodes.com, "Receiving DTMF digits
 * notification"), Azure's telephony channel as a message that is marked as such
 * (github.com/microsoft/botframework-telephony, "DTMF").
 */
export const keysIn = ({ type, name, value, text, entities = [] }: Partial<Activity>): string | undefined => {
  if (type === 'event' && name === 'DTMF') return digits.safeParse(value).data;
  return type === 'message' && entities.some((entity) => entity.type === 'DTMF') ? digits.safeParse(text).data : undefined;
};

/** Reads an activity. A submit has a `value` and no text; both Action.Submit and Action.Execute are understood. */
export const readInput = (activity: Partial<Activity>, channel: ChannelProfile = channelOf(activity)): Input => {
  const { type, name, value } = activity;
  if (isRefresh(activity)) return { kind: 'none' };
  if (isCardInvoke({ type, name })) return readSubmit(value?.action?.data);
  const keys = channel.voice ? keysIn(activity) : undefined;
  if (keys !== undefined) return { kind: 'keys', keys };
  if (type !== 'message') return { kind: 'none' };
  if (value !== undefined && value !== null) return readSubmit(value);
  const typed = normal(typedIn(activity), longestPassedOn);
  if (typed.length > longest) return { kind: 'unreadable', long: typed };
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

/** The part of a turn that speaking needs. */
export interface Speaker {
  readonly context: TurnContext;
  readonly channel: ChannelProfile;
  readonly t: Texts;
  /** Begins the chat's first words with the sender's name, where nothing else shows it. */
  readonly introduce?: (words: string) => string;
  /** What the turn notes while it runs. */
  readonly notes?: {
    /** The bot's words, one line each. */
    readonly said: { readonly from: 'agent' | 'bot'; readonly text: string; readonly agent?: string }[];
    /** The customer's choice, in the words of the button. */
    picked?: string;
    /** Whether others may not read what the customer wrote. */
    secret: boolean;
  };
}

/** Options for a saying. */
export interface Extras {
  /** For pages and hubs that embed the chat. */
  readonly channelData?: object;
  /** A name for something said only once. Said again, it replaces the first where the channel can do that. */
  readonly deliveryKey?: string;
  /** Possible answers, shown as quick replies. */
  readonly quick?: readonly string[];
  /** The card is refreshed when the customer comes back to it, on channels that support it. */
  readonly refreshes?: boolean;
  /** Entities for the channel, sent along with the words. */
  readonly entities?: Activity['entities'];
  /** Worth a notification on the customer's devices, where the channel has them. */
  readonly alert?: boolean;
  /** Whether an answer follows: `expected` (to a question), `welcome`, or `later`, when more was said. */
  readonly answer?: 'expected' | 'welcome' | 'later';
}

const hints = { expected: InputHints.ExpectingInput, welcome: InputHints.AcceptingInput, later: InputHints.IgnoringInput } as const;

/** The words, in the channel's form. */
const wordsFor = ({ channel, introduce = (words) => words, t }: Speaker, saying: string | CardMessage): Partial<Activity> => {
  const written = typeof saying === 'string' ? saying : channel.updates ? saying.text : saying.still;
  if (channel.voice) {
    const { text, ssml } = asSpoken(typeof saying === 'string' ? saying : saying.speak, t);
    return { text, speak: ssml };
  }
  if (channel.segments) return { text: inSegments(introduce(written)) };
  return { text: t.direction === 'rtl' ? isolateNumbers(written) : written };
};

/** The card, in the channel's form. */
const cardFor = ({ channel, context }: Speaker, { card }: CardMessage, refreshes: boolean): object =>
  channel.universalActions ? universal(card, refreshes ? [context.activity.from.id] : []) : card;

/** A saying as an activity (decision 0018). */
export const asActivity = (
  speaker: Speaker,
  saying: string | CardMessage,
  { channelData, deliveryKey: name, quick = [], alert = false, refreshes = false, entities, answer = 'welcome' }: Extras = {},
): Partial<Activity> => {
  const { channel, notes, t } = speaker;
  const card = typeof saying !== 'string' && channel.cards ? saying : undefined;
  const data = {
    ...channelData,
    ...(alert && channel.alerts && { notification: { alert: true } }),
    ...(card && channel.webChat && { 'webchat:fallback-text': card.text }),
    // The page lets the customer keep the chat; what this answers is left out.
    ...(notes?.secret && channel.webChat && { answersSecret: true }),
    ...(name !== undefined && { deliveryKey: name }),
  };
  return {
    type: 'message',
    inputHint: hints[answer],
    locale: t.locale,
    ...(card
      ? { attachments: [CardFactory.adaptiveCard(cardFor(speaker, card, refreshes))], summary: card.summary, speak: card.speak }
      : { ...wordsFor(speaker, saying), textFormat: 'plain' }),
    ...(Object.keys(data).length > 0 && { channelData: data }),
    ...(entities && { entities }),
    ...quickReplies(quick),
  };
};

/** Says it; returns the activity's id, where the channel gives one. */
export const say = async (turn: Speaker, saying: string | CardMessage, extras?: Extras): Promise<string | undefined> => {
  // Only one line of a card: the rest may be for the customer alone.
  turn.notes?.said.push({ from: 'bot', text: unmarked(typeof saying === 'string' ? saying : saying.summary) });
  return (await turn.context.sendActivity(asActivity(turn, saying, extras)))?.id || undefined;
};

/**
 * Answers this turn's click with a saying that replaces the card, where the channel shows it there; returns whether
 * it does. A line replaces the card without any buttons. The last answer of a turn counts.
 */
export const answerClick = async (turn: Speaker, saying: string | CardMessage, { refreshes = false }: Extras = {}): Promise<boolean> => {
  if (!turn.channel.universalActions || !isCardInvoke(turn.context.activity)) return false;
  const value = cardFor(turn, typeof saying === 'string' ? record([saying], turn.t) : saying, refreshes);
  await turn.context.sendActivity(invokeResponse('application/vnd.microsoft.card.adaptive', value));
  return true;
};

const invokeResponse = (type: string, value: unknown): Partial<Activity> => ({
  type: 'invokeResponse',
  value: { status: 200, body: { statusCode: 200, type, value } },
});

/**
 * Answers a click that has no answer yet. If its effect is told in messages, a channel that requires an answer to
 * the click gets an empty one, and the card stays.
 */
export const endClick = async (context: TurnContext): Promise<void> => {
  if (isCardInvoke(context.activity) && !context.turnState.get(INVOKE_RESPONSE_KEY))
    await context.sendActivity(invokeResponse('application/vnd.microsoft.activity.message', ''));
};

/**
 * Refers a customer whom others can overhear to a private chat: with a link where the channel has one, and without
 * anything personal in either case.
 */
export const refuseShared = async (turn: Speaker): Promise<void> => {
  const { channel, context, t } = turn;
  const words = t('conversation.shared');
  const address = channel.privateChat?.(context.activity.recipient.id);
  const saying = address === undefined ? words : pointer(words, { title: t('conversation.privately'), address }, t);
  if (!(await answerClick(turn, saying))) await say(turn, saying);
};

/** Buttons below the message that say their own title; channels without them show nothing. */
const quickReplies = (titles: readonly string[]): Partial<Activity> =>
  titles.length === 0 ? {} : { suggestedActions: { to: [], actions: titles.map((title) => ({ type: 'imBack', title, value: title })) } };

/** Removes this turn's message, because it holds something that should not stay in a transcript. */
export const takeBack = async ({ context, channel, notes, services }: Speaker & { readonly services: CommonServices }): Promise<void> => {
  if (notes) notes.secret = true;
  const { id } = context.activity;
  if (!channel.removes || !id) return;
  try {
    await context.deleteActivity(id);
  } catch (fault) {
    services.log.warn({ ...faultFields(fault), operation: 'delete' }, 'a message could not be taken out of the chat');
  }
};
