// Recipes over the apps' dialogs, for other bots: plain ComponentDialogs with typed options and outcomes.
import type { CallerOptions, GuestDialogs, GuestOptions, GuestOutcome } from '../../dialogs/index.ts';
import {
  ComponentDialog,
  Dialog,
  type DialogContext,
  type DialogInstance,
  type DialogReason,
  type DialogTurnResult,
} from '../compose/bot/sdk.ts';
import type { VerifyingAppId } from '../contract/index.ts';

/** The result of {@link verifyThen}: that of the dialog behind it, or why it was not begun. */
export type VerifyThenOutcome<Result> =
  | { readonly verified: true; readonly customerRef: string; readonly result: Result }
  | { readonly verified: false; readonly outcome: GuestOutcome<VerifyingAppId> };

export interface VerifyThenOptions {
  /** The apps, from `createDialogs`. */
  readonly dialogs: Pick<GuestDialogs, VerifyingAppId>;
  /** How customers prove who they are; those who cannot are led to another way. Default: `passkeys`. */
  readonly by?: VerifyingAppId;
}

/** `again`: a customer who has just set up a passkey is asked once to use it. */
type Kept = { options: CallerOptions; again?: boolean; customerRef?: string };

/** Runs the two dialogs, one after the other. */
class VerifyFirst<Options extends CallerOptions> extends Dialog<Options> {
  readonly #by: VerifyingAppId;
  readonly #then: string;

  constructor(by: VerifyingAppId, then: string) {
    super('verify-then');
    this.#by = by;
    this.#then = then;
  }

  override async beginDialog(dc: DialogContext, options?: Options): Promise<DialogTurnResult> {
    Object.assign(kept(dc), { options: { ...options } } satisfies Kept);
    return this.#verify(dc);
  }

  override async resumeDialog(dc: DialogContext, _reason: DialogReason, result?: unknown): Promise<DialogTurnResult> {
    const state = kept(dc);
    const { customerRef } = state;
    if (customerRef !== undefined) return dc.endDialog({ verified: true, customerRef, result } satisfies VerifyThenOutcome<unknown>);
    const outcome = result as GuestOutcome<VerifyingAppId>;
    if (outcome.status === 'success' && outcome.verified) {
      state.customerRef = outcome.customerRef;
      return dc.beginDialog(this.#then, { ...state.options, customerRef: outcome.customerRef, bound: true });
    }
    if (outcome.status === 'success' && !state.again) {
      state.again = true;
      state.options = { ...state.options, customerRef: outcome.customerRef };
      return this.#verify(dc);
    }
    return dc.endDialog({ verified: false, outcome } satisfies VerifyThenOutcome<unknown>);
  }

  #verify(dc: DialogContext): Promise<DialogTurnResult> {
    const { phoneNumber, customerRef } = kept(dc).options;
    const caller = { ...(phoneNumber !== undefined && { phoneNumber }), ...(customerRef !== undefined && { customerRef }) };
    return dc.beginDialog(this.#by, caller satisfies CallerOptions);
  }
}

const kept = (dc: DialogContext): Kept => (dc.activeDialog as DialogInstance).state;

/**
 * A dialog named `id` that begins another only once the customer is verified: an app, a flow, or a dialog of
 * yours, with the same options and the customer. It ends with a {@link VerifyThenOutcome}.
 */
export const verifyThen = <Options extends CallerOptions>(
  id: string,
  next: Dialog<Options>,
  { dialogs, by = 'passkeys' }: VerifyThenOptions,
): ComponentDialog<Options> => {
  const component = new ComponentDialog<Options>(id);
  component.addDialog(new VerifyFirst<Options>(by, next.id));
  component.addDialog(dialogs[by]);
  if (next.id !== by) component.addDialog(next);
  return component;
};

/** The result of {@link settleBill}. */
export type SettleBillOutcome =
  | {
      readonly paid: true;
      readonly product: string;
      /** In major units of `currency`, ISO 4217. */
      readonly amount: number;
      readonly currency: string;
      readonly customerRef: string;
      readonly interactionId: string;
    }
  | { readonly paid: false; readonly verified: boolean; readonly outcome: GuestOutcome };

class SettleBill extends ComponentDialog<GuestOptions['payments']> {
  protected override async endComponent(outer: DialogContext, result: unknown): Promise<DialogTurnResult> {
    return outer.endDialog(receiptOf(result as VerifyThenOutcome<GuestOutcome>));
  }
}

const receiptOf = (ended: VerifyThenOutcome<GuestOutcome>): SettleBillOutcome => {
  if (!ended.verified) return { paid: false, verified: false, outcome: ended.outcome };
  const outcome = ended.result;
  if ('customerRef' in outcome && outcome.customerRef !== ended.customerRef) return { paid: false, verified: false, outcome };
  if (outcome.status !== 'success' || outcome.result?.app !== 'payments') return { paid: false, verified: true, outcome };
  const { customerRef, interactionId, result } = outcome;
  const { amount = 0, currency = '', product = '' } = result;
  return { paid: true, product, amount, currency, customerRef, interactionId };
};

/** Verifies, takes the payment, and ends with a receipt: a {@link SettleBillOutcome}. */
export const settleBill = (
  id: string,
  options: VerifyThenOptions & { readonly dialogs: GuestDialogs },
): ComponentDialog<GuestOptions['payments']> => {
  const component = new SettleBill(id);
  component.addDialog(verifyThen('verified', options.dialogs.payments, options));
  return component;
};
