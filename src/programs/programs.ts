// What programs may do for customers: start an app or a flow, wait for its outcome, answer its questions, and cancel
// it.
import type { z } from 'zod';
import type { Asked, DescribedFlow, Services } from '../../dialogs/index.ts';
import { type AppId, apps } from '../contract/index.ts';
import { type AddressOwner, type Interaction, isAsked } from '../interactions/index.ts';
import { HttpProblem } from '../platform/http/http-problem.ts';
import { limitRate, type Rate } from '../platform/limits.ts';
import type { Log } from '../platform/log.ts';
import { makeOutcomes, type OutcomesParts } from './outcomes.ts';
import { type CallingProgram, isAddressOfPrograms, notFound, placeOf } from './program.ts';
import type { FlowRun } from './runs/flow-run.ts';
import { makeRuns, type RunsParts } from './runs/runs.ts';
import type { AppInput, CancelledView, CheckedView, FlowInput, View, waitInput } from './schemas.ts';
import { choiceIn, customerFor, planFor, refusalOf, wishFor } from './starts.ts';
import { runView, viewOf } from './views.ts';
import { Waits } from './waits.ts';

export interface ProgramsParts extends Omit<RunsParts, 'newId'>, Pick<OutcomesParts, 'alarm' | 'givenUp' | 'hooks' | 'post' | 'shared'> {
  readonly services: Services;
  /** How much one program may start. */
  readonly starts: Rate;
  readonly log: Log;
}

/** How long (ms) to wait for a cancelled flow to stop. */
const cancelTimeout = 5_000;

/** What a program started: an app, or a flow with its current or last interaction. */
interface Begun {
  readonly run?: FlowRun;
  readonly interaction?: Interaction | undefined;
}

/** Whether a run is what the program asks for again. */
const isRunOf = ({ customer, flow }: FlowRun, name: string, { customerRef, phoneNumber }: FlowInput): boolean =>
  flow === name &&
  (customer === undefined || (customer.phoneNumber === phoneNumber && (customerRef === undefined || customer.customerRef === customerRef)));

const taken = () => new HttpProblem(409, 'id_taken', 'This id is used for something else.');

const over = () => new HttpProblem(409, 'over', 'It has ended.');

/** What a program may do. Everything else is refused with an `HttpProblem`. */
export type Programs = ReturnType<typeof makePrograms>;

export const makePrograms = ({ services, starts, log, ...parts }: ProgramsParts) => {
  const { clock, interactions, newId, showsCode } = services;
  const runs = makeRuns({ ...parts, newId, log });
  const waits = new Waits();
  const takeStart = limitRate(starts, 'too_many_starts', 'Too much was started at once. Please wait a moment.');
  const askedIn = (language = ''): Asked => ({ services, t: services.textsFor(language) });
  const flows = (): readonly DescribedFlow[] => services.flows?.described(askedIn().t) ?? [];
  const note = (operation: string, id: string, app?: AppId) =>
    log.info({ component: 'programs', operation, interaction: id, ...(app && { app }) }, 'a program did something for a customer');

  /** What the program started under this id. */
  const find = async (program: CallingProgram, id: string): Promise<Begun | undefined> => {
    const interaction = await interactions.get(id);
    if (interaction) return interaction.conversation === placeOf(program).conversation ? { interaction } : undefined;
    const run = await runs.find(id, program);
    const last = run?.sent.at(-1);
    return run && { run, interaction: last === undefined ? undefined : await interactions.get(last) };
  };
  const found = async (program: CallingProgram, id: string): Promise<Begun> => {
    const it = await find(program, id);
    if (!it) throw notFound();
    return it;
  };
  const look = async (program: CallingProgram, id: string): Promise<View> => {
    const { run, interaction } = await found(program, id);
    return run ? runView(id, run, interaction, showsCode) : viewOf(interaction as Interaction, showsCode);
  };
  const outcomes = makeOutcomes({
    ...{ ...parts, newId, clock, log },
    look: async (program, id) => ((await find(program, id)) ? look(program, id) : undefined),
  });
  /** The state after an act of the program, which may have ended it. */
  const after = async (program: CallingProgram, id: string): Promise<View> => {
    waits.wake(id);
    const view = await look(program, id);
    if (view.state === 'ended') await outcomes.note(program, id);
    return view;
  };
  /** The id, and whether it is for something new: not if the program has already started just this under it. */
  const newOf = async (
    program: CallingProgram,
    { id = newId() }: { readonly id?: string | undefined },
    isSame: (begun: Begun) => boolean,
  ) => {
    const known = await find(program, id);
    if (known ? !isSame(known) : await interactions.get(id)) throw taken();
    if (!known) await takeStart(program.name);
    return { id, isNew: !known };
  };
  /** The interaction that is waiting for the customer now. */
  const waitingOf = async (program: CallingProgram, id: string): Promise<Interaction> => {
    const { run, interaction } = await found(program, id);
    if (!interaction || (run && run.waitsFor !== interaction.id)) throw over();
    return interaction;
  };

  return {
    flows,
    asked: askedIn(),

    startApp: async (program: CallingProgram, app: AppId, input: AppInput): Promise<View> => {
      const wanted = { app, ...input, chosen: choiceIn(input) };
      const { id, isNew } = await newOf(program, input, ({ interaction, run }) => !run && isAsked(interaction as Interaction, wanted));
      if (isNew) {
        const asked = askedIn(input.language);
        const plan = await planFor(asked, program, app, { ...input, id, sessionRef: input.sessionRef ?? newId() });
        const started = await interactions.start(plan, asked.t.language);
        if (!isAsked(started, wanted)) throw taken();
        note('start', id, app);
        const problem = refusalOf(started, started.refusedFields);
        if (problem) throw problem;
      }
      return look(program, id);
    },

    startFlow: async (program: CallingProgram, name: string, input: FlowInput): Promise<View> => {
      const { flow, inputs } = wishFor(flows(), name, input);
      const { id, isNew } = await newOf(program, input, ({ run }) => run !== undefined && isRunOf(run, flow, input));
      if (isNew) {
        const { language, phoneNumber, sessionRef = newId() } = input;
        const customerRef = await customerFor(askedIn(language), { ...input, sessionRef });
        const wish = { flow, words: '', inputs, program: { run: id, phoneNumber, customerRef } };
        await runs.begin(id, program, { kind: 'begin', owner: program.name, sessionRef, wish }, language);
        const run = await runs.find(id, program);
        if (run && !isRunOf(run, flow, input)) throw taken();
        note('start', id);
        return after(program, id);
      }
      return look(program, id);
    },

    status: look,

    /**
     * Waits until the state differs from the one that `cursor` names, or from the current one; for `seconds` at most, or
     * until `signal` aborts.
     */
    wait: async (
      program: CallingProgram,
      { interactionId: id, cursor, seconds }: z.output<typeof waitInput>,
      signal: AbortSignal,
    ): Promise<View> => {
      const first = await look(program, id);
      const known = cursor ?? first.cursor;
      // A caller without a cursor may not have seen the current question yet.
      const isOver = (seen: View) =>
        seen.state === 'ended' || seen.cursor !== known || (cursor === undefined && seen.needs?.kind === 'answer');
      if (isOver(first)) return first;
      return waits.until({ id, program: program.name, ms: seconds * 1000, signal }, () => look(program, id), isOver);
    },

    answer: async (program: CallingProgram, id: string, answer: string): Promise<View> => {
      const { run } = await found(program, id);
      if (!run?.asks) throw run?.ended ? over() : new HttpProblem(409, 'nothing_asked', 'It does not wait for an answer.');
      await runs.answer(id, program, answer);
      note('answer', id);
      return after(program, id);
    },

    checkPasscode: async (program: CallingProgram, id: string, code: string): Promise<CheckedView> => {
      const interaction = await waitingOf(program, id);
      if (apps[interaction.app].answeredIn !== 'chat') throw new HttpProblem(409, 'no_passcode', 'It does not wait for a passcode.');
      const check = await interactions.check(interaction.id, code);
      note('check', id, interaction.app);
      if (check.kind === 'over') throw over();
      if (check.kind === 'trouble')
        throw new HttpProblem(503, check.trouble, 'The code cannot be checked now. Please try again.', { headers: { 'Retry-After': '5' } });
      waits.wake(id);
      const codeMatch = check.kind === 'match';
      const triesLeft = check.kind === 'mismatch' ? check.triesLeft : 0;
      return { ...(await look(program, id)), codeMatch, ...(!codeMatch && { triesLeft }) };
    },

    cancel: async (program: CallingProgram, id: string): Promise<CancelledView> => {
      const { run, interaction } = await found(program, id);
      if (run?.ended) return { ...(await look(program, id)), cancelled: 'over' };
      note('cancel', id);
      if (!run) {
        const cancelled = await interactions.cancel(id);
        waits.wake(id);
        return { ...(await look(program, id)), cancelled };
      }
      await runs.cancel(id, program);
      // The waiting dialog gets the withdrawal in a separate turn.
      const brought = { id, program: program.name, ms: cancelTimeout, signal: AbortSignal.timeout(cancelTimeout) };
      const hasEnded = ({ state }: View) => state === 'ended';
      const first = await after(program, id);
      const view = hasEnded(first) ? first : await waits.until(brought, () => look(program, id), hasEnded);
      const waited = run.waitsFor === undefined ? undefined : await interactions.get(run.waitsFor);
      const withdrawn = !interaction || !waited || waited.outcome?.status === 'cancelled';
      return { ...view, cancelled: withdrawn ? 'withdrawn' : waited.outcome ? 'over' : 'released' };
    },

    /** The interactions that programs have started, and the delivery of their news. */
    addresses: {
      owns: isAddressOfPrograms,
      notify: async (interaction, kind) => {
        const run = runOf(interaction);
        const id = run ?? interaction.id;
        if (kind === 'progress') return waits.wake(id);
        if (run !== undefined) await runs.notify(interaction, kind);
        const program = { name: ownerOf(interaction) };
        // A flow that continues has no outcome yet, and an erased one will never have any.
        if (await find(program, id)) await after(program, id);
      },
    } satisfies AddressOwner,

    /** Subscriptions to outcomes. */
    outcomes,
    /** Starts posting outcomes to subscribers. */
    open: outcomes.open,
    /** Ends all waits with the current state. */
    close: async (): Promise<void> => {
      waits.close();
      await outcomes.close();
    },
  };
};

/** The program that an interaction belongs to. */
const ownerOf = ({ address, conversation }: Interaction): string => JSON.parse(address).user?.id ?? JSON.parse(conversation).at(-1);

/** The run that an interaction belongs to; `undefined` if the program started it directly. */
const runOf = ({ address }: Interaction): string | undefined => JSON.parse(address).conversation?.id;
