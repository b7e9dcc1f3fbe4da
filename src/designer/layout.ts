// The positions of a flow's nodes and edges: a layered layout, by the library dagre. Mermaid
// would be three megabytes in the page, and needs inline styles, which the page's policy forbids.
import { Graph, layout } from '@dagrejs/dagre';
import type { FlowGraph, GraphNode } from '../flows/index.ts';

export interface Point {
  readonly x: number;
  readonly y: number;
}

export type Box = ReturnType<typeof boxOf> & Point;

export type Arrow = ReturnType<typeof layoutOf>['arrows'][number];

/**
 * Sizes in pixels. Text is not measured here but estimated by its length: a node is wide enough for its text on any
 * system.
 */
const sizes = { box: 212, pill: 112, line: 19, padding: 10, letter: 6.4, margin: 12 };
const fits = Math.floor((sizes.box - 28) / sizes.letter);

const shortened = (text: string) => (text.length > fits ? `${text.slice(0, fits - 1)}…` : text);

const boxOf = ({ id, kind, label }: GraphNode, { edges }: FlowGraph) => {
  const [verb = '', ...rest] = label.split(': ');
  const again = edges.flatMap(({ from, to, edge = '', label: said = '' }) => (from === id && to === id ? [{ edge, label: said }] : []));
  const detail = shortened(rest.join(': '));
  const pill = kind === 'start' || kind === 'end';
  const lines = 1 + (detail === '' ? 0 : 1) + again.length;
  return {
    id,
    kind,
    label,
    /** The step's keyword, and its object: `say` and `Thank you.` */
    verb,
    detail,
    /** Its retries: the edge, and its label. */
    again,
    width: pill ? Math.max(sizes.pill, verb.length * 8 + 36) : sizes.box,
    height: pill ? 34 : lines * sizes.line + 2 * sizes.padding,
  };
};

/** The main path through a flow is kept straight: edges that continue it weigh more than those that leave it. */
const weightOf = (edges: readonly string[]) => (edges.length === 0 || edges.includes('success') || edges.includes('true') ? 6 : 1);

export const layoutOf = (flow: FlowGraph) => {
  const graph = new Graph({ multigraph: false }).setGraph({
    rankdir: 'TB',
    nodesep: 28,
    edgesep: 18,
    ranksep: 40,
    marginx: sizes.margin,
    marginy: sizes.margin,
  });
  const boxes = new Map(flow.nodes.map((node) => [node.id, boxOf(node, flow)]));
  for (const [id, { width, height }] of boxes) graph.setNode(id, { width, height });
  const arrows = new Map<string, { readonly from: string; readonly to: string; readonly edges: string[]; readonly labels: string[] }>();
  for (const { from, to, edge, label } of flow.edges) {
    if (from === to) continue;
    const key = JSON.stringify([from, to]);
    const arrow = arrows.get(key) ?? { from, to, edges: [], labels: [] };
    if (edge !== undefined) arrow.edges.push(edge);
    if (label !== undefined) arrow.labels.push(label);
    arrows.set(key, arrow);
  }
  const widthOf = (labels: readonly string[]) => (labels.length === 0 ? 0 : labels.join(', ').length * sizes.letter + 12);
  // Steps that are written first are on the left.
  for (const { from, to, edges, labels } of [...arrows.values()].toReversed())
    graph.setEdge(from, to, {
      labelpos: 'c',
      width: widthOf(labels),
      height: labels.length === 0 ? 0 : 20,
      weight: weightOf(edges),
    });
  layout(graph);
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  return {
    width: Math.ceil(width),
    height: Math.ceil(height),
    boxes: [...boxes.values()].map((box): Box => ({ ...box, ...placed(graph.node(box.id)) })),
    arrows: [...arrows.values()].map(({ from, to, edges, labels }) => {
      const { points, x, y } = graph.edge(from, to) as { points: Point[]; x?: number; y?: number };
      const middle = points[Math.floor(points.length / 2)] as Point;
      return {
        from,
        to,
        /** The edges that the arrow represents: those with one target share an arrow. */
        edges,
        label: labels.join(', '),
        points: points.map(placed),
        /** The middle of the label. */
        at: placed({ x: x ?? middle.x, y: y ?? middle.y }),
        labelWidth: Math.ceil(widthOf(labels)),
      };
    }),
  };
};

const placed = ({ x, y }: Point): Point => ({ x: Math.round(x), y: Math.round(y) });
