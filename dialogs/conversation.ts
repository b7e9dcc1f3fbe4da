// A whole chat: the menu, the apps it begins, the news that arrive in between, and the menu again.
import { appIds } from '../src/contract/index.ts';
import type { News } from '../src/interactions/index.ts';
import { holdsCardNumber } from '../src/platform/card-number.ts';
import { endVerification } from '../src/verification/index.ts';
import { channelOf, isCardInvoke, readInput, say, takeBack, unread } from './activities.ts';
import { AppComponent } from './app-component.ts';
import type { AppDialog, AppEnding } from './app-dialog.ts';
import { appDialogs } from './apps.ts';
import { inTurn, nextWish, optionsFor, remarkOn, signOut } from './interruption.ts';
import { changedTo, followChannel } from './language.ts';
import { forgetCaller } from './lookup.ts';
import { type ChatState, isOwner, type Memory } from './memory.ts';
import { type MenuAnswer, type MenuOptions, menuQuestion } from './menu.ts';
import { isHandBack, toAgent } from './offer.ts';
import { deliverOutcome } from './outcome.ts';
import { makeQuestion } from './question.ts';
import { commandIn, remarkIn, type Wish, wishesIn } from './recogniser.ts';
import {
  type Activity,
  type DialogContext,
  DialogContextError,
  type DialogState,
  type DialogTurnResult,
  DialogTurnStatus,
  type TurnContext,
} from './sdk.ts';
import { carryTurn, isShared, makeStacks, type Services, type Turn, turnOf } from './turn.ts';

export interface ConversationTurn {
  readonly context: TurnContext;
  /** What is kept of the chat; the turn changes it in place, and whoever called saves it. */
  readonly state: ChatState;
  /** Set in a proactive turn. */
  readonly news?: News;
}

/** Runs one turn of a chat; answers what is left to do when its state has been saved. */
export type Conversation = (turn: ConversationTurn) => Promise<() => Promise<void>>;

/** The bot as this package ships it: the menu over the five apps. Flows of one's own begin the apps' dialogs directly. */
export const makeConversation = (services: Services): Conversation => {
  const stacks = makeStacks([makeQuestion(menuQuestion), ...appIds.map((app) => new AppComponent(appDialogs[app] as AppDialog))]);

  const converse = async ({ context, state, news }: ConversationTurn, afterwards: Turn['afterwards']): Promise<void> => {
    state.memory ??= {};
    const outdated = stacks.dropOutdated(state);
    const mayTalk = mayTalkIn(state.memory, context.activity);
    // Nothing that others say is kept, their language for one.
    const memory = mayTalk ? state.memory : { ...state.memory };
    const turn = { ...readTurn(services, context, memory, state.dialogs, news), afterwards };
    carryTurn(turn);
    const dc = await stacks.open(context, state);
    if (outdated) await say(turn, turn.t('conversation.outdated'));
    if (news) return hearNews(dc, turn, news);
    // Whoever had the chat in between, has joined it or goes on with it may be somebody else.
    if (isArrival(context.activity) || isHandBack(context.activity) || isResumed(context.activity))
      endVerification(turn.memory, services.clock.now());
    if (isArrival(context.activity)) return greet(dc, turn);
    if (context.activity.type === 'endOfConversation') return leave(dc, turn);
    if (turn.input.kind === 'none') return;
    if (await turnedAway(turn, mayTalk, async () => dc.activeDialog && dc.repromptDialog())) return;
    if (turn.input.kind === 'text' && remarkIn(turn.input.text, turn.t) === 'goodbye') return signOut(dc, turn);
    await (dc.activeDialog ? proceed(dc, turn, await dc.continueDialog()) : open(dc, turn));
  };
  return async (turn) => {
    const afterwards: Turn['afterwards'] = [];
    try {
      await converse(turn, afterwards);
      if (isCardInvoke(turn.context.activity)) await turn.context.sendActivity(cardInvokeTaken);
      return async () => {
        for (const act of afterwards) await act();
      };
    } catch (fault) {
      // The SDK wraps what a dialog throws. Whoever runs the turn decides by what it was: a chat that is gone, a post that failed.
      throw fault instanceof DialogContextError && fault.error instanceof Error ? fault.error : fault;
    }
  };
};

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
  if (!news) followChannel(memory, activity);
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

const greet = async (dc: DialogContext, turn: Turn) => {
  if (isShared(turn.context.activity)) await say(turn, turn.t('conversation.shared'));
  else if (!dc.activeDialog) await showMenu(dc, turn.t('conversation.welcome'));
};

/** Somebody says or presses something. */
const speaks = (activity: Activity) => activity.type === 'message' || isCardInvoke(activity);

/**
 * The other side has ended the conversation: nothing is said into it. What was sent goes on, and its outcome is told
 * if the chat still takes it.
 */
const leave = async (dc: DialogContext, { memory, services }: Turn) => {
  await dc.cancelAllDialogs();
  endVerification(memory, services.clock.now());
};

/** Whatever a customer can put words into: the text, a card's inputs, and what is attached. */
const saidIn = ({ text, value, attachments }: Partial<Activity>) => [text, value, attachments];

/** Someone other than the bot has joined. */
const isArrival = ({ type, membersAdded, recipient }: Activity) =>
  type === 'conversationUpdate' && (membersAdded ?? []).some(({ id }) => id !== recipient?.id);

/** Our own web chat is gone on with in another tab (src/directline/turn-dispatcher.ts). */
const isResumed = ({ type, name }: Activity) => type === 'event' && name === 'chat.resumed';

/** A chat without an open question: what was said may already be the wish. */
const open = async (dc: DialogContext, turn: Turn) => {
  if (turn.input.kind === 'text') {
    const { text } = turn.input;
    const person = commandIn(text, turn.t) === 'agent';
    if (person) await toAgent(turn, { reason: 'asked' });
    const answer = remarkOn(turn, text);
    // A greeting is answered by ours.
    if (answer !== undefined && remarkIn(text, turn.t) !== 'greeting') await say(turn, answer);
    const wish = person ? undefined : await inTurn(turn, wishesIn(text, turn.t));
    if (wish) return proceed(dc, turn, await beginWish(dc, turn, wish));
  }
  if (turn.input.kind === 'unreadable') return showMenu(dc, unread(turn.t, turn.input));
  return showMenu(dc, turn.t('conversation.welcome'));
};

/** The first menu of a chat explains itself; later ones are brief. */
const showMenu = (dc: DialogContext, greeting?: string) => {
  const { memory } = turnOf(dc.context);
  const brief = memory.greeted ?? false;
  memory.greeted = true;
  delete memory.wishes;
  return dc.beginDialog('menu', { brief, ...(greeting !== undefined && { greeting }) } satisfies MenuOptions);
};

const beginWish = (dc: DialogContext, turn: Turn, wish: Wish | undefined): Promise<DialogTurnResult> =>
  wish ? dc.beginDialog(wish.app, optionsFor(turn, wish)) : showMenu(dc);

/** Goes on after a dialog ended, until one waits again. */
const proceed = async (dc: DialogContext, turn: Turn, result: DialogTurnResult): Promise<void> => {
  let current = result;
  while (current.status === DialogTurnStatus.complete) current = await next(dc, turn, current.result);
  if (current.status === DialogTurnStatus.empty) await showMenu(dc);
};

const next = async (dc: DialogContext, turn: Turn, ended: MenuAnswer | AppEnding | undefined): Promise<DialogTurnResult> => {
  switch (ended?.kind) {
    case 'wishes':
      return beginWish(dc, turn, await inTurn(turn, ended.wishes));
    // Whoever takes back the first of several wishes may want to think about the others too.
    case 'ended':
      return beginWish(dc, turn, ended.interaction.outcome?.status === 'success' ? await nextWish(turn) : undefined);
    case 'switch':
      return dc.beginDialog(ended.app, ended.options);
    case 'agent':
      await toAgent(turn, ended.escalation);
      return showMenu(dc);
    case 'left':
      return afterLeaving(dc, turn, ended.why);
    default:
      return showMenu(dc);
  }
};

const afterLeaving = async (dc: DialogContext, turn: Turn, why: Extract<AppEnding, { kind: 'left' }>['why']) => {
  switch (why) {
    case 'cancel':
      return showMenu(dc, turn.t('conversation.nothingSent'));
    case 'restart':
      forgetCaller(turn.memory);
      endVerification(turn.memory, turn.services.clock.now());
      return showMenu(dc, turn.t('conversation.restarted'));
    case 'menu':
      return showMenu(dc);
    default:
      return why satisfies never;
  }
};

/** News go to the dialog that waits for them. An outcome that nobody waits for any more is told all the same, and disturbs nothing. */
const hearNews = async (dc: DialogContext, turn: Turn, { kind, interaction }: News): Promise<void> => {
  const result = dc.activeDialog ? await dc.continueDialog() : undefined;
  if (kind === 'outcome') await deliverOutcome(turn, interaction);
  if (result?.status === DialogTurnStatus.complete) await proceed(dc, turn, result);
};
