// What can be said in the middle of any question: help, a person, stop, start over, or a different wish altogether.
import type { DialogContext } from 'botbuilder-dialogs';
import type { AppId } from '../src/contract/index.ts';
import { againQuestion, troubleQuestion } from './again.ts';
import { toAgent } from './agent.ts';
import type { AppEnding } from './app.ts';
import { pickedBy } from './question.ts';
import { appIn, commandIn } from './recogniser.ts';
import { say } from './say.ts';
import { turnOf } from './turn.ts';

export type Interruption = { readonly kind: 'handled' } | { readonly kind: 'ending'; readonly ending: AppEnding };

/** Questions that stand where the app's own way has ended: its name begins it anew. */
const afterwards: ReadonlySet<string> = new Set([againQuestion.id, troubleQuestion.id]);

/** What the typed words interrupt, if anything. A waiting card understands its own commands, and a question's choices always win. */
export const interruption = async (dc: DialogContext, current: AppId): Promise<Interruption | undefined> => {
  const turn = turnOf(dc.context);
  const open = innermost(dc);
  if (turn.input.kind !== 'text' || !open || open.id === 'wait') return undefined;
  if (pickedBy(turn.input.text, { choices: [], ...open.state })) return undefined;
  const command = commandIn(turn.input.text, turn.t);
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
      await say(turn, turn.t('help.nothingSent'));
      await dc.repromptDialog();
      return { kind: 'handled' };
    case 'cancel':
      return { kind: 'ending', ending: { kind: 'left', why: 'cancel' } };
    case 'restart':
      return { kind: 'ending', ending: { kind: 'left', why: 'restart' } };
    case undefined: {
      // Nothing has been sent yet, so another wish is simply followed.
      const wish = open.state.wordy ? undefined : appIn(turn.input.text, turn.t);
      return wish && (wish !== current || afterwards.has(open.id))
        ? { kind: 'ending', ending: { kind: 'switch', app: wish, options: {} } }
        : undefined;
    }
    default:
      return command satisfies never;
  }
};

/** The dialog that the customer is actually talking to. */
const innermost = (dc: DialogContext) => {
  let at: DialogContext = dc;
  while (at.child) at = at.child;
  return at.activeDialog;
};
