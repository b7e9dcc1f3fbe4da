// Commands that interrupt any question of an app or a flow, before the question is given the words: help, an agent, stop,
// start over, or a different wish altogether.

import { isAppId } from '../../src/contract/index.ts';
import type { AppEnding } from '../asking/app-dialog.ts';
import { isPlainRequest } from '../asking/for-bot.ts';
import { againQuestion, confirmQuestion, troubleQuestion } from '../asking/offer.ts';
import { remarkedOn } from '../asking/remarks.ts';
import { allowedWishesIn, inTurn, optionsFor } from '../asking/wishes.ts';
import { toAgent } from '../escalation/to-agent.ts';
import { isHardship } from '../language/hardship.ts';
import { parsePhoneNumber } from '../language/phone-number.ts';
import { bareCommandIn, commandIn } from '../language/recogniser.ts';
import type { DialogContext } from '../sdk.ts';
import { say } from '../turn/activities.ts';
import { lastInWords } from '../turn/memory.ts';
import { pickedAmong } from '../turn/question-state.ts';
import { awaitsAgent, innermost, type Turn, turnOf } from '../turn/turn.ts';

export type Interruption =
  | { readonly kind: 'handled' }
  | { readonly kind: 'ending'; readonly ending: AppEnding }
  /** The number was wrong; the right one, if it was given. */
  | { readonly kind: 'number'; readonly phoneNumber?: string };

/** Questions that follow the end of an app; naming the app begins it again. */
const afterwards: ReadonlySet<string> = new Set([againQuestion.id, troubleQuestion.id]);

/**
 * The interruption in the typed words, if any; `current` is the app or flow that asks. A wait has its own commands, and
 * a question's choices always win.
 */
export const interruption = async (dc: DialogContext, current: string): Promise<Interruption | undefined> => {
  const turn = turnOf(dc.context);
  const open = innermost(dc);
  if (turn.input.kind !== 'text' || !open) return undefined;
  const { text } = turn.input;
  // Politeness, like everything else that means nothing to the wait, is answered with its progress.
  if (open.id === 'wait') return (await remarkedOn(turn, ['no', 'greeting', 'thanks'])) ? { kind: 'handled' } : undefined;
  if (pickedAmong(turn, text, open.state)) return undefined;
  // If the question takes free text, or a person will read it, only words that are nothing but a command count as one.
  const command = open.state.wordy || awaitsAgent(turn) ? bareCommandIn(text, turn.t) : commandIn(text, turn.t);
  switch (command) {
    case 'help':
      await say(turn, turn.t('help.question'), { answer: 'later' });
      await dc.repromptDialog();
      return { kind: 'handled' };
    case 'agent': {
      const escalation = { ...(isAppId(current) && { app: current }), reason: 'asked' } as const;
      // Who cannot pay is not asked on for a payment.
      if (isHardship(text, turn.t)) return { kind: 'ending', ending: { kind: 'agent', escalation } };
      await toAgent(turn, escalation);
      if (!turn.offered) await dc.repromptDialog();
      return { kind: 'handled' };
    }
    case 'status':
    case 'resend':
      await say(turn, sentSoFar(turn, open.id), { answer: 'later' });
      await dc.repromptDialog();
      return { kind: 'handled' };
    case 'cancel':
      // If something has been sent, the bot cannot say that nothing was.
      return { kind: 'ending', ending: { kind: 'left', why: open.id === againQuestion.id ? 'menu' : 'cancel' } };
    case 'restart':
      return { kind: 'ending', ending: { kind: 'left', why: 'restart' } };
    case 'number':
      return anotherNumber(turn, text);
    case undefined: {
      if (open.state.wordy) return undefined;
      const another = anotherNumber(turn, text);
      const namesCustomer = open.id === confirmQuestion.id || open.state.options?.choosing !== undefined;
      if (namesCustomer && another.phoneNumber !== undefined) return another;
      // “No” may be the answer to the question.
      if (await remarkedOn(turn, ['no'], 'later')) {
        await dc.repromptDialog();
        return { kind: 'handled' };
      }
      // Other sentences may be meant for the person who is awaited.
      if (awaitsAgent(turn) && !isPlainRequest(turn, text)) return undefined;
      // Nothing has been sent yet, so the new wish is simply followed.
      const flow = turn.services.flows?.wishIn(turn, text);
      if (flow && flow.flow !== current) return { kind: 'ending', ending: { kind: 'flow', wish: flow } };
      const wishes = allowedWishesIn(text, turn);
      if (wishes.every(({ app }) => app === current) && !(wishes.length > 0 && afterwards.has(open.id))) return undefined;
      const wish = await inTurn(turn, wishes);
      return wish && { kind: 'ending', ending: { kind: 'switch', app: wish.app, options: optionsFor(turn, wish) } };
    }
    default:
      return command satisfies never;
  }
};

const anotherNumber = ({ services }: Turn, text: string): Extract<Interruption, { kind: 'number' }> => {
  const phoneNumber = parsePhoneNumber(text, services.defaultRegion);
  return { kind: 'number', ...(phoneNumber !== undefined && { phoneNumber }) };
};

/** The state of the current request while a question is open: not sent, unless the question follows its end. */
const sentSoFar = (turn: Turn, question: string): string => {
  const last = lastInWords(turn);
  if (last === undefined) return turn.t('help.nothingSent');
  return question === againQuestion.id ? last : turn.t('help.notThis', { last });
};
