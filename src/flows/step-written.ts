// A step as people find it: what it does, and where it is written.
import { stepLabel } from './graph.ts';
import type { LoadedFlow } from './load-flows.ts';
import { pathIn, type StepPlace, stepAt } from './program.ts';

export interface StepWritten {
  /** What stands in its box of the diagram. */
  readonly label: string;
  readonly file: string;
  readonly line: number;
}

/** `undefined` where the flow has no such step. */
export const stepWritten = ({ places, source }: LoadedFlow, place: StepPlace): StepWritten | undefined => {
  const step = stepAt(source, place);
  return step && { label: stepLabel(step), file: places.file, line: places.line(pathIn(place)) };
};
