// The base of the package's dialogs in other bots: it reads the turn, serves only the owner of the chat, and does
// the remaining work after the turn.
import {
  carryTurn,
  causeOf,
  continuable,
  endClick,
  isShared,
  type Memory,
  mayTalkIn,
  readTurn,
  refuseShared,
  type Services,
  say,
  type Turn,
  turnedAway,
  turnOf,
} from '../../dialogs/index.ts';
import {
  ComponentDialog,
  type DialogContext,
  type DialogInstance,
  type DialogReason,
  type DialogTurnResult,
  DialogTurnStatus,
  type StatePropertyAccessor,
  type TurnContext,
} from '../compose/bot/sdk.ts';
import type { News } from '../interactions/index.ts';
import { faultFields } from '../platform/log.ts';
import { isOwnFault } from '../platform/process/faults.ts';

/** What the dialogs need from their host bot. */
export interface GuestHost {
  /** Called at each turn; throws before the listener has started. */
  readonly services: () => Services;
  /** The chat's memory for these dialogs. */
  readonly memory: StatePropertyAccessor<Memory>;
}

const newsKey = Symbol('news');

/** Puts news where the dialogs of this turn find them. */
export const carryNews = (context: TurnContext, news: News): void => {
  context.turnState.set(newsKey, news);
};

/** A dialog of this package for any bot. */
export abstract class GuestDialog<Options extends object> extends ComponentDialog<Options> {
  readonly #host: GuestHost;

  constructor(id: string, host: GuestHost) {
    super(id);
    this.#host = host;
  }

  /** The result if the customer was not asked to the end: in a chat that others can read, or after an update. */
  protected abstract left(why: 'menu' | 'shared'): object;

  override async beginDialog(outer: DialogContext, options?: Options): Promise<DialogTurnResult> {
    const turn = await this.#read(outer.context, outer);
    // Customers' affairs are not discussed where others can read.
    if (isShared(outer.context.activity)) {
      await refuseShared(turn);
      return outer.endDialog(this.left('shared'));
    }
    const { phoneNumber } = (options ?? {}) as { readonly phoneNumber?: string };
    if (phoneNumber !== undefined) turn.memory.vouchedFor = phoneNumber;
    return super.beginDialog(outer, options);
  }

  override async continueDialog(outer: DialogContext): Promise<DialogTurnResult> {
    if (!this.#continues(outer)) return this.#endOutdated(outer);
    const turn = await this.#read(outer.context, outer);
    const reprompt = () => this.repromptDialog(outer.context, outer.activeDialog as DialogInstance);
    const away = await turnedAway(turn, mayTalkIn(turn.memory, outer.context.activity), reprompt);
    const result = away ? { status: DialogTurnStatus.waiting } : await this.#continued(outer, turn);
    for (const act of turn.afterwards.splice(0)) await act();
    await endClick(outer.context);
    return result;
  }

  override async resumeDialog(outer: DialogContext, reason: DialogReason, result?: unknown): Promise<DialogTurnResult> {
    if (!this.#continues(outer)) return this.#endOutdated(outer);
    await this.#read(outer.context, outer);
    return super.resumeDialog(outer, reason, result);
  }

  override async repromptDialog(context: TurnContext, instance: DialogInstance): Promise<void> {
    await this.#read(context);
    return super.repromptDialog(context, instance);
  }

  /** Keeps of a stack that another version wrote what waits; returns whether there is something to continue. */
  #continues({ activeDialog: instance, dialogs }: DialogContext): boolean {
    const [kept] = instance ? continuable([instance], dialogs) : [];
    if (instance && kept) Object.assign(instance, kept);
    return kept !== undefined;
  }

  async #continued(outer: DialogContext, { services }: Turn): Promise<DialogTurnResult> {
    try {
      return await super.continueDialog(outer);
    } catch (thrown) {
      const fault = causeOf(thrown);
      if (!isOwnFault(fault)) throw thrown;
      services.log.error({ ...faultFields(fault), component: 'dialogs' }, 'a dialog cannot continue from what is stored, and has ended');
      return this.#endOutdated(outer);
    }
  }

  /** Ends it with a sentence: what it asked does not fit this version. */
  async #endOutdated(outer: DialogContext): Promise<DialogTurnResult> {
    const turn = await this.#read(outer.context, outer);
    await say(turn, turn.t('conversation.outdated'), { answer: 'later' });
    return outer.endDialog(this.left('menu'));
  }

  /** The turn, read once in a turn of the bot. */
  async #read(context: TurnContext, outer?: DialogContext) {
    return turnOf(context) ?? readGuestTurn(this.#host, context, outer);
  }
}

/** Reads a turn of the bot as this package's dialogs see it. */
export const readGuestTurn = async ({ memory, services }: GuestHost, context: TurnContext, outer?: DialogContext) => {
  const memoryOf = await memory.get(context, {});
  // Nothing from other speakers is stored.
  const kept = mayTalkIn(memoryOf, context.activity) ? memoryOf : { ...memoryOf };
  const news: News | undefined = context.turnState.get(newsKey);
  const stack = outer && { dialogStack: outer.stack };
  const turn = { ...readTurn(services(), context, kept, stack, news), afterwards: [] };
  carryTurn(turn);
  return turnOf(context);
};
