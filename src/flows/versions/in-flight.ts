// The stored conversations that are in a flow: their current steps, and moving them to another version.
import { isDeepStrictEqual } from 'node:util';
import { checkFlow } from '../checks/check-flow.ts';
import type { Positions } from '../grammar/read-flow.ts';
import { type BranchingStep, type FlowSource, type Step, verbOf } from '../grammar/schema.ts';
import { stepLabel } from '../graph.ts';
import { isBranching, type StepPlace, stepAt } from '../program.ts';
import { argumentOf } from '../running/app-steps.ts';
import type { RunState } from '../running/run-state.ts';
import { alignmentOf } from './compare.ts';
import type { FlowProgram } from './versions.ts';

interface Stacked {
  readonly dialogStack?: readonly { readonly id: string; readonly state?: { dialogs?: Stacked } & Partial<RunState> }[];
}

/**
 * The run of a flow in a stored chat, which any version may have written; `undefined`: none. The returned state may be
 * changed in place.
 */
export const runIn = (chat: { readonly dialogs?: Stacked } | undefined): RunState | undefined => {
  const { dialogStack } = chat?.dialogs ?? {};
  for (const { state } of Array.isArray(dialogStack) ? dialogStack : []) {
    if (state?.flowVersion !== undefined && Array.isArray(state.frames)) return state as RunState;
    const within = runIn(state);
    if (within) return within;
  }
  return undefined;
};

/** Whether a run can continue in its version: the flows can be read, and its steps exist. */
export const isReachable = ({ frames }: RunState, { flows, unreadable }: FlowProgram): boolean =>
  unreadable.length === 0 &&
  frames.every(({ flow, at }) => {
    const source = flows.get(flow);
    return source !== undefined && (at === undefined || stepAt(source, at) !== undefined);
  });

/** Stored versions were checked, so nobody reads their faults. */
const nowhere: Positions = { file: '', fault: (_at, code, message) => ({ file: '', line: 1, column: 1, code, message }), line: () => 1 };

const key = (flow: string, place: StepPlace) => `${flow} ${place}`;

/** The new places of each flow's steps: those given, else those that obviously correspond. */
const placesNow = (from: FlowProgram, to: FlowProgram, given: ReadonlyMap<StepPlace, StepPlace>): ReadonlyMap<string, StepPlace> =>
  new Map(
    [...from.flows].flatMap(([name, before]) => {
      const now = to.flows.get(name);
      const same = now ? [...alignmentOf(before, now)] : [];
      return [...same, ...(name === from.flow ? given : [])].map(([place, other]) => [key(name, place), other] as const);
    }),
  );

/** Whether an answer or outcome that one step waits for is one of the other, because the customer is asked nothing again. */
const isAnsweredAlike = (before: Step, now: Step): boolean => {
  if ('ask' in before && 'ask' in now) {
    const values = now.choices?.map(({ value }) => value);
    return (
      before.ask === now.ask &&
      (before.as === now.as || isDeepStrictEqual(before.text, now.text)) &&
      (before.choices ?? []).every(({ value }) => values?.includes(value))
    );
  }
  if ('choose' in before && 'choose' in now) return before.from === now.from;
  if ('run' in before && 'run' in now) return before.run === now.run;
  return !isBranching(before) || argumentOf(before)?.written === argumentOf(now as BranchingStep)?.written;
};

/**
 * The new places by flow and current place (`places`), and why the runs cannot continue in the other version (`faults`,
 * empty if they can): each must be at a step of the same kind there, with everything known that is used.
 */
export const planMove = (runs: readonly RunState[], from: FlowProgram, to: FlowProgram, given: ReadonlyMap<StepPlace, StepPlace>) => {
  const knownAt = (flow: FlowSource, place: StepPlace) => [...(checkFlow(flow, nowhere, to.flows).scopes.get(place)?.keys() ?? [])];
  const places = placesNow(from, to, given);
  const faults = new Set<string>();
  for (const { flow, at, values } of runs.flatMap(({ frames }) => frames)) {
    if (at === undefined) continue;
    const target = places.get(key(flow, at));
    const now = to.flows.get(flow);
    const step = target === undefined || !now ? undefined : stepAt(now, target);
    const before = stepAt(from.flows.get(flow) as FlowSource, at) as Step;
    if (!step || !now || target === undefined)
      faults.add(`${flow}: ${at} (${verbOf(before)}) is nowhere in the other version: say where with --map ${at}=<place>`);
    else if (verbOf(step) !== verbOf(before)) faults.add(`${flow}: ${at} is ${verbOf(before)}, and ${target} is ${verbOf(step)}`);
    else if (!isAnsweredAlike(before, step))
      faults.add(`${flow}: ${at} (${stepLabel(before)}) asks the customer for something else than ${target} (${stepLabel(step)}) takes`);
    else {
      const missing = knownAt(now, target).filter((name) => !(name in values));
      if (missing.length > 0)
        faults.add(`${flow}: at ${target} the other version knows ${missing.join(', ')}, and conversations that stand at ${at} do not`);
    }
  }
  return { places, faults: [...faults] };
};
export type MovePlan = ReturnType<typeof planMove>;

/** Moves a run, in place. */
export const moveRun = (run: RunState, to: FlowProgram, { places }: MovePlan): void => {
  run.flowVersion = to.version;
  for (const frame of run.frames) {
    const moved = (place: StepPlace) => places.get(key(frame.flow, place));
    frame.at &&= moved(frame.at);
    frame.tries = Object.fromEntries(
      Object.entries(frame.tries).flatMap(([place, times]) => (moved(place) === undefined ? [] : [[moved(place), times]])),
    );
  }
};
