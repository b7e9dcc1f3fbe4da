// A step as people find it: what it does, where it is written, and what it fills a document in with.
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

export interface ValuesWritten {
  /** The names of the variables that the step gives. */
  readonly names: readonly string[];
  /** Where one of them stands in the file. */
  at(name: string): (string | number)[];
}

export const valuesWritten = (source: FlowSource, place: StepPlace): ValuesWritten => {
  const step = stepAt(source, place);
  const signature = step && 'document-signature' in step ? step['document-signature'] : null;
  return {
    names: Object.keys(signature?.variables ?? {}),
    at: (name) => [...pathIn(place), 'document-signature', 'variables', name],
  };
};
