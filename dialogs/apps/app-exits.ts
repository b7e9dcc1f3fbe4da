// Ways out of an app's steps: it ends without a request, or begins again.
import type { AppId } from '../../src/contract/index.ts';
import type { AppEnding, Values } from '../asking/app-dialog.ts';
import type { AfterAnswer } from '../asking/offer.ts';
import type { Escalation } from '../escalation/case.ts';
import type { DialogTurnResult } from '../sdk.ts';
import { say } from '../turn/activities.ts';
import { turnOf } from '../turn/turn.ts';
import { type AppStep, boundTo, knownOptions, settled } from './gathered.ts';
import { anew, forAnother } from './lookup.ts';

export const leave = (step: AppStep, why: Extract<AppEnding, { kind: 'left' }>['why']): Promise<DialogTurnResult> =>
  step.endDialog({ kind: 'left', why } satisfies AppEnding);

/** Ends with the customer's wish, or need, for a person. */
export const escalate = (step: AppStep, app: AppId, reason: Escalation['reason']): Promise<DialogTurnResult> =>
  step.endDialog({ kind: 'agent', escalation: { app, reason } } satisfies AppEnding);

/** Begins again with another number, and so perhaps for another customer; an app that is bound to one ends. */
export const renumber = (step: AppStep, values: Values, phoneNumber?: string): Promise<DialogTurnResult> =>
  boundTo(step) === undefined
    ? step.replaceDialog('steps', forAnother(turnOf(step.context), step.options, values, phoneNumber))
    : leave(step, 'menu');

/** Asks again, because the chosen thing is no longer offered. */
export const askAnew = async (step: AppStep): Promise<DialogTurnResult> => {
  const turn = turnOf(step.context);
  await say(turn, turn.t('question.changed'), { answer: 'later' });
  return step.replaceDialog('steps', knownOptions(step.values as Values));
};

/** Goes on after an ending, as the customer answered. `otherWay`: an app that does the same in another way. */
export const afterEnding = async (step: AppStep, app: AppId, otherWay: AppId | undefined): Promise<DialogTurnResult> => {
  const values = step.values as Values;
  switch (step.result as AfterAnswer) {
    case 'again':
      return step.replaceDialog('steps', anew(turnOf(step.context), values));
    case 'onward':
      return step.replaceDialog('steps', { ...settled(values), ...(values.next !== undefined && { confirmed: values.next }) });
    case 'agent':
      return escalate(step, app, 'trouble');
    case 'menu':
      return leave(step, 'menu');
    default:
      return otherWay
        ? step.endDialog({ kind: 'switch', app: otherWay, options: knownOptions(values) } satisfies AppEnding)
        : leave(step, 'menu');
  }
};
