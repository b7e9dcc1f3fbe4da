// What a customer writes before an agent has joined: it is passed on, unless it can only be meant for the bot.

import type { DialogContext } from '../sdk.ts';
import { say, wordsIn } from '../turn/activities.ts';
import { innermost, type Turn } from '../turn/turn.ts';
import { isForBot, isUnderstood } from './for-bot.ts';
import { awaitsAgent, forward, isTooLong } from './live-agent.ts';

/**
 * Takes the customer's words as a note for whoever joins, and says so; `false` if they are for the bot. Apps then begin
 * only by their buttons and names. A question is asked first what it can read ({@link Question}), and a wait too.
 */
export const takesNote = async (dc: DialogContext, turn: Turn): Promise<boolean> => {
  const { input, person, t } = turn;
  if (person?.state !== 'requested') return false;
  const text = wordsIn(input);
  const open = innermost(dc);
  const isFree = open === undefined || open.id === 'menu';
  const quick = [t('cards.buttons.menu')];
  if (input.kind === 'unreadable') {
    if (text !== undefined && (await isTooLong(turn))) return true;
    // The words of a long text are among the lines that are passed on; a file is a message of its own.
    if (text === undefined || !awaitsAgent(turn)) {
      if (!(await forward(turn))) return false;
    }
    await say(turn, t(awaitsAgent(turn) ? 'agent.passedOn' : 'agent.messageAdded'), { quick });
    return true;
  }
  if (input.kind !== 'text' || text === undefined || !isFree || isForBot(dc, turn, text)) return false;
  if (awaitsAgent(turn)) await say(turn, t('agent.passedOn'), { quick });
  else if (isUnderstood(turn, text)) return false;
  else {
    await forward(turn);
    await say(turn, t('agent.messageAdded'), { quick });
  }
  return true;
};
