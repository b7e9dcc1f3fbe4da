// A step as people find it: what it does, where it is written, what it names, and the variables it fills in.

import { stepLabel } from '../graph.ts';
import type { LoadedFlow } from '../load-flows.ts';
import { isBranching, pathIn, type StepPlace, stepAt, stepsOf } from '../program.ts';
import { argumentOf, isLiteral } from '../running/app-steps.ts';
import type { Fault } from './fault.ts';
import { type BranchingStep, type FlowSource, verbOf } from './schema.ts';

/** A step's label in the diagram; `undefined` if the flow has no such step. */
export const labelAt = (source: FlowSource, place: StepPlace): string | undefined => {
  const step = stepAt(source, place);
  return step && stepLabel(step);
};

/** A step's label, and where it is written; `undefined` if the flow has no such step. */
export const stepWritten = ({ positions, source }: LoadedFlow, place: StepPlace) => {
  const label = labelAt(source, place);
  return label === undefined ? undefined : { label, file: positions.file, line: positions.line(pathIn(place)) };
};

/** The names of the variables that a step fills in, and where each is in the file. */
export const valuesWritten = (source: FlowSource, place: StepPlace) => {
  const step = stepAt(source, place);
  const signature = step && 'document-signature' in step ? step['document-signature'] : null;
  return {
    names: Object.keys(signature?.variables ?? {}),
    at: (name: string) => [...pathIn(place), 'document-signature', 'variables', name],
  };
};

/** The warning that the service offers nothing of the name that this step writes. */
export const namesNothing = ({ source, positions }: LoadedFlow, place: StepPlace): Fault | undefined => {
  const step = stepAt(source, place) as BranchingStep;
  const argument = argumentOf(step);
  if (!argument) return undefined;
  return positions.fault(
    [...pathIn(place), verbOf(step) as string, argument.name],
    'names-nothing',
    `no ${argument.name} is named “${argument.written}”`,
    { hint: 'use its title or its identifier', warning: true },
  );
};

/** The products, documents and forms that a flow names literally, step by step, and the warning if there is no such thing. */
export const thingsNamed = (flow: LoadedFlow) =>
  [...stepsOf(flow.source)].flatMap(([place, step]) => {
    const argument = isBranching(step) ? argumentOf(step) : undefined;
    const unknown = argument && isLiteral(argument.written) ? namesNothing(flow, place) : undefined;
    return argument && unknown ? [{ kind: argument.name, written: String(argument.written), unknown }] : [];
  });
export type NamedThing = ReturnType<typeof thingsNamed>[number];
