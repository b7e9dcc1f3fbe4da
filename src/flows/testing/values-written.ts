// What a step of a flow fills a document in with.
import { pathIn, type StepPlace, stepAt } from '../program.ts';
import type { FlowSource } from '../schema.ts';

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
