// A request that was sent by a turn that failed before its state was stored: the chat still asks whether to send it.
import type { Values } from '../asking/app-dialog.ts';
import { type ConfirmAnswer, confirmQuestion } from '../asking/offer.ts';
import { type DialogContext, type DialogTurnResult, DialogTurnStatus } from '../sdk.ts';
import { pickedIn, type QuestionState } from '../turn/question-state.ts';
import { turnOf } from '../turn/turn.ts';

/**
 * Moves an app from the question whether, or what, to send to the wait, if its request was sent: otherwise a customer who
 * cancels now would be told that nothing was. Returns the result of the turn; `undefined` if what the customer said is
 * still to be read, by the dialog that is open now.
 */
export const catchUp = async (inner: DialogContext): Promise<DialogTurnResult | undefined> => {
  const open = inner.activeDialog;
  const values: Values | undefined = inner.stack.at(0)?.state?.values;
  const asks = open?.id === confirmQuestion.id || (values?.atOnce && open?.state.options?.choosing !== undefined);
  if (!open || !asks || values?.interactionId === undefined) return undefined;
  const turn = turnOf(inner.context);
  const sent = await turn.services.interactions.get(values.interactionId);
  if (!sent) return undefined;
  const picked = pickedIn(turn, open.state);
  // What was sent is what was chosen, however long ago.
  values.foundAt = turn.services.clock.now();
  const chosen = (open.state as QuestionState).choices.find(({ value }) => Object.values(sent.request).includes(value as never));
  const result = await inner.endDialog(open.id === confirmQuestion.id ? ('send' satisfies ConfirmAnswer) : chosen?.value);
  if (result.status !== DialogTurnStatus.waiting || inner.activeDialog?.id !== 'wait' || turn.input.kind === 'none') return result;
  // Its button means nothing to the wait.
  if (picked === ('cancel' satisfies ConfirmAnswer) || Object(picked).instead === 'cancel')
    turn.input = { kind: 'text', text: turn.t('cards.buttons.cancel') };
  else if (picked !== undefined) return result;
  return undefined;
};
