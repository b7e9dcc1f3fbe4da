// The dialog that the customer is actually talking to.
import type { DialogContext, DialogInstance } from './sdk.ts';

/** The one at the top of the innermost stack. */
export const innermost = (dc: DialogContext): DialogInstance | undefined => {
  let at: DialogContext = dc;
  while (at.child) at = at.child;
  return at.activeDialog;
};
