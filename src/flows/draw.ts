// A flow as a diagram in Mermaid (mermaid.js.org, "Flowcharts"), for a review or a document.
import { graphOf, type NodeKind } from './graph.ts';
import type { FlowSource } from './schema.ts';

const quoted = (text: string) => `"${text.replaceAll('"', '#quot;').replaceAll('\n', ' ')}"`;

const shapes: Readonly<Record<NodeKind, readonly [string, string]>> = {
  start: ['([', '])'],
  end: ['([', '])'],
  step: ['[', ']'],
  branching: ['[[', ']]'],
  condition: ['{{', '}}'],
};

/** The name of a box. */
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
