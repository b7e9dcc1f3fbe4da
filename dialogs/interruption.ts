// What can be said in the middle of any question: help, a person, stop, start over, or a different wish altogether.
import type { DialogContext } from 'botbuilder-dialogs';
import type { AppId } from '../src/contract/index.ts';
import { againQuestion, troubleQuestion } from './again.ts';
import { toAgent } from './agent.ts';
import type { AppEnding } from './app-dialog.ts';
import { lastInWords } from './last.ts';
import { pickedBy } from './question.ts';
import { bareCommandIn, commandIn, type Remark, remarkIn, wishesIn } from './recogniser.ts';
import { remarkOn } from './remarks.ts';
import { say } from './say.ts';
import { type Turn, turnOf } from './turn.ts';
import { inTurn, optionsFor } from './wishes.ts';

export type Interruption = { readonly kind: 'handled' } | { readonly kind: 'ending'; readonly ending: AppEnding };

/** Questions that stand where the app's own way has ended: its name begins it anew. */
const afterwards: ReadonlySet<string> = new Set([againQuestion.id, troubleQuestion.id]);

/** What the typed words interrupt, if anything. A waiting card understands its own commands, and a question's choices always win. */
export const interruption = async (dc: DialogContext, current: AppId): Promise<Interruption | undefined> => {
  const turn = turnOf(dc.context);
  const open = innermost(dc);
  if (turn.input.kind !== 'text' || !open) return undefined;
  const { text } = turn.input;
  // Good manners, like all that means nothing to the wait, is answered with how far it is.
  if (open.id === 'wait') return (await remarkedOn(turn, ['no', 'greeting', 'thanks'])) ? { kind: 'handled' } : undefined;
  if (pickedBy(text, { choices: [], ...open.state })) return undefined;
  // Where any words may be the answer, only those that are nothing but a command are one.
  const command = open.state.wordy ? bareCommandIn(text, turn.t) : commandIn(text, turn.t);
  switch (command) {
    case 'help':
      await say(turn, turn.t('help.question'));
      await dc.repromptDialog();
      return { kind: 'handled' };
    case 'agent':
      await toAgent(turn, { app: current, reason: 'asked' });
      await dc.repromptDialog();
      return { kind: 'handled' };
    case 'status':
    case 'resend':
      await say(turn, (afterwards.has(open.id) && lastInWords(turn)) || turn.t('help.nothingSent'));
      await dc.repromptDialog();
      return { kind: 'handled' };
    case 'cancel':
      return { kind: 'ending', ending: { kind: 'left', why: 'cancel' } };
    case 'restart':
      return { kind: 'ending', ending: { kind: 'left', why: 'restart' } };
    case undefined: {
      if (open.state.wordy) return undefined;
      // "No" may be the answer to what is asked.
      if (await remarkedOn(turn, ['no'])) {
        await dc.repromptDialog();
        return { kind: 'handled' };
      }
      // Nothing has been sent yet, so another wish is simply followed.
      const wishes = wishesIn(text, turn.t);
      if (wishes.every(({ app }) => app === current) && !(wishes.length > 0 && afterwards.has(open.id))) return undefined;
      const wish = await inTurn(turn, wishes);
      return wish && { kind: 'ending', ending: { kind: 'switch', app: wish.app, options: optionsFor(turn, wish) } };
    }
    default:
      return command satisfies never;
  }
};

/** Whether the words were a remark, other than some, which is then answered. */
const remarkedOn = async (turn: Turn, but: readonly Remark[]): Promise<boolean> => {
  if (turn.input.kind !== 'text') return false;
  const remark = remarkIn(turn.input.text, turn.t);
  const answer = remark && but.includes(remark) ? undefined : remarkOn(turn, turn.input.text);
  if (answer !== undefined) await say(turn, answer);
  return answer !== undefined;
};

/** The dialog that the customer is actually talking to. */
const innermost = (dc: DialogContext) => {
  let at: DialogContext = dc;
  while (at.child) at = at.child;
  return at.activeDialog;
};
