// The apps' dialogs in other bots: from the inputs given to the options of a dialog, and from an interaction to the result.
import type { Interaction } from '../../src/interactions/index.ts';
import type { AppOptions } from '../asking/app-dialog.ts';
import type { TurnContext } from '../sdk.ts';
import { turnOf } from '../turn/turn.ts';
import { isVerifiedFor } from '../turn/verified.ts';
import type { CallerOptions, GuestOptions, GuestOutcome } from './guest-types.ts';

/** How an interaction ended, for other programs. */
export const outcomeOf = (context: TurnContext, interaction: Interaction): GuestOutcome => {
  const { app, customerRef, id: interactionId, outcome, refusal, requestId, state } = interaction;
  const said = { app, interactionId, customerRef };
  if (!outcome)
    return state === 'refused' ? { ...said, status: 'refused', ...(refusal && { code: refusal }) } : { ...said, status: 'unknown' };
  const verified = isVerifiedFor(turnOf(context), customerRef);
  const { result, status } = outcome;
  return { ...said, status, verified, ...(requestId !== undefined && { requestId }), ...(result && { result }) };
};

export const appOptionsOf = (
  given: (CallerOptions & GuestOptions['document-signature'] & GuestOptions['payments'] & GuestOptions['e-form']) | undefined,
): AppOptions => {
  const { phoneNumber, customerRef, bound, documentId, productId, formId, variables } = given ?? {};
  const chosen = documentId ?? productId ?? formId;
  return {
    ...(phoneNumber !== undefined && { phoneNumber }),
    ...(customerRef !== undefined && { customerRef }),
    ...(bound && { bound }),
    ...(chosen !== undefined && { before: { chosen, ...(variables && { filled: variables }) } }),
  };
};
