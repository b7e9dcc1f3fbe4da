import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Agent, keyOf, openAgent } from '../support/mcp-agent.ts';
import { until } from '../support/until.ts';
import { startWhole, type Whole } from '../support/whole.ts';

// biome-ignore lint/suspicious/noExplicitAny: what is told is looked at as Power Platform sees it.
type Seen = any;

const [mei, quick, productId] = ['+12025550102', '+12025550110', 'energy-bill-november'];

describe('the trigger on outcomes', function () {
  this.timeout(60_000);
  let whole: Whole;
  let agent: Agent;
  let server: Server;
  let url: string;
  let told: { readonly id: string; readonly body: Seen }[];
  let answers: number[];
  beforeEach(async () => {
    [told, answers] = [[], []];
    server = createServer((req, res) => {
      let text = '';
      req.on('data', (data) => {
        text += data;
      });
      req.on('end', () => {
        told.push({ id: String(req.headers['webhook-id']), body: JSON.parse(text) });
        res.statusCode = answers.shift() ?? 202;
        res.end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/workflows/canary?sig=canary-signature`;
    whole = await startWhole();
    agent = await openAgent(whole.bot().links.mcp ?? '', keyOf(whole));
  });
  afterEach(async () => {
    await agent.close();
    await whole.close();
    server.close();
    server.closeAllConnections();
  });
  const ask = (method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${keyOf(whole)}`, ...(body && { 'content-type': 'application/json' }) };
    return fetch(new URL(path, `http://localhost:${whole.bot().port}`), { method, headers, ...(body && { body: JSON.stringify(body) }) });
  };
  const subscribe = async () => {
    const answer = await ask('POST', '/connector/hooks', { notificationUrl: url });
    assert.equal(answer.status, 201);
    return answer.headers.get('location') ?? assert.fail('there is no address to take it back by');
  };
  const tellingOf = (interactionId: string, status?: string) =>
    until(
      () => told.find(({ body }) => body.interactionId === interactionId && (!status || body.outcome.status === status)),
      'the telling',
    );

  it('posts an outcome in the same form as status returns it', async () => {
    await subscribe();
    const { interactionId } = await agent.call('start_payments', { phoneNumber: quick, productId });
    const { body } = await tellingOf(interactionId);
    assert.deepEqual(body, await agent.call('status', { interactionId }));
    assert.equal(body.outcome.details.amount, 128.4);
  });

  it('posts the end of a flow once, and none of its steps', async () => {
    await subscribe();
    const begun = await agent.call('start_flow', { flow: 'settle-bill', phoneNumber: mei, inputs: { product: productId } });
    await whole.service.end(begun.requestId, 'failure');
    const { body } = await tellingOf(begun.interactionId);
    assert.deepEqual([body.flow, body.outcome.status], ['settle-bill', 'cancelled']);
    const asked = await agent.call('start_flow', { flow: 'settle-bill', phoneNumber: mei });
    await whole.service.end(asked.requestId, 'success');
    const { interactionId } = asked;
    await until(async () => (await agent.call('status', { interactionId })).needs?.question, 'the question');
    await agent.call('cancel', { interactionId });
    await tellingOf(interactionId, 'cancelled');
    assert.equal(told.length, 2);
  });

  it('posts again what did not arrive, under the same id', async () => {
    answers = [500, 202];
    await subscribe();
    const { interactionId } = await agent.call('start_payments', { phoneNumber: quick, productId });
    await until(() => told.length === 2, 'the second try');
    assert.deepEqual([told[0]?.id, told[0]?.body.interactionId], [told[1]?.id, interactionId]);
  });

  it('posts what ended while the bot was stopped', async () => {
    await subscribe();
    const { interactionId, requestId } = await agent.call('start_payments', { phoneNumber: mei, productId });
    await whole.stopBot();
    await whole.service.end(requestId, 'success');
    await whole.startBot();
    assert.equal((await tellingOf(interactionId)).body.outcome.status, 'success');
  });

  it('posts nothing more to an address that was removed, or that answers 410', async () => {
    const address = await subscribe();
    assert.equal((await ask('DELETE', address)).status, 204);
    assert.equal((await ask('DELETE', address)).status, 404);
    answers = [410];
    const other = await subscribe();
    const first = await agent.call('start_payments', { phoneNumber: quick, productId });
    await tellingOf(first.interactionId);
    await until(async () => (await ask('DELETE', other)).status === 404, 'the address to be forgotten');
    assert.equal(told.length, 1);
  });

  it('accepts only https addresses with public names if the connector is public', async () => {
    const key = 'the-key-of-the-programs-in-these-tests';
    const open = await startWhole({
      settings: {
        ...{ MicrosoftAppId: '11111111-2222-4333-8444-555555555555', MicrosoftAppPassword: 'x'.repeat(32) },
        ...{ PUBLIC_URL: 'https://chat.example.com', TRUSTED_PROXIES: '1', SERVICE_SECRET_KEY: 'x'.repeat(32), MCP_KEY: key },
      },
    });
    try {
      const status = async (notificationUrl: string) => {
        const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
        const address = `http://127.0.0.1:${open.bot().port}/connector/hooks`;
        return (await fetch(address, { method: 'POST', headers, body: JSON.stringify({ notificationUrl }) })).status;
      };
      const inside = ['127.0.0.1', '2130706433', '0x7f.1', '[::1]', '10.0.0.1', '169.254.169.254', 'localhost', 'intranet', 'a@127.0.0.1'];
      for (const host of inside) assert.equal(await status(`https://${host}/hooks`), 422, host);
      assert.equal(await status('http://flows.example.com/hooks'), 422);
      assert.equal(await status('https://flows.example.com/hooks?sig=canary'), 201);
    } finally {
      await open.close();
    }
  });

  it('takes addresses that can be posted to, and writes none to a log', async () => {
    for (const who of ['user:pw@', 'user@', ':pw@', 'flows.example.com@'])
      assert.equal((await ask('POST', '/connector/hooks', { notificationUrl: `https://${who}example.com/` })).status, 422, who);
    for (const notificationUrl of ['', 'ftp://example.com', 'javascript:alert(1)', undefined, `https://example.com/${'x'.repeat(2000)}`])
      assert.equal((await ask('POST', '/connector/hooks', { notificationUrl })).status, 422, notificationUrl);
    await subscribe();
    const { interactionId } = await agent.call('start_payments', { phoneNumber: quick, productId });
    await tellingOf(interactionId);
    assert.doesNotMatch(whole.lines.join(''), /canary/);
  });
});
