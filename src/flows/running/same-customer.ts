// Keeps a flow with the customer whom it has verified: nobody else finishes it (decision 0156).
import { say, type Turn } from '../../../dialogs/index.ts';
import type { StepOf } from '../grammar/schema.ts';
import { freshIn } from './app-steps.ts';
import type { RunState } from './run-state.ts';

/** From now on the flow is about this customer alone, who has just been verified. */
export const bindTo = (customerRef: string, { memory: { endedAt } }: Turn, state: RunState): void => {
  delete state.lost;
  state.verified = { customerRef, ...(endedAt !== undefined && { endedAt }) };
};

/**
 * Whether the flow may still count on the customer whom it has verified, if it has: since then, no verification has
 * been ended in the chat. One that has merely become old still counts, since what a flow sends may take long.
 * `customerRef`: the customer who did something in it.
 */
const isSameCustomer = ({ memory }: Turn, { lost, verified }: RunState, customerRef = verified?.customerRef): boolean =>
  !lost && (verified === undefined || (verified.endedAt === memory.endedAt && verified.customerRef === customerRef));

/** The same; if it may not, the customer is told so once. */
export const goesOn = async (turn: Turn, state: RunState, customerRef?: string): Promise<boolean> => {
  if (isSameCustomer(turn, state, customerRef)) return true;
  if (!state.lost) await say(turn, turn.t('flows.changed'), { answer: 'later' });
  state.lost = true;
  delete state.caller;
  return false;
};

/** Whether a `verify` step is passed by a verification that the chat already has. */
export const isPassed = (turn: Turn, step: StepOf<'verify'>, state: RunState): boolean => {
  const proof = freshIn(turn, step, state.caller?.customerRef);
  if (!proof) return false;
  const { phoneNumber, customerRef } = proof;
  if (phoneNumber !== undefined) state.caller = { phoneNumber, customerRef };
  bindTo(customerRef, turn, state);
  return true;
};

/** How the flow ends, and with which outputs. It never succeeds for anybody but the customer whom it has verified. */
export const resultOf = <Status extends string, Gives extends object>(turn: Turn, state: RunState, status: Status, gives: Gives) =>
  status !== 'success' || isSameCustomer(turn, state) ? ([status, gives] as const) : (['failure', {}] as const);
