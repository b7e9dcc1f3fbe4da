// The apps and designers' flows as dialogs of other bots, with typed options and typed outcomes.

import {
  AppComponent,
  type AppDialog,
  type AppEnding,
  appDialogs,
  appOptionsOf,
  callerIn,
  deliverOutcome,
  type FlowEnding,
  type Flows,
  type FlowWish,
  type GuestDialogs,
  type GuestFlowOptions,
  type GuestFlowOutcome,
  type GuestOptions,
  type GuestOutcome,
  interactionIn,
  type Memory,
  makeTexts,
  outcomeOf,
  turnOf,
} from '../../dialogs/index.ts';
import {
  type ConversationState,
  type Dialog,
  type DialogContext,
  type DialogTurnResult,
  DialogTurnStatus,
  type StatePropertyAccessor,
  type TurnContext,
} from '../compose/bot/sdk.ts';
import { type AppId, appIds } from '../contract/index.ts';
import type { Interaction, News } from '../interactions/index.ts';
import { GuestDialog, type GuestHost, readGuestTurn } from './guest-dialog.ts';

/** This package's property in the bot's conversation state. */
export const guestMemory = (state: ConversationState): StatePropertyAccessor<Memory> => state.createProperty('countersign');

/** An app for any bot: a dialog with the app's identifier. */
class GuestApp<Id extends AppId = AppId> extends GuestDialog<GuestOptions[Id]> {
  readonly #app: Id;

  constructor(app: Id, host: GuestHost) {
    super(app, host);
    this.#app = app;
    for (const each of appIds) this.addDialog(new AppComponent(appDialogs[each] as AppDialog));
  }

  protected override left(why: 'menu' | 'shared'): GuestOutcome {
    return { status: 'left', app: this.#app, why };
  }

  protected override async onBeginDialog(inner: DialogContext, options?: GuestOptions[Id]): Promise<DialogTurnResult> {
    return this.#proceed(inner, this.#app, undefined, await inner.beginDialog(this.#app, appOptionsOf(options)));
  }

  protected override async onContinueDialog(inner: DialogContext): Promise<DialogTurnResult> {
    const app = (inner.activeDialog?.id ?? this.#app) as AppId;
    return this.#proceed(inner, app, interactionIn(inner.activeDialog), await inner.continueDialog());
  }

  /**
   * Goes on with the app the customer was led to, or ends. `last` is the interaction that was open before this turn.
   */
  async #proceed(inner: DialogContext, app: AppId, last: string | undefined, result: DialogTurnResult): Promise<DialogTurnResult> {
    let [current, ending] = [app, result];
    while (ending.status === DialogTurnStatus.complete && (ending.result as AppEnding | undefined)?.kind === 'switch') {
      const to = ending.result as Extract<AppEnding, { kind: 'switch' }>;
      current = to.app;
      ending = await inner.beginDialog(current, to.options);
    }
    if (ending.status !== DialogTurnStatus.complete) return ending;
    return { ...ending, result: await this.#outcome(inner.context, current, last, ending.result as AppEnding) };
  }

  async #outcome(context: TurnContext, app: AppId, last: string | undefined, ending: AppEnding): Promise<GuestOutcome> {
    const turn = turnOf(context);
    if (ending.kind === 'ended') return outcomeOf(context, ending.interaction);
    const before = last === undefined ? undefined : await turn.services.interactions.get(last);
    const then = ending.kind === 'agent' ? 'agent' : 'left';
    // A request that did not succeed says more than the fact that they left.
    if (before && isOver(before)) return { ...outcomeOf(context, before), then } as GuestOutcome;
    if (ending.kind === 'agent') return { status: 'agent', app, reason: ending.escalation.reason };
    return { status: 'left', app, why: ending.kind === 'left' ? ending.why : 'menu' };
  }
}

/** Delivers an outcome that no dialog waited for, unless the chat already has it. */
export const deliverAnyway = async (host: GuestHost, context: TurnContext, { interaction, kind }: News): Promise<void> => {
  if (kind === 'outcome') await deliverOutcome(turnOf(context) ?? (await readGuestTurn(host, context)), interaction);
};

const isOver = ({ outcome, state }: Interaction) => outcome !== undefined || !['intended', 'waiting'].includes(state);

/** The apps as dialogs of a bot. */
export const makeGuestDialogs = (host: GuestHost): GuestDialogs =>
  Object.fromEntries(appIds.map((app) => [app, new GuestApp(app, host)])) as unknown as GuestDialogs;

/** A designer's flow for any bot: begun with its inputs, ended with its outputs. */
class GuestFlow extends GuestDialog<GuestFlowOptions> {
  readonly #flow: string;

  constructor(flow: string, host: GuestHost, { dialog }: Flows) {
    super(flow, host);
    this.#flow = flow;
    this.addDialog(dialog);
  }

  protected override left(why: 'menu' | 'shared'): GuestFlowOutcome {
    return { status: 'left', flow: this.#flow, why };
  }

  protected override async onBeginDialog(
    inner: DialogContext,
    { phoneNumber, customerRef, inputs = {} }: GuestFlowOptions = {},
  ): Promise<DialogTurnResult> {
    const wish: FlowWish = { flow: this.#flow, words: '', inputs, ...callerIn(phoneNumber, customerRef) };
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
    // The bot may begin what the customer wished for instead.
    return { status: 'left', flow, why: ending.kind === 'left' ? ending.why : 'menu' };
  }
}

/** Flows as dialogs of a bot, by name. */
export const makeGuestFlows = (host: GuestHost, flows: Flows): Readonly<Record<string, Dialog<GuestFlowOptions>>> =>
  Object.fromEntries(flows.described(makeTexts('en')).map(({ flow }) => [flow, new GuestFlow(flow, host, flows)]));
