import assert from 'node:assert/strict';
import { checkHandoff } from '../../src/compose/commands/checks/handoff.ts';

for (const hub of ['event', 'omnichannel'] as const)
  describe(`the doctor on the hub “${hub}”`, () => {
    it('warns that nobody can join the bot’s own web chat, unless there is another hub', () => {
      const alone = checkHandoff({ HANDOFF: [hub] });
      assert.deepEqual([alone.status, /nobody can join them/.test(alone.words)], ['warning', true]);
      const beside = checkHandoff({ HANDOFF: [hub, 'webhook', 'desk'] });
      assert.deepEqual([beside.status, /go to webhook or desk/.test(beside.words)], ['ok', true]);
    });
  });
