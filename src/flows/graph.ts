// A flow as nodes and edges, for drawing, and as a Mermaid diagram (mermaid.js.org, "Flowcharts").

import { type FlowSource, type OutcomeName, type Step, type Target, textIn, verbOf } from './grammar/schema.ts';
import { after, edgesOfBranching, isBranching, isRetry, isSteps, type StepPlace, stepsOf, targetOf } from './program.ts';

/** The kind of a node: start or end, a step with one exit, one with several outcomes, or a condition. */
export type NodeKind = 'start' | 'end' | 'step' | 'branching' | 'condition';

export interface GraphNode {
  /** `start`, the place of a step, or `end.<outcome>`. */
  readonly id: string;
  readonly kind: NodeKind;
  readonly label: string;
}

export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  readonly label?: string;
  /** The name under which the edge is counted and reported; absent if there is only one. */
  readonly edge?: string;
}

const shortened = (text: string) => (text.length > 48 ? `${text.slice(0, 47)}…` : text);

/** The label of a step's node. */
export const stepLabel = (step: Step): string => {
  if ('say' in step) return `say: ${shortened(textIn(step.say))}`;
  if ('ask' in step) return `ask: ${step.as} (${step.ask})`;
  if ('choose' in step) return `choose: ${step.choose} from ${step.from}`;
  if ('verify' in step) return 'verify';
  if ('set' in step) return `set: ${Object.keys(step.set).join(', ')}`;
  if ('when' in step) return `when: ${shortened(step.when)}`;
  if ('run' in step) return `run: ${step.run}`;
  if ('go' in step) return `go: ${step.go}`;
  if ('handoff' in step) return `handoff: ${step.handoff.reason}`;
  if ('end' in step) return `end: ${step.end}`;
  return verbOf(step) ?? '';
};

/** The node of an ending. */
export const endNode = (outcome: string): string => `end.${outcome}`;

/** Nodes and edges in the order of the file, each edge after its node. */
export const graphOf = (flow: FlowSource) => {
  const nodes: GraphNode[] = [{ id: 'start', kind: 'start', label: flow.flow }];
  const edges: GraphEdge[] = [{ from: 'start', to: 'do.0' }];
  const ends = new Set<OutcomeName>();
  const goesTo = (place: StepPlace | undefined, outcome: OutcomeName = 'success'): string => {
    if (place !== undefined) return place;
    ends.add(outcome);
    return endNode(outcome);
  };
  const arrow = (from: StepPlace, to: string, named?: Pick<GraphEdge, 'edge' | 'label'>) => edges.push({ from, to, ...named });
  const follow = (place: StepPlace, edge: string, key: string, target: Target, by: readonly OutcomeName[]): void => {
    const named = { edge, label: edge };
    if (isRetry(target)) {
      arrow(place, place, { edge: `${edge} again`, label: `${edge}: again, ${target.retry} at most` });
      follow(place, edge, `${key}.then`, target.then, by);
    } else if (isSteps(target)) arrow(place, `${place}.${key}.0`, named);
    else if (target === 'next') arrow(place, goesTo(after(flow, place)), named);
    else if (target === 'end') for (const outcome of by) arrow(place, goesTo(undefined, outcome), named);
    else arrow(place, `parts.${target}.0`, named);
  };
  for (const [place, step] of stepsOf(flow)) {
    nodes.push({ id: place, kind: 'when' in step ? 'condition' : isBranching(step) ? 'branching' : 'step', label: stepLabel(step) });
    if ('when' in step) {
      arrow(place, `${place}.do.0`, { edge: 'true', label: 'true' });
      arrow(place, step.else ? `${place}.else.0` : goesTo(after(flow, place)), { edge: 'false', label: 'false' });
    } else if ('go' in step) arrow(place, `parts.${step.go}.0`);
    else if ('end' in step) arrow(place, goesTo(undefined, step.end));
    else if (isBranching(step)) {
      for (const { edge, outcomes, again } of edgesOfBranching(place, step)) {
        const { key, target } = targetOf(step, outcomes[0] as OutcomeName);
        if (!again) follow(place, edge, key, target, outcomes);
      }
    } else if (!('handoff' in step)) arrow(place, goesTo(after(flow, place)));
  }
  return { nodes: [...nodes, ...[...ends].map((outcome): GraphNode => ({ id: endNode(outcome), kind: 'end', label: outcome }))], edges };
};
export type FlowGraph = Readonly<ReturnType<typeof graphOf>>;

const quoted = (text: string) => `"${text.replaceAll('"', '#quot;').replaceAll('\n', ' ')}"`;

const shapes: Readonly<Record<NodeKind, readonly [string, string]>> = {
  start: ['([', '])'],
  end: ['([', '])'],
  step: ['[', ']'],
  branching: ['[[', ']]'],
  condition: ['{{', '}}'],
};

/** A node's id in Mermaid. */
const named = (id: string): string => id.replace(/[.-]/g, '_');

export const drawFlow = (flow: FlowSource): string => {
  const { nodes, edges } = graphOf(flow);
  const lines = nodes.flatMap(({ id, kind, label }) => {
    const [open, close] = shapes[kind];
    const arrows = edges.filter(({ from }) => from === id);
    return [
      `  ${named(id)}${open}${quoted(label)}${close}`,
      ...arrows.map(({ to, label: by }) => `  ${named(id)} -->${by === undefined ? '' : `|${by}|`} ${named(to)}`),
    ];
  });
  return ['flowchart TD', ...lines, ''].join('\n');
};
