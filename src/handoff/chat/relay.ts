// While an agent has the chat: messages go to the agent, the bot is silent, and either side can return to the bot.
import { goOnWithBot, innermost, isForWait, phrasesOf, say, takeBack, unread, wholly, wordsSaid } from '../../../dialogs/index.ts';
import { isPartOfCode } from '../../platform/text/possible-codes.ts';
import type { DialogContext } from '../sdk.ts';
import { answerFlow, endFlow } from './agent-flow.ts';
import { type AgentMemory, type AgentTurn, namedAgent, partWith } from './agent-turn.ts';
import { forward, isTooLong } from './report.ts';

/** Handles the customer's input while an agent has the chat. */
export const relayToAgent = async (dc: DialogContext, turn: AgentTurn): Promise<unknown> => {
  const { handoffs, input, memory, t } = turn;
  const answered = await answerFlow(dc, turn);
  if (answered) return endFlow(turn, answered);
  const agent = namedAgent(turn);
  if (input.kind === 'action' || input.kind === 'foreign') {
    return innermost(dc)?.id === 'wait' ? dc.continueDialog() : say(turn, t('agent.here', { agent }));
  }
  const { asked, ...person } = memory.person as NonNullable<AgentMemory['person']>;
  memory.person = person;
  if (input.kind === 'text') {
    const said = wordsSaid(input.text, t, ['phrases.please', 'phrases.courtesy']);
    const answer = wholly(said, ['yes', 'no', 'bot'] as const, (name) => phrasesOf(t, `phrases.${name}`));
    if (asked && (answer === 'yes' || answer === 'bot')) {
      turn.person = turn.person && (await handoffs?.end(turn.person.id, 'returned', 'customer'));
      partWith(turn);
      return goOnWithBot(dc, t('agent.returned'));
    }
    if (asked && answer === 'no') return say(turn, t('agent.stays', { agent }));
    if (answer === 'bot') {
      memory.person = { ...person, asked: true };
      return say(turn, t('agent.askReturn', { agent }), { quick: [t('cards.buttons.yes'), t('cards.buttons.no')] });
    }
    if (isForWait(dc, input.text)) {
      if (!isPartOfCode(input.text)) return dc.continueDialog();
      // The agent gets no part of a code either. It is no choice in the wait: the agent may have asked for a number.
      await takeBack(turn);
      return say(turn, t('passcode.notACode'));
    }
  }
  if ((await isTooLong(turn)) || (await forward(turn))) return undefined;
  return input.kind === 'unreadable' ? say(turn, unread(t, input)) : undefined;
};
