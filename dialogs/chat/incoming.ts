// Reads an incoming turn: the speaker, the language, and input that no dialog should see.

import type { Texts } from '../../cards/index.ts';
import type { News } from '../../src/interactions/index.ts';
import { behindDirectLine, type ChannelProfile, channelOf } from '../../src/platform/channels.ts';
import { fingerprint } from '../../src/platform/log.ts';
import { holdsCardNumber, withoutCardNumbers } from '../../src/platform/text/card-number.ts';
import { forgetCaller, gatewayIn } from '../asking/caller.ts';
import { isAddressed } from '../language/channel-text.ts';
import { commandIn } from '../language/recogniser.ts';
import { comparable, phrasesOf, wholly, wordsSaid } from '../language/words.ts';
import type { Activity, DialogState, TurnContext } from '../sdk.ts';
import { type Input, isCardInvoke, keysIn, readInput, refuseShared, say, takeBack } from '../turn/activities.ts';
import { entryIn, pressed } from '../turn/keys.ts';
import { changedTo, followChannel } from '../turn/language.ts';
import { type CallMemory, type ChannelMemory, isOwner, type Memory } from '../turn/memory.ts';
import type { CommonServices } from '../turn/services.ts';
import { isShared, openIn, type Services, type Turn } from '../turn/turn.ts';
import { endProofs } from '../turn/verified.ts';

/** How long (ms) a second click counts as a double click. After that the card is old, and the customer is told so. */
const doubling = 30_000;

/** Whether this is the second click of a double click whose first has already taken effect. */
const isDoubled = ({ memory, services }: Turn, click: string) =>
  memory.used?.click === click && services.clock.now() - memory.used.at < doubling;

/** Whether the owner of the chat is speaking and nobody else can read it. An activity without words passes. */
export const mayTalkIn = (memory: ChannelMemory, activity: Activity): boolean =>
  !speaks(activity) || (!isShared(activity) && isOwner(memory, activity));

/** Handles input no dialog should see: a double click, another person's words, a card number. True if it did. */
export const turnedAway = async (turn: Turn, mayTalk: boolean, askAgain: () => Promise<unknown>): Promise<boolean> => {
  if (turn.input.kind === 'none') return false;
  if (turn.input.kind === 'action' && isDoubled(turn, turn.input.click)) return true;
  if (!mayTalk) await referToPrivate(turn);
  else if (holdsCardNumber(saidIn(turn.context.activity))) {
    const masked = maskedFor(turn);
    if (masked) {
      turn.input = masked;
      await say(turn, turn.t(turn.channel.removes ? 'agent.cardNumber' : 'agent.cardNumberStays'), { answer: 'later' });
      return false;
    }
    await takeBack(turn);
    await say(turn, turn.t(turn.channel.removes ? 'conversation.cardNumber' : 'conversation.cardNumberStays'), { answer: 'later' });
    await askAgain();
  } else return false;
  return true;
};

/** How long (ms) a group that was referred to a private chat is not referred again. */
const referredFor = 3_600_000;

/** Refers to a private chat. A group is left alone, except for one answer an hour to members who address the bot. */
export const referToPrivate = async (turn: Turn): Promise<void> => {
  const { channel, context, memory, services } = turn;
  const { activity } = context;
  const isAnswered = channel.universalActions && isCardInvoke(activity);
  if (isShared(activity) && !isAnswered) {
    const now = services.clock.now();
    if (!isAddressed(activity) || now - (memory.referredAt ?? Number.NEGATIVE_INFINITY) < referredFor) return;
    memory.referredAt = now;
  }
  await refuseShared(turn);
};

/** Forgets a user who asks their channel for it. What is stored of requests is the operator's to erase. */
export const forgetUser = async (turn: Turn): Promise<void> => {
  const { context, memory, services } = turn;
  const [newest] = await services.interactions.inConversation(services.chatOf(context.activity).conversation, 1);
  forgetCaller(memory);
  endProofs(turn);
  const fields = { channel: context.activity.channelId, interaction: newest?.id };
  services.log.warn(fields, 'a user has asked the channel to delete their data; erase the customer of the interaction, if there is one');
};

/**
 * The words without card numbers, if a person will read them or they ask for one; what our own chat has stored of them
 * is masked too. `undefined`: they are for the bot, which has no use for the rest.
 */
const maskedFor = (turn: Turn): Input | undefined => {
  const { context, input } = turn;
  const { attachments, value } = context.activity;
  const text = input.kind === 'text' ? withoutCardNumbers(input.text) : '';
  if (!turn.services.agents?.state(turn) && commandIn(text, turn.t) !== 'agent') return undefined;
  if (holdsCardNumber([attachments, value])) return undefined;
  if (input.kind === 'text') return { kind: 'text', text };
  return input.kind === 'unreadable' && input.long !== undefined ? { ...input, long: withoutCardNumbers(input.long) } : undefined;
};

/** A turn, except for the work to do after it. */
export const readTurn = (
  services: Services,
  context: TurnContext,
  memory: Memory,
  dialogs: DialogState | undefined,
  news: News | undefined,
): Omit<Turn, 'afterwards'> => {
  const { activity } = context;
  // A proactive turn's address, with its language, dates from the time of the send.
  if (!news && activity.name !== 'ContinueConversation') followChannel(memory, activity);
  if (activity.localTimezone) memory.timeZone = activity.localTimezone;
  const gateway = news ? undefined : gatewayIn(activity);
  if (gateway) memory.gateway = gateway;
  const channel = memory.gateway ? behindDirectLine : channelOf(activity);
  const way = channel.voice ? 'heard' : channel.segments ? 'brief' : undefined;
  const textsIn = (locale: string) => services.textsFor(locale, memory.timeZone, way);
  const own = textsIn(memory.locale ?? '');
  const input = news ? ({ kind: 'none' } as const) : meant(activity, { memory, services }, dialogs, own, channel);
  const instead = input.kind === 'text' ? changedTo(input.text, dialogs, own, textsIn) : undefined;
  if (instead) memory.locale = instead.language;
  return {
    context,
    memory,
    news,
    services,
    t: instead ?? own,
    input,
    channel,
    introduce: introducing(memory, services),
  };
};

/** A phone number does not say who is writing. */
const introducing =
  (memory: ChannelMemory, { sender }: CommonServices) =>
  (words: string): string => {
    if (memory.introduced || sender === undefined) return words;
    memory.introduced = true;
    return words.includes(sender) ? words : `${sender}: ${words}`;
  };

/** The meaning of keys at this point of the dialogs; and on a phone, of words that ask for a repetition. */
const meant = (
  activity: Activity,
  { memory, services }: Pick<Turn, 'memory' | 'services'>,
  dialogs: DialogState | undefined,
  t: Texts,
  channel: ChannelProfile,
): Input => {
  const input = readInput(activity, channel);
  if (input.kind === 'keys') {
    const come = pressed(input.keys, memory, services.agents?.state({ memory }) ? 'choice' : entryIn(dialogs));
    return come.kind === 'person' ? { kind: 'text', text: phrasesOf(t, 'phrases.agent')[0] ?? '' } : come;
  }
  if (channel.voice && input.kind === 'text' && isHeardTwice(input.text, activity, memory, dialogs)) return { kind: 'none' };
  // Spoken input discards what was being keyed in.
  if (input.kind !== 'none') delete memory.keyed;
  const again =
    channel.voice &&
    input.kind === 'text' &&
    wholly(wordsSaid(input.text, t, ['phrases.please']), ['repeat'] as const, () => phrasesOf(t, 'phrases.repeat'));
  return again ? { kind: 'repeat', text: input.text } : input;
};

/** Whether a call's words were recognised twice: the same came before the question that is open now was asked. */
const isHeardTwice = (text: string, { timestamp }: Activity, memory: CallMemory, dialogs: DialogState | undefined): boolean => {
  const before = memory.heard;
  memory.heard = fingerprint(comparable(text));
  const { askedAt } = openIn(dialogs).at(-1)?.state ?? {};
  return memory.heard === before && timestamp !== undefined && new Date(timestamp).getTime() < askedAt;
};

/** Whether the customer says or presses something. */
const speaks = (activity: Activity) => activity.type === 'message' || isCardInvoke(activity) || keysIn(activity) !== undefined;

/** Everything a customer can put words into: the text, a card's inputs, and attachments. */
const saidIn = ({ text, value, attachments }: Partial<Activity>) => [text, value, attachments];

/** Whether a member other than the bot has joined. */
export const isArrival = ({ type, membersAdded, recipient }: Activity) =>
  type === 'conversationUpdate' && (membersAdded ?? []).some(({ id }) => id !== recipient?.id);

/** Whether the web chat was resumed in another tab (src/directline/turn-dispatcher.ts). */
export const isResumed = ({ type, name }: Activity) => type === 'event' && name === 'chat.resumed';
