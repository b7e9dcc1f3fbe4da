// A flow that a program runs: a conversation without a person. What the flow says and asks is stored with its state,
// where the program reads it. The program answers with messages, as a customer would type them.

import {
  type AppEnding,
  type ChatState,
  type Choice,
  carryTurn,
  causeOf,
  deliverOutcome,
  type FlowEnding,
  type FlowWish,
  innermost,
  makeStacks,
  readTurn,
  remember,
  type Services,
  type StoredTurn,
  type Turn,
} from '../../../dialogs/index.ts';
import { type Activity, type DialogContext, type DialogTurnResult, DialogTurnStatus } from '../../compose/bot/sdk.ts';

/** A program's acts in a run, other than answers: the value of an event. */
export type FlowAct =
  | { readonly kind: 'begin'; readonly owner: string; readonly sessionRef: string; readonly wish: FlowWish }
  | { readonly kind: 'cancel' };

type RunEnding = Pick<FlowEnding, 'gives' | 'reason' | 'status'>;

/** A run as its program may see it. Plain JSON: it is stored with the conversation. */
export interface FlowRun {
  /** The program that may see it. */
  readonly owner: string;
  readonly flow: string;
  /** Whom it is for. */
  readonly customer?: NonNullable<FlowWish['caller']>;
  /** The number of turns so far. */
  turns: number;
  /** What the flow itself said lately, newest last. */
  said: string[];
  /**
   * The flow's open question, in its own words, with the titles of its choices, the type of the answer, and why the
   * last answer was not taken.
   */
  asks?: { readonly question: string; readonly choices: readonly string[]; readonly type?: string; readonly repair?: string };
  /** The interaction that the run waits for. */
  waitsFor?: string;
  /** The interactions that the run has waited for, newest last. */
  sent: string[];
  /** Set once the run is to stop: nothing more is sent. */
  cancelled?: true;
  ended?: RunEnding & { readonly at: number };
}

export type FlowRunState = ChatState & { run?: FlowRun };

/**
 * How a run ended, by its dialog's result. A program has its own people, and brings one in when the flow asks
 * for one.
 */
const endingOf = (result: AppEnding | FlowEnding | undefined): RunEnding => {
  if (result?.kind === 'flow-ended') {
    const { kind: _, flow: __, ...ending } = result;
    return ending;
  }
  return { status: result?.kind === 'agent' ? 'handoff' : 'cancelled', gives: {} };
};

const actIn = ({ type, value }: Activity): FlowAct | undefined => (type === 'event' ? (value as FlowAct | undefined) : undefined);

/** Runs one turn of a flow run. */
export const makeFlowRun = (services: Services) => {
  const stacks = makeStacks(services.flows ? [services.flows.dialog] : [], services.log);

  const step = async (dc: DialogContext, turn: Turn, run: FlowRun): Promise<DialogTurnResult | undefined> => {
    const { context, news } = turn;
    const act = actIn(context.activity);
    if (act?.kind === 'begin') return dc.beginDialog('flow', act.wish);
    if (act?.kind === 'cancel') {
      run.cancelled = true;
      // Its outcome arrives in a separate turn, like every other.
      if (run.waitsFor !== undefined) await services.interactions.cancel(run.waitsFor);
      return undefined;
    }
    const result = dc.activeDialog && !run.cancelled ? await dc.continueDialog() : undefined;
    if (news?.kind === 'outcome') await deliverOutcome(turn, news.interaction);
    return result;
  };

  /** Notes the run's position after the turn. `before`: the state of the question that was open. */
  const note = async (
    dc: DialogContext,
    run: FlowRun,
    result: DialogTurnResult | undefined,
    { said, before }: { readonly said: readonly string[]; readonly before: object | undefined },
  ): Promise<void> => {
    const { question = '' } = run.asks ?? {};
    const end = (ending: RunEnding) => {
      run.ended = { ...ending, at: services.clock.now() };
    };
    delete run.asks;
    delete run.waitsFor;
    if (result?.status === DialogTurnStatus.complete) end(endingOf(result.result));
    else if (!dc.activeDialog) end({ status: 'failure', reason: 'outdated', gives: {} });
    if (run.ended) return;
    const { id, state } = innermost(dc) ?? {};
    const interaction = id === 'wait' ? await services.interactions.get(state?.interactionId) : undefined;
    if (interaction && !interaction.delivered) {
      run.waitsFor = interaction.id;
      if (!run.sent.includes(interaction.id)) run.sent = remember(run.sent, interaction.id);
    } else if (run.cancelled) {
      await dc.cancelAllDialogs();
      end({ status: 'cancelled', gives: {} });
    } else {
      const choices: readonly Choice[] = state?.choices ?? [];
      const type: string | undefined = state?.options?.step?.ask;
      // After a second miss in a row, the question is not repeated.
      const [asked, rest] = state?.missed > 1 ? [question, said] : [said.at(-1) ?? question, said.slice(0, -1)];
      const repair = state === before ? rest.join(' ') : '';
      run.asks = {
        ...(type !== undefined && { type }),
        question: asked,
        choices: choices.map(({ title }) => title),
        ...(repair !== '' && { repair }),
      };
    }
  };

  return async ({ context, state, news, without }: StoredTurn<FlowRunState>): Promise<(() => Promise<void>) | undefined> => {
    const act = actIn(context.activity);
    state.memory ??= {};
    if (act?.kind === 'begin') {
      state.memory.sessionRef = act.sessionRef;
      const { flow, program: { customerRef, phoneNumber } = {} } = act.wish;
      const customer = phoneNumber !== undefined && customerRef !== undefined && { customer: { phoneNumber, customerRef } };
      state.run ??= { owner: act.owner, flow, ...customer, turns: 0, said: [], sent: [] };
    }
    const { run } = state;
    // There is nothing to continue, or nothing that could still change.
    if (!run || (run.ended && !news)) return undefined;
    const afterwards: Turn['afterwards'] = [];
    const [said, flowSaid]: [string[], string[]] = [[], []];
    context.onSendActivities(async (_context, activities, next) => {
      for (const { text, type } of activities) if (type === 'message' && text) said.push(text);
      return next();
    });
    try {
      const dropped = stacks.dropOutdated(state, without);
      const turn: Turn = { ...readTurn(services, context, state.memory, state.dialogs, news), afterwards, flowSaid };
      carryTurn(turn);
      if (dropped) services.flows?.dropped(context, dropped);
      const dc = await stacks.open(context, state);
      const over = run.ended !== undefined;
      const before = innermost(dc)?.state;
      const result = await step(dc, turn, run);
      if (!over) await note(dc, run, result, { said, before });
    } catch (fault) {
      throw causeOf(fault);
    }
    run.turns += 1;
    for (const text of flowSaid) run.said = remember(run.said, text);
    return async () => {
      for (const act of afterwards) await act();
    };
  };
};
