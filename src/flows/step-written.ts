// A step as people find it: what it does, where it is written, and the document variables it fills in.
import { stepLabel } from './graph.ts';
import type { LoadedFlow } from './load-flows.ts';
import { pathIn, type StepPlace, stepAt } from './program.ts';
import type { FlowSource } from './schema.ts';

export interface StepWritten {
  /** Its label in the diagram. */
  readonly label: string;
  readonly file: string;
  readonly line: number;
}

/** A step's label; `undefined` if the flow has no such step. */
export const labelAt = (source: FlowSource, place: StepPlace): string | undefined => {
  const step = stepAt(source, place);
  return step && stepLabel(step);
};

/** `undefined` if the flow has no such step. */
export const stepWritten = ({ places, source }: LoadedFlow, place: StepPlace): StepWritten | undefined => {
  const label = labelAt(source, place);
  return label === undefined ? undefined : { label, file: places.file, line: places.line(pathIn(place)) };
};

export interface ValuesWritten {
  /** The names of the variables that the step fills in. */
  readonly names: readonly string[];
  /** The place of one of them in the file. */
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
