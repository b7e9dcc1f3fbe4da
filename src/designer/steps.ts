// The steps of a flow in the order of the file, as its diagram calls them.
import { type FlowSource, graphOf } from '../flows/index.ts';

export const stepsIn = (flow: FlowSource): readonly { readonly place: string; readonly label: string }[] =>
  graphOf(flow).nodes.flatMap(({ id, kind, label }) => (kind === 'start' || kind === 'end' ? [] : [{ place: id, label }]));
