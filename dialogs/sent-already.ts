// A request that was sent by a turn that failed before its state was stored: the chat still asks whether to send it.
import { type ConfirmAnswer, confirmQuestion } from './offer.ts';
import { pickedIn } from './question.ts';
import { type DialogContext, type DialogTurnResult, DialogTurnStatus } from './sdk.ts';
import { turnOf } from './turn.ts';

/**
 * Moves an app from the question whether to send to the wait, if its request was sent: otherwise a customer who
 * cancels now would be told that nothing was. Returns the result of the turn; `undefined` if what the customer said is
 * still to be read, by the dialog that is open now.
 */
export const catchUp = async (inner: DialogContext): Promise<DialogTurnResult | undefined> => {
  const open = inner.activeDialog;
  const id: string | undefined = inner.stack.at(0)?.state?.values?.interactionId;
  if (open?.id !== confirmQuestion.id || id === undefined) return undefined;
  const turn = turnOf(inner.context);
  if (!(await turn.services.interactions.get(id))) return undefined;
  const picked = pickedIn(turn, open.state);
  const result = await inner.endDialog('send' satisfies ConfirmAnswer);
  if (result.status !== DialogTurnStatus.waiting || inner.activeDialog?.id !== 'wait' || turn.input.kind === 'none') return result;
  // Its button means nothing to the wait.
  if (picked === ('cancel' satisfies ConfirmAnswer)) turn.input = { kind: 'text', text: turn.t('cards.buttons.cancel') };
  else if (picked !== undefined) return result;
  return undefined;
};
