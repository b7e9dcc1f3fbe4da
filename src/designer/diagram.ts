// A flow as a picture: the nodes and edges of `flows draw`, with the conversation's current step and its path
// highlighted.
import { endNode, type FlowSource, graphOf } from '../flows/index.ts';
import { type Html, html } from '../platform/text/html.ts';
import { type Arrow, type Box, layoutOf, type Point } from './layout.ts';
import { stepKey, type Trail, wayKey } from './trails.ts';

/** What is highlighted. */
export interface Lit {
  readonly trail: Trail | undefined;
  /** The conversation's current step in this flow. */
  readonly now: string | undefined;
}

/** A line through all points, rounded at those in between. */
const pathOf = ([first, ...rest]: readonly Point[]): string => {
  if (!first) return '';
  const curves = rest.slice(0, -1).map((point, index) => {
    const next = rest[index + 1] as Point;
    const last = index === rest.length - 2;
    const to = last ? next : { x: (point.x + next.x) / 2, y: (point.y + next.y) / 2 };
    return `Q${point.x} ${point.y} ${to.x} ${to.y}`;
  });
  return `M${first.x} ${first.y} ${curves.length > 0 ? curves.join(' ') : rest.map(({ x, y }) => `L${x} ${y}`).join(' ')}`;
};

/** @param tried - which of its retries were taken */
const boxHtml = (box: Box, classes: readonly string[], tried: (edge: string) => boolean): Html => {
  const { id, kind, verb, detail, again, x, y, width, height } = box;
  const pill = kind === 'start' || kind === 'end';
  const [left, top] = [x - width / 2, y - height / 2];
  const lines = [
    ...(detail === '' ? [] : [['detail', detail] as const]),
    ...again.map((one) => [tried(one.edge) ? 'again taken' : 'again', `↻ ${one.label}`] as const),
  ];
  return html`<g class="${['box', kind, ...classes].join(' ')}" data-place="${id}"><title>${box.label}</title>
<rect x="${left}" y="${top}" width="${width}" height="${height}" rx="${pill ? height / 2 : 8}"/>
${pill ? html`<text class="verb" x="${x}" y="${y + 4.5}" text-anchor="middle">${verb}</text>` : html`<rect class="edge" x="${left + 5}" y="${top + 7}" width="3" height="${height - 14}" rx="1.5"/><text class="verb" x="${left + 16}" y="${top + 24}">${verb}</text>`}
${lines.map(([name, words], index) => html`<text class="${name}" x="${left + 16}" y="${top + 24 + (index + 1) * 19}">${words}</text>`)}
</g>`;
};

const arrowHtml = ({ points, label, at, labelWidth }: Arrow, taken: boolean): Html =>
  html`<g class="${taken ? 'arrow taken' : 'arrow'}"><path class="line" d="${pathOf(points)}" marker-end="url(#${taken ? 'head-taken' : 'head'})"/>${
    label !== '' &&
    html`<rect class="plate" x="${at.x - labelWidth / 2}" y="${at.y - 10}" width="${labelWidth}" height="20" rx="10"/><text class="name" x="${at.x}" y="${at.y + 4}" text-anchor="middle">${label}</text>`
  }</g>`;

const head = (id: string, classes: string) =>
  html`<marker id="${id}" viewBox="0 0 8 8" refX="7" refY="4" markerUnits="userSpaceOnUse" markerWidth="10" markerHeight="10" orient="auto"><path class="${classes}" d="M0 0.5 7.5 4 0 7.5Z"/></marker>`;

export const diagramOf = (flow: FlowSource, { trail, now }: Lit): Html => {
  const { width, height, boxes, arrows } = layoutOf(graphOf(flow));
  const { flow: name } = flow;
  const ended = trail?.ended?.at?.flow === name ? trail.ended : undefined;
  const passed = (id: string): boolean => {
    if (!trail) return false;
    if (id === 'start') return trail.steps.has(stepKey(name, 'do.0'));
    return trail.steps.has(stepKey(name, id)) || (ended?.ended !== undefined && id === endNode(ended.ended));
  };
  const classesOf = ({ id }: Box): string[] => {
    const stoppedHere = ended && (ended.ended === 'left' || ended.ended === 'handoff') && ended.at?.place === id;
    return [
      ...(id === now || stoppedHere ? ['now'] : passed(id) ? ['passed'] : []),
      ...(id.startsWith('end.') ? [id.slice(4)] : []),
      ...(stoppedHere ? [String(ended.ended)] : []),
    ];
  };
  const taken = ({ from, to, edges }: Arrow) =>
    edges.length === 0 ? passed(from) && passed(to) : edges.some((edge) => trail?.ways.has(wayKey(name, from, edge))) && passed(to);
  return html`<svg class="flow" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="Diagram of ${name}">
<defs>${head('head', 'tip')}${head('head-taken', 'tip taken')}</defs>
${arrows.toSorted((one, other) => Number(taken(one)) - Number(taken(other))).map((arrow) => arrowHtml(arrow, taken(arrow)))}
${boxes.map((box) => boxHtml(box, classesOf(box), (edge) => trail?.ways.has(wayKey(name, box.id, edge)) ?? false))}
</svg>`;
};
