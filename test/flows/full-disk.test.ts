import assert from 'node:assert/strict';
import { fetch } from 'undici';
import { makeLog } from '../../src/platform/log.ts';
import { startService } from '../../src/service/index.ts';
import { openWorkshop } from '../support/process.ts';
import { startServiceProxy } from '../support/service-proxy.ts';
import { until } from '../support/until.ts';

describe('a bot whose disk is full', () => {
  it('sends nothing, acknowledges nothing, reports that it is not ready, and keeps running', async function () {
    this.timeout(120_000);
    const workshop = openWorkshop();
    const service = await startService({ port: 0, host: '127.0.0.1', dataDir: workshop.dataDir, demo: true, log: makeLog('silent') });
    const proxy = await startServiceProxy(service.port);
    try {
      const settings = await workshop.settings({
        SERVICE_BASE_URL: proxy.baseUrl,
        SERVICE_WS_URL: proxy.wsUrl,
        SERVICE_SECRET_KEY: service.secretKey,
      });
      const running = workshop.start(['bot'], settings, 1500);
      await running.addresses('bot endpoint');
      const base = `http://localhost:${settings.PORT}`;
      const asked = await fetch(`${base}/chat/token`, { method: 'POST', headers: { 'sec-fetch-site': 'same-origin' } });
      const { token } = (await asked.json()) as { token: string };
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const conversations = `${base}/v3/directline/conversations`;
      const { conversationId } = (await (await fetch(conversations, { method: 'POST', headers })).json()) as { conversationId: string };
      const activities = `${conversations}/${conversationId}/activities`;
      const post = (activity: object) =>
        fetch(activities, { method: 'POST', headers, body: JSON.stringify({ type: 'message', ...activity }) });
      const say = async (text: string) => assert.equal((await post({ text })).status, 200);
      const heard = async () => (await fetch(activities, { headers })).text();
      const ready = async () => (await fetch(`${base}/readyz`)).status;

      await until(async () => (await heard()).includes('How can I help you?'), 'the greeting');
      for (const words of ['payments', '+12025550113']) await say(words);
      assert.match(await heard(), /What would you like to pay for\?/);
      assert.equal(await ready(), 200);
      // First in big steps, then in small ones: in the end not even a word can be stored.
      for (const length of [60_000, 1]) {
        const refused = async () => (await post({ text: '?', channelData: { filling: 'x'.repeat(length) } })).status >= 500;
        await until(refused, 'the disk to be full', 60_000);
      }

      // This choice would send the request.
      assert.ok((await post({ text: '1' })).status >= 500);
      assert.equal(proxy.count(/\/send/), 0);
      await until(async () => (await ready()) === 503, 'the bot to say that it is not ready');
      assert.deepEqual(await (await fetch(`${base}/readyz`)).json(), { status: 'not ready', failing: ['database'] });
      assert.equal((await fetch(`${base}/healthz`)).status, 200);
      assert.equal(running.child.exitCode, null);
    } finally {
      await workshop.close();
      await proxy.close();
      await service.close();
    }
  });
});
