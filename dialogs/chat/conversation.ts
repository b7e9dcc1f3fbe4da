// A whole chat: the menu, the apps it begins, news that arrives in between, and the menu again. The conversation leads:
// `take` gives a turn to the first that it concerns, from top to bottom, and what is left to the open dialog. An app asks
// `interruption` before its question reads the words. What a dialog ends with comes back to `proceed`, which begins the
// next one. Dialogs never call the conversation.
import { appIds } from '../../src/contract/index.ts';
import type { News } from '../../src/interactions/index.ts';
import { AppComponent } from '../apps/app-component.ts';
import { appDialogs } from '../apps/apps.ts';
import type { AppDialog } from '../asking/app-dialog.ts';
import { gatewayIn } from '../asking/caller.ts';
import { makeQuestion } from '../asking/question.ts';
import { remarkOn, signOut } from '../asking/remarks.ts';
import { allowedWishesIn, inTurn } from '../asking/wishes.ts';
import { toAgent } from '../escalation/to-agent.ts';
import { endSkill, handleRoot, isTooLate, notUnderstood } from '../hosts/skill.ts';
import { commandIn, remarkIn } from '../language/recogniser.ts';
import { type DialogContext, DialogTurnStatus } from '../sdk.ts';
import { answerClick, endClick, isRefresh, say, unread } from '../turn/activities.ts';
import { handleRating } from '../turn/rating.ts';
import { causeOf, makeStacks, type StoredTurn } from '../turn/stacks.ts';
import { asksForWords, carryTurn, hasAgent, innermost, isShared, isSkill, type Services, type Turn } from '../turn/turn.ts';
import { endProofs, showVerification } from '../turn/verified.ts';
import { deliverOutcome, mentionUnheard } from '../waiting/outcome.ts';
import { forgetUser, isArrival, isResumed, mayTalkIn, readTurn, referToPrivate, turnedAway } from './incoming.ts';
import { menuQuestion, restQuestion } from './menu.ts';
import { beginWish, endDropped, nextDialog, proceed, reportDropped, showMenu } from './next-dialog.ts';

/** Runs one turn of a chat; returns what is left to do once its state has been saved. */
export type Conversation = (turn: StoredTurn) => Promise<() => Promise<void>>;

/** The bot as this package ships it: the menu over the five apps. Other flows begin the apps' dialogs directly. */
export const makeConversation = (services: Services): Conversation => {
  const stacks = makeStacks(
    [
      makeQuestion(menuQuestion),
      makeQuestion(restQuestion),
      ...appIds.map((app) => new AppComponent(appDialogs[app] as AppDialog)),
      ...(services.flows ? [services.flows.dialog] : []),
    ],
    services.log,
  );

  const converse = async ({ context, state, news, without }: StoredTurn, afterwards: Turn['afterwards']): Promise<void> => {
    state.memory ??= {};
    // What the open question was is not known any more, so nobody else may read the answer.
    const notes = { said: [], secret: without !== undefined || asksForWords(state.dialogs) };
    const dropped = stacks.dropOutdated(state, without);
    const mayTalk = mayTalkIn(state.memory, context.activity);
    // Nothing from other speakers is stored, not even their language.
    const memory = mayTalk ? state.memory : { ...state.memory };
    const turn = { ...readTurn(services, context, memory, state.dialogs, news), afterwards, notes };
    carryTurn(turn);
    const dc = await stacks.open(context, state);
    const run = async () => {
      if (dropped) await reportDropped(turn, dropped);
      await endDropped(dc, turn, dropped, () => take(dc, turn, mayTalk));
      await showVerification(turn);
    };
    const running = await (services.agents?.beside(dc, turn, run) ?? run());
    if (memory.referredAt !== undefined) state.memory.referredAt = memory.referredAt;
    if (running) state.running = running;
  };

  const take = async (dc: DialogContext, turn: Turn, mayTalk: boolean): Promise<void> => {
    const { context, news } = turn;
    const { activity } = context;
    if (news) return hearNews(dc, turn, news);
    if (await services.agents?.acts(dc, turn)) return;
    // Whoever joins the chat, or resumes it elsewhere, may be a different person.
    if (isArrival(activity) || isResumed(activity)) endProofs(turn);
    if (activity.type !== 'message' && (await handleRating(turn))) return;
    const root = isSkill(turn);
    if (root && (await handleRoot(dc, turn, { leave: () => leave(dc, turn), proceed: (result) => proceed(dc, turn, result) }))) return;
    if (isArrival(activity)) return hasAgent(turn) ? undefined : greet(dc, turn);
    if (gatewayIn(activity)) return dc.activeDialog ? dc.repromptDialog() : greet(dc, turn);
    if (activity.type === 'endOfConversation') return leave(dc, turn);
    if (activity.type === 'deleteUserData') return forgetUser(turn);
    if (mayTalk && isRefresh(activity) && innermost(dc)?.id === 'wait') await dc.continueDialog();
    // A message without words may still be a file for the agent.
    if (turn.input.kind === 'none') return;
    if (await turnedAway(turn, mayTalk, async () => !hasAgent(turn) && dc.activeDialog && dc.repromptDialog())) return;
    const goodbye = turn.input.kind === 'text' && remarkIn(turn.input.text, turn.t) === 'goodbye';
    // Signing out ends the verification even if an agent has the chat.
    if (goodbye && hasAgent(turn)) endProofs(turn);
    else if (goodbye) {
      await services.agents?.leave(turn);
      await signOut(dc, turn);
      return root && !dc.activeDialog ? endSkill(dc, turn, { status: 'left', why: 'cancel' }) : undefined;
    }
    if (await services.agents?.takes(dc, turn)) return;
    if (turn.input.kind === 'repeat' && dc.activeDialog) return dc.repromptDialog();
    await (dc.activeDialog ? proceed(dc, turn, await dc.continueDialog()) : open(dc, turn));
  };
  return async (turn) => {
    const afterwards: Turn['afterwards'] = [];
    try {
      await converse(turn, afterwards);
      await endClick(turn.context);
      return async () => {
        for (const act of afterwards) await act();
      };
    } catch (fault) {
      throw causeOf(fault);
    }
  };
};

const greet = async (dc: DialogContext, turn: Turn) => {
  if (isShared(turn.context.activity)) return referToPrivate(turn);
  if (dc.activeDialog) return;
  await mentionUnheard(turn);
  await showMenu(dc, turn.t('conversation.welcome'));
};

/**
 * The other side has ended the conversation, so nothing is said. Open requests go on, and their outcome is delivered
 * if the chat still takes it.
 */
const leave = async (dc: DialogContext, turn: Turn) => {
  await dc.cancelAllDialogs();
  endProofs(turn);
  await turn.services.agents?.leave(turn);
};

/** No question is open, so the first words may already be the wish. */
const open = async (dc: DialogContext, turn: Turn) => {
  const skill = isSkill(turn);
  // Whatever was begun here before is over.
  if (skill) turn.memory.skill = {};
  if (turn.input.kind === 'text') {
    const { text } = turn.input;
    const person = commandIn(text, turn.t) === 'agent';
    if (person && skill) return endSkill(dc, turn, { status: 'agent', reason: 'asked' });
    if (person) await toAgent(turn, { reason: 'asked' });
    // A greeting is answered by the bot's greeting.
    const answer = remarkIn(text, turn.t) === 'greeting' ? undefined : remarkOn(turn, text);
    if (answer !== undefined) await say(turn, answer, { answer: 'later' });
    const flow = person ? undefined : turn.services.flows?.wishIn(turn, text);
    if (flow) return proceed(dc, turn, await nextDialog(dc, turn, { kind: 'flow', wish: flow }));
    const wish = person || remarkIn(text, turn.t) ? undefined : await inTurn(turn, allowedWishesIn(text, turn));
    if (wish) return proceed(dc, turn, await beginWish(dc, turn, wish));
    if (answer !== undefined && turn.channel.segments && !skill) return showMenu(dc);
  }
  if (skill) return notUnderstood(dc, turn);
  if (turn.input.kind === 'unreadable') return showMenu(dc, unread(turn.t, turn.input));
  await answerClick(turn, turn.t('question.stale'));
  return showMenu(dc, turn.t('conversation.welcome'));
};

/** Passes news to the dialog that waits for it. An outcome that no dialog waits for is still delivered. */
const hearNews = async (dc: DialogContext, turn: Turn, news: News): Promise<void> => {
  if (isSkill(turn) && (await isTooLate(turn, news))) return;
  const { kind, interaction } = news;
  const result = dc.activeDialog ? await dc.continueDialog() : undefined;
  if (kind === 'outcome') await deliverOutcome(turn, interaction);
  if (result?.status === DialogTurnStatus.complete) await proceed(dc, turn, result);
};
