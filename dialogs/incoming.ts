// A turn as it comes in: who speaks, in which language, and what no dialog is asked about.
import { actIn } from '../src/handoff/index.ts';
import type { News } from '../src/interactions/index.ts';
import { holdsCardNumber } from '../src/platform/card-number.ts';
import { channelOf, isCardInvoke, readInput, say, takeBack } from './activities.ts';
import { changedTo, followChannel } from './language.ts';
import { isOwner, type Memory } from './memory.ts';
import type { Activity, DialogState, TurnContext } from './sdk.ts';
import { isShared, type Services, type Turn } from './turn.ts';

/** The effect of a card's button is told in messages, so a channel that asks for an answer to the click itself gets an empty one. */
export const cardInvokeTaken = {
  type: 'invokeResponse',
  value: { status: 200, body: { statusCode: 200, type: 'application/vnd.microsoft.activity.message', value: '' } },
};

/** How long (ms) after a click the same one counts as its second half; later somebody has scrolled up to an old card, and is told so. */
const doubling = 30_000;

/** The second click of a doubled one has had its effect. */
const isDoubled = ({ memory, services }: Turn, click: string) =>
  memory.used?.click === click && services.clock.now() - memory.used.at < doubling;

/** Whether what is said comes from the one whose chat it is, and nobody else reads it. What says nothing comes from anybody. */
export const mayTalkIn = (memory: Memory, activity: Activity): boolean =>
  !speaks(activity) || (!isShared(activity) && isOwner(memory, activity));

/** What no dialog is asked about: a click that has had its effect, what others say, and the number of a card. Answers whether it was one of these. */
export const turnedAway = async (turn: Turn, mayTalk: boolean, askAgain: () => Promise<unknown>): Promise<boolean> => {
  if (turn.input.kind === 'none') return false;
  if (turn.input.kind === 'action' && isDoubled(turn, turn.input.click)) return true;
  if (!mayTalk) await say(turn, turn.t('conversation.shared'));
  else if (holdsCardNumber(saidIn(turn.context.activity))) {
    await takeBack(turn);
    await say(turn, turn.t(turn.channel.removes ? 'conversation.cardNumber' : 'conversation.cardNumberStays'));
    await askAgain();
  } else return false;
  return true;
};

/** A turn, but for what is done after it. */
export const readTurn = (
  services: Services,
  context: TurnContext,
  memory: Memory,
  dialogs: DialogState | undefined,
  news: News | undefined,
): Omit<Turn, 'afterwards'> => {
  const { activity } = context;
  // A proactive turn's address is from the time of the send, and so is the language in it.
  if (!news && !actIn(context)) followChannel(memory, activity);
  if (activity.localTimezone) memory.timeZone = activity.localTimezone;
  const textsIn = (locale: string) => services.textsFor(locale, memory.timeZone);
  const input = news ? ({ kind: 'none' } as const) : readInput(activity);
  const own = textsIn(memory.locale ?? '');
  const instead = input.kind === 'text' ? changedTo(input.text, dialogs, own, textsIn) : undefined;
  if (instead) memory.locale = instead.language;
  return {
    context,
    memory,
    news,
    services,
    t: instead ?? own,
    input,
    channel: channelOf(activity),
  };
};

/** Somebody says or presses something. */
const speaks = (activity: Activity) => activity.type === 'message' || isCardInvoke(activity);

/** Whatever a customer can put words into: the text, a card's inputs, and what is attached. */
const saidIn = ({ text, value, attachments }: Partial<Activity>) => [text, value, attachments];
