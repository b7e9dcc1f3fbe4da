// A step as people find it: what it does, and where it is written.
import { stepLabel } from './graph.ts';
import type { LoadedFlow } from './load-flows.ts';
import { pathIn, type StepPlace, stepAt } from './program.ts';
import type { FlowSource } from './schema.ts';

export interface StepWritten {
  /** What stands in its box of the diagram. */
  readonly label: string;
  readonly file: string;
  readonly line: number;
}

/** What a step does; `undefined` where the flow has no such step. */
export const labelAt = (source: FlowSource, place: StepPlace): string | undefined => {
  const step = stepAt(source, place);
  return step && stepLabel(step);
};

/** `undefined` where the flow has no such step. */
export const stepWritten = ({ places, source }: LoadedFlow, place: StepPlace): StepWritten | undefined => {
  const label = labelAt(source, place);
  return label === undefined ? undefined : { label, file: places.file, line: places.line(pathIn(place)) };
};
