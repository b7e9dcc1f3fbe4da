// The apps as dialogs of somebody else's bot: begun with typed options, ended with a typed outcome.
import { type AppId, appIds } from '../src/contract/index.ts';
import type { Interaction, News } from '../src/interactions/index.ts';
import { requireVerified } from '../src/verification/index.ts';
import { endClick, refuseShared } from './activities.ts';
import { AppComponent } from './app-component.ts';
import { type AppDialog, type AppEnding, type AppOptions, interactionIn } from './app-dialog.ts';
import { appDialogs } from './apps.ts';
import type { CallerOptions, GuestDialogs, GuestOptions, GuestOutcome } from './guest-types.ts';
import { mayTalkIn, readTurn, turnedAway } from './incoming.ts';
import type { Memory } from './memory.ts';
import { deliverOutcome } from './outcome.ts';
import {
  type BotState,
  ComponentDialog,
  type DialogContext,
  type DialogInstance,
  type DialogReason,
  type DialogTurnResult,
  DialogTurnStatus,
  type StatePropertyAccessor,
  TurnContext,
} from './sdk.ts';
import { carryTurn, isShared, type Services, turnOf } from './turn.ts';

/** What the dialogs find in the bot they are guests of. */
export interface GuestHost {
  /** Told at each turn; throws before the listener has started. */
  readonly services: () => Services;
  /** What a chat remembers of us. */
  readonly memory: StatePropertyAccessor<Memory>;
}

/** The property of the bot's conversation state that is ours. */
export const guestMemory = (state: BotState): StatePropertyAccessor<Memory> => state.createProperty('countersign');

const newsKey = Symbol('news');

/** Puts news where the dialogs of this turn find them. */
export const carryNews = (context: TurnContext, news: News): void => {
  context.turnState.set(newsKey, news);
};

/** An app for any bot: a dialog with the app's identifier, unless another is given. */
class GuestDialog<Id extends AppId = AppId> extends ComponentDialog<GuestOptions[Id]> {
  readonly #app: Id;
  readonly #host: GuestHost;

  constructor(app: Id, host: GuestHost, id: string = app) {
    super(id);
    this.#app = app;
    this.#host = host;
    for (const each of appIds) this.addDialog(new AppComponent(appDialogs[each] as AppDialog));
  }

  override async beginDialog(outer: DialogContext, options?: GuestOptions[Id]): Promise<DialogTurnResult> {
    const turn = await this.#read(outer.context, outer);
    // What others can read is no place for a customer's affairs.
    if (isShared(outer.context.activity)) {
      await refuseShared(turn);
      return outer.endDialog({ status: 'left', app: this.#app, why: 'shared' } satisfies GuestOutcome);
    }
    if (options?.phoneNumber !== undefined) turn.memory.vouchedFor = options.phoneNumber;
    return super.beginDialog(outer, options);
  }

  override async continueDialog(outer: DialogContext): Promise<DialogTurnResult> {
    const turn = await this.#read(outer.context, outer);
    const reprompt = () => this.repromptDialog(outer.context, outer.activeDialog as DialogInstance);
    const away = await turnedAway(turn, mayTalkIn(turn.memory, outer.context.activity), reprompt);
    const result = away ? { status: DialogTurnStatus.waiting } : await super.continueDialog(outer);
    for (const act of turn.afterwards.splice(0)) await act();
    await endClick(outer.context);
    return result;
  }

  override async resumeDialog(outer: DialogContext, reason: DialogReason, result?: unknown): Promise<DialogTurnResult> {
    await this.#read(outer.context, outer);
    return super.resumeDialog(outer, reason, result);
  }

  override async repromptDialog(context: TurnContext, instance: DialogInstance): Promise<void> {
    await this.#read(context);
    return super.repromptDialog(context, instance);
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

  /** The turn, read once in a turn of the bot. */
  async #read(context: TurnContext, outer?: DialogContext) {
    const carried = turnOf(context);
    if (carried) return carried;
    return readGuestTurn(this.#host, context, outer);
  }
}

/** Reads a turn of the bot as our dialogs see it. */
const readGuestTurn = async ({ memory, services }: GuestHost, context: TurnContext, outer?: DialogContext) => {
  const memoryOf = await memory.get(context, {});
  // Nothing that others say is kept.
  const kept = mayTalkIn(memoryOf, context.activity) ? memoryOf : { ...memoryOf };
  const news: News | undefined = context.turnState.get(newsKey);
  const stack = outer && { dialogStack: outer.stack };
  const turn = { ...readTurn(services(), context, kept, stack, news), afterwards: [] };
  carryTurn(turn);
  return turnOf(context);
};

/** Tells an outcome that no dialog waited for, unless it has been told. */
export const tellAnyway = async (host: GuestHost, context: TurnContext, { interaction, kind }: News): Promise<void> => {
  if (kind === 'outcome') await deliverOutcome(turnOf(context) ?? (await readGuestTurn(host, context)), interaction);
};

const isOver = ({ outcome, state }: Interaction) => outcome !== undefined || !['intended', 'waiting'].includes(state);

/** How an interaction ended, as other programs are told. */
export const outcomeOf = (context: TurnContext, interaction: Interaction): GuestOutcome => {
  const { app, customerRef, id: interactionId, outcome, refusal, requestId, state } = interaction;
  const said = { app, interactionId, customerRef };
  if (!outcome)
    return state === 'refused' ? { ...said, status: 'refused', ...(refusal && { code: refusal }) } : { ...said, status: 'unknown' };
  const { memory, services } = turnOf(context);
  const of = TurnContext.getConversationReference(context.activity);
  const { verified } = requireVerified(memory, of, { customerRef }, services.clock.now());
  const { result, status } = outcome;
  return { ...said, status, verified, ...(requestId !== undefined && { requestId }), ...(result && { result }) };
};

export const appOptionsOf = (
  given: (CallerOptions & GuestOptions['document-signature'] & GuestOptions['payments'] & GuestOptions['e-form']) | undefined,
): AppOptions => {
  const { phoneNumber, customerRef, documentId, productId, formId, variables } = given ?? {};
  const chosen = documentId ?? productId ?? formId;
  return {
    ...(phoneNumber !== undefined && { phoneNumber }),
    ...(customerRef !== undefined && { customerRef }),
    ...(chosen !== undefined && { before: { chosen, ...(variables && { filled: variables }) } }),
  };
};

/** The apps as dialogs of a bot. */
export const makeGuestDialogs = (host: GuestHost): GuestDialogs =>
  Object.fromEntries(appIds.map((app) => [app, new GuestDialog(app, host)])) as unknown as GuestDialogs;
