import assert from 'node:assert/strict';
import { checkHandoff } from '../../src/compose/checks/handoff.ts';

describe('the doctor on the hub “event”', () => {
  it('warns that nobody can join the bot’s own web chat, unless there is another hub', () => {
    const alone = checkHandoff({ HANDOFF: ['event'] });
    assert.deepEqual([alone.status, /nobody can join them/.test(alone.words)], ['warning', true]);
    const beside = checkHandoff({ HANDOFF: ['event', 'webhook', 'desk'] });
    assert.deepEqual([beside.status, /go to webhook or desk/.test(beside.words)], ['ok', true]);
  });
});
