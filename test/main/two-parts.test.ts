import assert from 'node:assert/strict';
import { openWorkshop, type Running, type Workshop } from '../support/process.ts';
import { talksToTheService } from '../support/started-line.ts';

describe('the bot and the service as separate processes', function () {
  this.timeout(120_000);
  let workshop: Workshop;
  beforeEach(() => {
    workshop = openWorkshop();
  });
  afterEach(() => workshop.close());

  for (const order of [
    ['service', 'bot'],
    ['bot', 'service'],
  ] as const) {
    it(`work together, the ${order[0]} first`, async () => {
      const settings = await workshop.settings();
      const last = { service: 'console', bot: 'bot endpoint' };
      const running: Running[] = [];
      for (const part of order) {
        const started = workshop.start([part], settings);
        running.push(started);
        const addresses = await started.addresses(last[part]);
        assert.deepEqual(
          Object.keys(addresses),
          part === 'service' ? ['outbox', 'service', 'console'] : ['chat', 'service', 'desk', 'designer', 'mcp', 'bot endpoint'],
        );
      }
      await talksToTheService(settings);
      for (const each of running) assert.deepEqual(await each.stop('SIGTERM'), { code: 0, signal: null });
    });
  }
});
