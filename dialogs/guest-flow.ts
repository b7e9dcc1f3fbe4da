// A designer's flow as a dialog of somebody else's bot: begun with its inputs, ended with its outputs.
import type { AppEnding } from './app-dialog.ts';
import { GuestDialog, type GuestHost } from './guest-dialog.ts';
import type { GuestFlowOptions, GuestFlowOutcome } from './guest-types.ts';
import type { FlowEnding, Flows, FlowWish } from './offered-flows.ts';
import { type Dialog, type DialogContext, type DialogTurnResult, DialogTurnStatus } from './sdk.ts';
import { makeTexts } from './texts.ts';

class GuestFlow extends GuestDialog<GuestFlowOptions> {
  readonly #flow: string;

  constructor(flow: string, host: GuestHost, { dialog }: Flows) {
    super(flow, host);
    this.#flow = flow;
    this.addDialog(dialog);
  }

  protected override refused(): GuestFlowOutcome {
    return { status: 'left', flow: this.#flow, why: 'shared' };
  }

  protected override async onBeginDialog(
    inner: DialogContext,
    { phoneNumber, customerRef, inputs = {} }: GuestFlowOptions = {},
  ): Promise<DialogTurnResult> {
    const caller = phoneNumber === undefined ? {} : { caller: { phoneNumber, ...(customerRef !== undefined && { customerRef }) } };
    const wish: FlowWish = { flow: this.#flow, words: '', inputs, ...caller };
    return this.#ended(await inner.beginDialog('flow', wish));
  }

  protected override async onContinueDialog(inner: DialogContext): Promise<DialogTurnResult> {
    return this.#ended(await inner.continueDialog());
  }

  #ended(result: DialogTurnResult): DialogTurnResult {
    if (result.status !== DialogTurnStatus.complete) return result;
    return { ...result, result: this.#outcome(result.result as FlowEnding | AppEnding) };
  }

  #outcome(ending: FlowEnding | AppEnding): GuestFlowOutcome {
    const flow = this.#flow;
    if (ending.kind === 'flow-ended') return { status: ending.status === 'handoff' ? 'agent' : ending.status, flow, gives: ending.gives };
    if (ending.kind === 'agent') return { status: 'agent', flow, gives: {} };
    // What they wished for instead is the bot's to begin.
    return { status: 'left', flow, why: ending.kind === 'left' ? ending.why : 'menu' };
  }
}

/** Flows as dialogs of a bot, by name. */
export const makeGuestFlows = (host: GuestHost, flows: Flows): Readonly<Record<string, Dialog<GuestFlowOptions>>> =>
  Object.fromEntries(flows.described(makeTexts('en')).map(({ flow }) => [flow, new GuestFlow(flow, host, flows)]));
