import assert from 'node:assert/strict';
import { makeTrails } from '../../src/designer/trails.ts';

describe('what was seen of flows', () => {
  it('keeps each warning of a run once, and only while the file is the one that it is about', () => {
    const trails = makeTrails();
    const warning = { file: 'a.yaml', line: 3, column: 1, code: 'names-nothing', message: 'no form is named “x”', warning: true } as const;
    for (const conversation of ['c-1', 'c-2']) trails.observe({ flow: 'a', version: 'v1', conversation, warning });
    assert.deepEqual(trails.warnings(new Set(['v1', 'v2'])), [warning]);
    assert.deepEqual(trails.warnings(new Set(['v2'])), []);
  });
});
