// What follows when a dialog of the chat has ended (another wish, another app, a flow, an agent, or the menu), or was
// dropped because another version wrote it (decision 0153).
import type { AppId } from '../../src/contract/index.ts';
import type { AppEnding, AppOptions } from '../asking/app-dialog.ts';
import { forgetCaller } from '../asking/caller.ts';
import { afterFlow, inTurn, nextWish, optionsFor, wishesLeft } from '../asking/wishes.ts';
import { toAgent } from '../escalation/to-agent.ts';
import { endSkill, skillEnd } from '../hosts/skill.ts';
import type { Wish } from '../language/recogniser.ts';
import { type DialogContext, type DialogState, type DialogTurnResult, DialogTurnStatus } from '../sdk.ts';
import { say } from '../turn/activities.ts';
import type { FlowEnding } from '../turn/offered-flows.ts';
import { hasAgent, innermost, isSkill, type Turn, turnOf } from '../turn/turn.ts';
import { endProofs } from '../turn/verified.ts';
import type { MenuAnswer, MenuOptions } from './menu.ts';

/** The first menu of a chat explains itself; later ones are brief. */
export const showMenu = async (dc: DialogContext, greeting?: string): Promise<DialogTurnResult> => {
  const { channel, memory, offered, t } = turnOf(dc.context);
  if (offered) return { status: DialogTurnStatus.waiting };
  const brief = memory.greeted ?? false;
  memory.greeted = true;
  delete memory.wishes;
  const keys = t('speech.keys');
  const welcome = !brief && channel.voice && greeting !== undefined ? `${greeting} ${keys}` : greeting;
  return dc.beginDialog('menu', { brief, ...(welcome !== undefined && { greeting: welcome }) } satisfies MenuOptions);
};

/** Offers the remaining wishes after the customer has left one of several. */
const askForRest = (dc: DialogContext, unsent: boolean) => dc.beginDialog('rest', { unsent });

/** Begins the app of a wish; without one, the menu. */
export const beginWish = (dc: DialogContext, turn: Turn, wish: Wish | undefined): Promise<DialogTurnResult> =>
  wish ? beginApp(dc, turn, wish.app, optionsFor(turn, wish)) : showMenu(dc);

/** A stored wish or an old button may name an app that has been hidden since. */
const beginApp = (dc: DialogContext, { services }: Turn, app: AppId, options: AppOptions): Promise<DialogTurnResult> =>
  services.apps.includes(app) ? dc.beginDialog(app, options) : showMenu(dc);

/** Returns the chat to the bot: sent requests are still waited for, and everything else begins at the menu. */
export const goOnWithBot = async (dc: DialogContext, greeting: string): Promise<unknown> => {
  const turn = turnOf(dc.context);
  if (innermost(dc)?.id === 'wait') return say(turn, greeting);
  await dc.cancelAllDialogs();
  return isSkill(turn) ? endSkill(dc, turn, { status: 'agent' }) : showMenu(dc, greeting);
};

/** Asks what was asked before; the menu, if nothing was. */
export const askAgain = (dc: DialogContext): Promise<unknown> => (dc.activeDialog ? dc.repromptDialog() : showMenu(dc));

/** Continues after a dialog has ended, until one waits again. */
export const proceed = async (dc: DialogContext, turn: Turn, result: DialogTurnResult): Promise<void> => {
  // While an agent has the chat, only dialogs that the agent began ask questions.
  if (hasAgent(turn)) return turn.services.agents?.ended(turn, result);
  let current = result;
  while (current.status === DialogTurnStatus.complete) {
    const end = isSkill(turn) ? skillEnd(turn, current.result) : undefined;
    if (end) return endSkill(dc, turn, end);
    current = await nextDialog(dc, turn, current.result);
  }
  if (current.status === DialogTurnStatus.empty) await showMenu(dc);
};

/** Begins what follows an ending. */
export const nextDialog = async (
  dc: DialogContext,
  turn: Turn,
  ended: MenuAnswer | AppEnding | FlowEnding | undefined,
): Promise<DialogTurnResult> => {
  switch (ended?.kind) {
    case 'wishes':
      return beginWish(dc, turn, await inTurn(turn, ended.wishes));
    case 'next':
      return beginWish(dc, turn, await nextWish(turn));
    case 'ended':
    case 'flow-ended':
      if ((ended.kind === 'ended' ? ended.interaction.outcome : ended)?.status === 'success')
        return beginWish(dc, turn, await nextWish(turn));
      return wishesLeft(turn) ? askForRest(dc, false) : showMenu(dc);
    case 'all':
      return dc.beginDialog('menu');
    case 'flow':
      await afterFlow(turn, ended.wish);
      return dc.beginDialog('flow', ended.wish);
    case 'switch':
      return beginApp(dc, turn, ended.app, ended.options);
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
      return wishesLeft(turn) ? askForRest(dc, true) : showMenu(dc, turn.t('conversation.nothingSent'));
    case 'restart':
      forgetCaller(turn.memory);
      endProofs(turn);
      return showMenu(dc, turn.t('conversation.restarted'));
    case 'menu':
      return wishesLeft(turn) ? askForRest(dc, false) : showMenu(dc);
    default:
      return why satisfies never;
  }
};

/** Tells everybody in the chat that its open dialogs are gone, and counts the end of a flow among them. */
export const reportDropped = async (turn: Turn, dropped: DialogState): Promise<void> => {
  const ending = turn.services.flows?.dropped(turn.context, dropped);
  await turn.services.agents?.ended(turn, { status: DialogTurnStatus.complete, result: ending });
  if (!hasAgent(turn)) await say(turn, turn.t('conversation.outdated'), { answer: 'later' });
};

/**
 * Takes the turn, and ends a root bot's action whose dialogs were dropped: nothing else would tell the root bot. Outcomes
 * and the root bot's own events come first, since it may begin or end something itself; words were an answer to what is
 * gone.
 */
export const endDropped = async (dc: DialogContext, turn: Turn, dropped: object | undefined, take: () => Promise<void>): Promise<void> => {
  if (!dropped || !isSkill(turn)) return take();
  if (turn.context.activity.type !== 'message') await take();
  if (dc.activeDialog || hasAgent(turn) || turn.memory.skill?.over) return;
  await endSkill(dc, turn, { status: 'failure', reason: 'outdated' });
};
