import assert from 'node:assert/strict';
import { diagramOf } from '../../src/designer/diagram.ts';
import { type Box, layoutOf } from '../../src/designer/layout.ts';
import { graphOf } from '../../src/flows/index.ts';
import { flowFilesIn, loadFlows } from '../../src/flows/load-flows.ts';
import { flowOf, flowsOf } from '../support/flows.ts';

const sources = [...loadFlows(flowFilesIn('dialogs/flows')).flows.values()].map(({ source }) => source);
const wide = flowsOf({
  wide: flowOf(
    `- when: "true"\n  do:\n${Array.from({ length: 12 }, (_, index) => `    - say: ${'A very long sentence that no box holds '.repeat(2)}${index}`).join('\n')}\n- payments: {}\n  on: { success: end, failure: end, timeout: end, cancelled: [ { say: "<b>&" }, { end: cancelled } ] }`,
    '',
    'wide',
  ),
}).flows.get('wide');
if (wide) sources.push(wide.source);

describe('the diagram of a flow', () => {
  for (const source of sources) {
    it(`has every step and path of ${source.flow}, and no box overlaps another or the edge`, () => {
      const graph = graphOf(source);
      const { boxes, arrows, width, height } = layoutOf(graph);
      assert.deepEqual(
        boxes.map(({ id }) => id),
        graph.nodes.map(({ id }) => id),
      );
      const drawn = new Set([
        ...arrows.flatMap(({ from, to, edges }) => (edges.length === 0 ? [`${from}>${to}`] : edges.map((edge) => `${from}>${to} ${edge}`))),
        ...boxes.flatMap(({ id, again }) => again.map(({ edge }) => `${id}>${id} ${edge}`)),
      ]);
      for (const { from, to, edge } of graph.edges)
        assert.ok(drawn.has(`${from}>${to}${edge === undefined ? '' : ` ${edge}`}`), `${from} ${edge}`);
      const upon = (one: Box, other: Box) =>
        Math.abs(one.x - other.x) < (one.width + other.width) / 2 && Math.abs(one.y - other.y) < (one.height + other.height) / 2;
      for (const box of boxes) {
        assert.deepEqual(
          boxes.filter((other) => other !== box && upon(box, other)).map(({ id }) => id),
          [],
          box.id,
        );
        assert.ok(box.x >= box.width / 2 && box.x + box.width / 2 <= width && box.y + box.height / 2 <= height, box.id);
      }
    });
  }

  it('escapes all texts, and has no inline style', () => {
    const { markup } = diagramOf((wide as NonNullable<typeof wide>).source, { trail: undefined, now: 'do.1' });
    assert.match(markup, /&lt;b&gt;&amp;/);
    assert.doesNotMatch(markup, /<b>|style=/);
    assert.match(markup, /class="box branching now" data-place="do\.1"/);
  });
});
