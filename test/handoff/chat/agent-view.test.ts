import assert from 'node:assert/strict';
import { shortened } from '../../../src/handoff/chat/agent-view.ts';
import { hidden } from '../../../src/platform/text/possible-codes.ts';

describe('the lines that an agent gets', () => {
  it('are of limited length, and without secrets', () => {
    assert.equal(shortened('a'.repeat(500)).length, 500);
    assert.deepEqual([shortened('a'.repeat(501)).length, shortened('a'.repeat(501)).at(-1)], [500, '…']);
    assert.equal(shortened('my code is 483920'), `my code is ${hidden}`);
  });
});
