// A message for agents who are not there: the offer to leave one, and the customer's answer to it; and what a customer
// writes before an agent has joined, which is passed on unless it can only be meant for the bot.
import { notice } from '../../../cards/index.ts';
import {
  answerClick,
  askAgain,
  awaitsAgent,
  bareCommandIn,
  bareRemarkIn,
  innermost,
  isForBot,
  isUnderstood,
  phrasesOf,
  pickedBy,
  say,
  wholly,
  wordsIn,
  wordsSaid,
} from '../../../dialogs/index.ts';
import { withoutSecrets } from '../../platform/text/possible-codes.ts';
import type { DialogContext } from '../sdk.ts';
import type { AgentMemory, AgentTurn } from './agent-turn.ts';
import { forward, isTooLong } from './report.ts';
import { requestAgent } from './request.ts';

const buttons = { leave: 'cards.buttons.message', back: 'cards.buttons.back' } as const;

/**
 * Says that no agent is coming, and offers to take a message for later. The next words are the message; the offer stands
 * until it is answered, and nothing else is asked in this turn.
 */
export const offerMessage = async (turn: AgentTurn, sentence: string): Promise<void> => {
  const { channel, memory, services, t } = turn;
  const ids = { leave: services.newId(), back: services.newId() };
  const actions = (['leave', 'back'] as const).map((name, index) => ({
    title: `${channel.cards ? '' : `${index + 1}. `}${t(buttons[name])}`,
    id: ids[name],
  }));
  memory.message = ids;
  turn.offered = true;
  await say(turn, notice({ title: sentence, text: t('agent.leaveMessage'), actions }, t), { answer: 'expected' });
};

/** The button or words that answer the offer; `undefined`: something else. */
const pressed = ({ channel, input, t }: AgentTurn, offer: NonNullable<AgentMemory['message']>): 'leave' | 'back' | undefined => {
  const ids = typeof offer === 'object' ? offer : undefined;
  if (input.kind === 'action') return input.id === ids?.leave ? 'leave' : input.id === ids?.back ? 'back' : undefined;
  if (input.kind !== 'text') return undefined;
  const choices = [
    { title: t(buttons.leave), value: 'leave', phrases: 'phrases.leaveMessage' },
    { title: t(buttons.back), value: 'back', phrases: 'phrases.bot' },
  ] as const;
  const numbered = channel.cards || ids?.asked ? 0 : choices.length;
  const said = wordsSaid(input.text, t, ['phrases.please', 'phrases.courtesy']);
  if (wholly(said, ['back'] as const, () => phrasesOf(t, 'phrases.no')) || bareCommandIn(input.text, t) === 'cancel') return 'back';
  return pickedBy(input.text, { choices, numbered }, t)?.value;
};

/**
 * Takes the answer to the offer of leaving a message, and the message itself; `false` if there is no offer, or the input
 * is about something else. The offer ends when it is answered.
 */
export const takesMessage = async (dc: DialogContext, turn: AgentTurn): Promise<boolean> => {
  const { input, memory, notes, services, t } = turn;
  const offer = memory.message;
  if (offer === undefined) return false;
  const answer = pressed(turn, offer);
  if (input.kind === 'action') {
    delete memory.message;
    if (!answer) return false;
    const title = t(buttons[answer]);
    memory.used = { click: input.click, at: services.clock.now() };
    if (notes) notes.picked = title;
    await answerClick(turn, t('question.chosen', { choice: title }));
  }
  if (answer === 'leave') {
    memory.message = { leave: '', back: '', asked: true };
    await say(turn, t('agent.askMessage'), { answer: 'expected' });
    return true;
  }
  if (answer === 'back') {
    delete memory.message;
    await askAgain(dc);
    return true;
  }
  if (input.kind === 'repeat') {
    await say(turn, t('agent.leaveMessage'), { answer: 'expected' });
    return true;
  }
  const text = wordsIn(input);
  if (text === undefined) return false;
  if (input.kind === 'text' && isForBot(dc, turn, text)) {
    // Thanks and the like leave it open.
    if (bareRemarkIn(text, t) === undefined) delete memory.message;
    return false;
  }
  if (await isTooLong(turn)) return true;
  delete memory.message;
  await requestAgent(turn, { reason: 'message' }, 'welcome', withoutSecrets(text));
  return true;
};

/**
 * Takes the customer's words as a note for whoever joins, and says so; `false` if they are for the bot. Apps then begin
 * only by their buttons and names. A question is asked first what it can read ({@link Question}), and a wait too.
 */
export const takesNote = async (dc: DialogContext, turn: AgentTurn): Promise<boolean> => {
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
