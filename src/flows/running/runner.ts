// Runs the steps of a flow in order. A step that has to wait for the customer is a dialog, which is started here and
// returned from: an app is the same dialog that the menu starts, and all state between turns is stored in the same
// place.
import { type AppEnding, type FlowEnding, type FlowWish, isVerifiedFor, optionsFor, say, toAgent, turnOf } from '../../../dialogs/index.ts';
import { ExpressionFault, evaluate, type Value, worth } from '../grammar/expressions.ts';
import { type BranchingStep, type FlowSource, type OutcomeName, type Step, type StepOf, verbOf } from '../grammar/schema.ts';
import { fieldsOf } from '../grammar/value-types.ts';
import type { LoadedFlows } from '../load-flows.ts';
import { after, isBranching, type StepPlace, stepAt } from '../program.ts';
import { Dialog, type DialogContext, type DialogInstance, type DialogReason, type DialogTurnResult } from '../sdk.ts';
import { isReachable } from '../versions/in-flight.ts';
import type { FlowProgram, Versions } from '../versions/versions.ts';
import { callerOf, type Ended, givenTo, methodsOf, programIn, sendOptionsOf, stepOptionsOf } from './app-steps.ts';
import { type AskOptions, askDialogFor, heldTo, questionWords } from './ask.ts';
import { type Observe, report, reportEnd, reportFailure } from './events.ts';
import { beforeOf, type Frame, finish, givenBy, type Move, type RunState, stepOutcomeOf, take, top } from './run-state.ts';
import { bindTo, goesOn, isPassed, resultOf } from './same-customer.ts';
import { knownIn, sayIn, shown } from './saying.ts';

export interface RunnerParts {
  readonly current: () => LoadedFlows;
  readonly versions: Versions;
  readonly observe?: Observe;
}

export class Runner extends Dialog<FlowWish> {
  readonly #parts: RunnerParts;

  constructor(parts: RunnerParts) {
    super('run');
    this.#parts = parts;
  }

  override async beginDialog(dc: DialogContext, wish?: FlowWish): Promise<DialogTurnResult> {
    const turn = turnOf(dc.context);
    const { flows } = this.#parts.current();
    const flow = flows.get(wish?.flow ?? '');
    // A button of a flow that no longer exists.
    if (!flow || !wish) return dc.endDialog({ kind: 'left', why: 'menu' } satisfies AppEnding);
    const program = await this.#parts.versions.begin(flow, flows);
    const { phoneNumber, named } = optionsFor(turn, wish);
    const caller = wish.caller ?? (phoneNumber === undefined ? undefined : { phoneNumber });
    const state: RunState = {
      flowVersion: program.version,
      // A turn that is repeated after a crash posts its messages again under the same keys.
      run: turn.context.activity.id ?? turn.services.newId(),
      said: 0,
      begunAt: turn.services.clock.now(),
      frames: [{ flow: program.flow, at: 'do.0', values: { ...wish.inputs }, tries: {} }],
      ...(caller && { caller }),
      ...(named && { named }),
      ...(wish.program && programIn(wish.program)),
    };
    Object.assign((dc.activeDialog as DialogInstance).state, state);
    report(this.#parts.observe, dc.context, state, { begun: true });
    return this.#go(dc, program);
  }

  override async continueDialog(dc: DialogContext): Promise<DialogTurnResult> {
    return this.#with(dc, (program) => this.#go(dc, program));
  }

  override async resumeDialog(dc: DialogContext, _reason: DialogReason, result?: unknown): Promise<DialogTurnResult> {
    return this.#with(dc, (program) => this.#hear(dc, program, result as AppEnding | ExpressionFault | Value));
  }

  #state(dc: DialogContext): RunState {
    return (dc.activeDialog as DialogInstance).state as RunState;
  }

  async #with(dc: DialogContext, work: (program: FlowProgram) => Promise<DialogTurnResult>): Promise<DialogTurnResult> {
    const turn = turnOf(dc.context);
    const state = this.#state(dc);
    const program = await this.#parts.versions.find(state.flowVersion);
    if (program && isReachable(state, program)) return work(program);
    turn.services.log.error({ component: 'flows', reason: 'no_version' }, 'the stored version of a flow in flight is gone or unreadable');
    await say(turn, turn.t('flows.failed'));
    reportEnd(this.#parts.observe, dc.context, state, 'failure');
    const [{ flow }] = state.frames as [Frame];
    return dc.endDialog({ kind: 'flow-ended', flow, status: 'failure', reason: 'outdated', gives: {} } satisfies FlowEnding);
  }

  /** Runs steps until one waits or the flow ends. */
  async #go(dc: DialogContext, program: FlowProgram): Promise<DialogTurnResult> {
    try {
      for (;;) {
        const state = this.#state(dc);
        const frame = top(state);
        const flow = program.flows.get(frame.flow) as FlowSource;
        const step = frame.at === undefined ? undefined : stepAt(flow, frame.at);
        if (frame.at !== undefined && !frame.tries[frame.at]) report(this.#parts.observe, dc.context, state, { reached: frame.at });
        const waits = step
          ? await this.#do(dc, program, flow, frame, step)
          : await this.#moved(dc, program, finish(state, program.flows, 'success'));
        if (waits) return waits;
      }
    } catch (fault) {
      if (fault instanceof ExpressionFault) return this.#fail(dc, program, fault);
      throw fault;
    }
  }

  async #fail(dc: DialogContext, program: FlowProgram, fault: ExpressionFault): Promise<DialogTurnResult> {
    await reportFailure(dc.context, this.#state(dc), { fault, current: this.#parts.current(), observe: this.#parts.observe });
    return this.#end(dc, program, 'failure');
  }

  /** Runs a step; `undefined` if the next can follow. */
  async #do(dc: DialogContext, program: FlowProgram, flow: FlowSource, frame: Frame, step: Step): Promise<DialogTurnResult | undefined> {
    const turn = turnOf(dc.context);
    const state = this.#state(dc);
    const { values } = frame;
    const place = frame.at as StepPlace;
    const known = knownIn(flow, values);
    if ('say' in step) await sayIn(turn, state, shown(known, step.say, turn.t));
    else if ('set' in step) for (const [name, written] of Object.entries(step.set)) values[name] = worth(written, values);
    else if ('when' in step) {
      const edge = evaluate(step.when, values) === true;
      await this.#moved(dc, program, { taken: [{ flow: frame.flow, place, edge: String(edge) }] });
      if (edge || step.else) {
        frame.at = `${place}.${edge ? 'do' : 'else'}.0`;
        return undefined;
      }
    } else if ('go' in step) {
      frame.at = `parts.${step.go}.0`;
      return undefined;
    } else if ('end' in step) return this.#moved(dc, program, finish(state, program.flows, step.end));
    else if ('handoff' in step) {
      await toAgent(turn, { reason: 'trouble', flow: { name: frame.flow, reason: step.handoff.reason } });
      return this.#end(dc, program, 'handoff');
    } else if ('ask' in step) {
      const options: AskOptions = { ...known, step };
      const held = heldTo(flow.needs?.[step.as] === undefined ? undefined : values[step.as], options, turn.t);
      if ('repair' in held) {
        if (held.repair !== undefined) await sayIn(turn, state, held.repair, 'later');
        // Here its faults are the flow's; within the dialog they would be a turn's that failed.
        questionWords(options, turn.t);
        return dc.beginDialog(askDialogFor(step), options);
      }
      values[step.as] = held.answer;
    } else if ('choose' in step) {
      const before = values[step.choose];
      return dc.beginDialog(`choose-${step.from}`, stepOptionsOf(state, typeof before === 'string' ? { chosen: before } : undefined));
    } else return this.#branch(dc, program, frame, step);
    frame.at = after(flow, place);
    return undefined;
  }

  async #branch(dc: DialogContext, program: FlowProgram, frame: Frame, step: BranchingStep): Promise<DialogTurnResult | undefined> {
    const [state, turn] = [this.#state(dc), turnOf(dc.context)];
    if ('run' in step) {
      const given = Object.entries(step.with ?? {}).map(([name, written]) => [name, worth(written, frame.values)]);
      state.frames.push({ flow: step.run, at: 'do.0', values: Object.fromEntries(given), tries: {} });
      return undefined;
    }
    if ('verify' in step) {
      if (isPassed(turn, step, state)) return this.#moved(dc, program, take(state, program.flows, 'success', {}));
      return dc.beginDialog(methodsOf(step)[0] as string, sendOptionsOf(state, frame.before));
    }
    if (await goesOn(turn, state))
      return dc.beginDialog(verbOf(step) as string, sendOptionsOf(state, frame.before ?? givenTo(program, step, frame)));
    return this.#moved(dc, program, take(state, program.flows, 'failure', {}));
  }

  /** Continues with the result of a dialog. */
  async #hear(dc: DialogContext, program: FlowProgram, result: AppEnding | ExpressionFault | Value): Promise<DialogTurnResult> {
    if (result instanceof ExpressionFault) return this.#fail(dc, program, result);
    const [state, turn] = [this.#state(dc), turnOf(dc.context)];
    const frame = top(state);
    const flow = program.flows.get(frame.flow) as FlowSource;
    const step = stepAt(flow, frame.at as StepPlace) as Step;
    if ('ask' in step && (typeof result !== 'object' || !('kind' in result))) {
      frame.values[step.as] = result as Value;
      frame.at = after(flow, frame.at as StepPlace);
      return this.#go(dc, program);
    }
    const ending = result as AppEnding;
    switch (ending.kind) {
      case 'chosen':
        if (!(await goesOn(turn, state, ending.customerRef))) return this.#end(dc, program, 'failure');
        state.caller = callerOf(ending);
        frame.values[(step as StepOf<'choose'>).choose] = ending.chosen;
        frame.at = after(flow, frame.at as StepPlace);
        return this.#go(dc, program);
      case 'ended':
        return this.#heard(dc, program, step as BranchingStep, ending);
      case 'left':
        if (ending.why !== 'restart') await goesOn(turn, state);
        if (ending.why === 'restart' || !isBranching(step))
          return ending.why === 'menu' ? this.#end(dc, program, 'failure') : this.#leave(dc, ending);
        return this.#after(dc, program, ending.why === 'cancel' ? 'cancelled' : 'failure');
      case 'switch':
        // If a method of verification is unavailable, the customer is led to another; other requests are followed.
        if (ending.options.named !== undefined || !isBranching(step)) return this.#leave(dc, ending);
        if ('verify' in step && methodsOf(step).includes(ending.app as never)) return dc.beginDialog(ending.app, ending.options);
        return this.#after(dc, program, 'failure');
      case 'agent':
      case 'flow':
        return this.#leave(dc, ending);
      default:
        return ending satisfies never;
    }
  }

  async #heard(dc: DialogContext, program: FlowProgram, step: BranchingStep, { interaction, price }: Ended) {
    const [state, turn, { customerRef }] = [this.#state(dc), turnOf(dc.context), interaction];
    const [frame, outcome] = [top(state), stepOutcomeOf(interaction)];
    const before = beforeOf(interaction);
    if (before) frame.before = before;
    const verifies = 'verify' in step;
    if (!verifies && !(await goesOn(turn, state, customerRef))) return this.#after(dc, program, 'failure');
    const proven = verifies && outcome === 'success' && isVerifiedFor(turn, customerRef);
    // Whoever ends a step is not who the flow is about, once it has verified somebody.
    if (proven || !state.verified || state.lost) state.caller = callerOf(interaction);
    if (proven) bindTo(customerRef, turn, state);
    if (verifies && outcome === 'success') {
      // A customer who has just set up a passkey can now use it.
      const again = `${frame.at} enrolled`;
      if (!proven && !frame.tries[again]) {
        frame.tries[again] = 1;
        return dc.beginDialog(interaction.app, sendOptionsOf(state, undefined));
      }
      return this.#after(dc, program, proven ? 'success' : 'failure');
    }
    return this.#after(dc, program, outcome, outcome === 'success' ? fieldsOf(interaction, price) : {});
  }

  async #after(dc: DialogContext, program: FlowProgram, outcome: OutcomeName, fields: Readonly<Record<string, string | number>> = {}) {
    const move = take(this.#state(dc), program.flows, outcome, fields);
    return (await this.#moved(dc, program, move)) ?? this.#go(dc, program);
  }

  /** Reports a move; if the flow has ended, returns the end of the dialog. */
  async #moved(dc: DialogContext, program: FlowProgram, { taken, ended }: Move): Promise<DialogTurnResult | undefined> {
    for (const { flow, ...edge } of taken) report(this.#parts.observe, dc.context, this.#state(dc), { flow, edge });
    return ended && this.#end(dc, program, ended);
  }

  #end(dc: DialogContext, { flow, flows }: FlowProgram, reached: OutcomeName | 'handoff') {
    const state = this.#state(dc);
    const [status, gives] = resultOf(turnOf(dc.context), state, reached, givenBy(flows.get(flow), state.frames[0]));
    reportEnd(this.#parts.observe, dc.context, state, status);
    return dc.endDialog({ kind: 'flow-ended', flow, status, gives } satisfies FlowEnding);
  }

  #leave(dc: DialogContext, ending: AppEnding) {
    reportEnd(this.#parts.observe, dc.context, this.#state(dc), 'left');
    return dc.endDialog(ending);
  }
}
