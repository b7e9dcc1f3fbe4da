import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { request } from 'undici';
import { type Agent, openAgent } from '../support/mcp-agent.ts';
import { startWhole, type Whole } from '../support/whole.ts';

const key = 'the-key-of-the-agents-in-these-tests';
const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
const accept = 'application/json, text/event-stream';

describe('the address for agents', function () {
  this.timeout(60_000);
  let issuer: string;
  let server: Server;
  let whole: Whole;
  let tokenOf: (sub: string) => Promise<string>;
  let url: string;
  before(async () => {
    const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
    const jwk = await exportJWK(publicKey);
    server = createServer((req, res) =>
      res.end(
        JSON.stringify(req.url === '/keys' ? { keys: [{ ...jwk, alg: 'RS256', kid: 'k' }] } : { issuer, jwks_uri: `${issuer}/keys` }),
      ),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    whole = await startWhole({ settings: { MCP_KEY: key, MCP_ISSUER: issuer, MCP_SCOPE: 'customers:ask' } });
    url = whole.bot().links.mcp ?? '';
    tokenOf = (sub) =>
      new SignJWT({ sub, scope: 'customers:ask' })
        .setProtectedHeader({ alg: 'RS256', kid: 'k' })
        .setIssuer(issuer)
        .setAudience(url)
        .setExpirationTime('5m')
        .sign(privateKey);
  });
  after(async () => {
    await whole.close();
    server.close();
  });
  const post = async (body: unknown, headers: Record<string, string> = {}) => {
    const usual = { 'content-type': 'application/json', accept, authorization: `Bearer ${key}`, ...headers };
    const response = await request(url, { method: 'POST', headers: usual, body: typeof body === 'string' ? body : JSON.stringify(body) });
    const text = await response.body.text();
    return { status: response.statusCode, headers: response.headers, text, body: text === '' ? undefined : JSON.parse(text) };
  };

  it('takes one message at a time', async () => {
    for (const batch of [[], [ping], Array(100).fill(ping)]) {
      const { status, body } = await post(batch);
      assert.deepEqual([status, body.error], [400, { code: -32600, message: 'Send one message at a time.' }]);
    }
    assert.equal((await post(ping)).status, 200);
  });

  it('reads no body of a caller without a key', async () => {
    for (const address of [url, ...['hooks', 'verify'].map((path) => new URL(`/connector/${path}`, url).href)]) {
      const headers = { 'content-type': 'application/json', accept };
      const refused = await fetch(address, { method: 'POST', headers, body: '{' });
      assert.equal(refused.status, 401, address);
      const read = await fetch(address, { method: 'POST', headers: { ...headers, authorization: `Bearer ${key}` }, body: '{' });
      assert.equal(read.status, 400, address);
    }
  });

  it('names its resource metadata to callers without a key', async () => {
    const { status, headers } = await post(ping, { authorization: '' });
    assert.equal(status, 401);
    const metadata = /^Bearer scope="customers:ask", resource_metadata="([^"]+)"$/.exec(String(headers['www-authenticate']))?.[1] ?? '';
    for (const address of [metadata, new URL('/.well-known/oauth-protected-resource', url).href]) {
      const answer = await fetch(address);
      assert.equal(answer.status, 200);
      assert.deepEqual(await answer.json(), {
        resource: url,
        authorization_servers: [issuer],
        scopes_supported: ['customers:ask'],
        bearer_methods_supported: ['header'],
        resource_name: 'Countersign',
      });
    }
    assert.match(String((await post(ping, { authorization: 'Bearer wrong' })).headers['www-authenticate']), /error="invalid_token"/);
  });

  it('answers in JSON, keeps no session, and needs none', async () => {
    const { status, headers, body } = await post(ping);
    assert.deepEqual([status, body], [200, { jsonrpc: '2.0', id: 1, result: {} }]);
    assert.equal(headers['mcp-session-id'], undefined);
    assert.equal((await post({ jsonrpc: '2.0', method: 'notifications/initialized' })).status, 202);
    for (const method of ['GET', 'DELETE'] as const) assert.equal((await request(url, { method })).statusCode, 405);
  });

  const odd: [what: string, body: unknown, headers: Record<string, string>, status: number][] = [
    ['a page of another site', ping, { origin: 'https://evil.example.com' }, 403],
    ['another version of the protocol', ping, { 'mcp-protocol-version': '1999-01-01' }, 400],
    ['a client that takes no answer of ours', ping, { accept: 'text/html' }, 406],
    ['what is no JSON', '{', {}, 400],
    ['what is no message', { hello: 'you' }, {}, 400],
    ['what is too large', { ...ping, params: { x: 'x'.repeat(70_000) } }, {}, 413],
    ['what is no JSON by its type', JSON.stringify(ping), { 'content-type': 'text/plain' }, 415],
  ];
  for (const [what, body, headers, status] of odd)
    it(`refuses ${what}`, async () => {
      assert.equal((await post(body, headers)).status, status);
    });

  it('accepts a page of its own origin', async () => {
    assert.equal((await post(ping, { origin: new URL(url).origin })).status, 200);
  });

  it('shows what a program started to no other program', async () => {
    const open: Agent[] = [];
    try {
      for (const bearer of [key, await tokenOf('olga'), await tokenOf('victor')]) open.push(await openAgent(url, bearer));
      for (const owner of open) {
        const app = await owner.call('start_payments', { phoneNumber: '+12025550102', productId: 'fibre-router' });
        const flow = await owner.call('start_flow', { flow: 'change-of-address', phoneNumber: '+12025550102' });
        for (const { interactionId } of [app, flow])
          for (const agent of open) {
            const calls: [string, object][] = [
              ['status', {}],
              ['wait', { seconds: 0 }],
              ['answer', { answer: 'yes' }],
              ['check_passcode', { code: '123456' }],
              ['cancel', {}],
            ];
            if (agent === owner) assert.equal((await agent.call('status', { interactionId })).interactionId, interactionId);
            else
              for (const [tool, more] of calls)
                assert.equal((await agent.refusal(tool, { interactionId, ...more })).code, 'not_found', tool);
          }
        const stranger = open.find((agent) => agent !== owner) as Agent;
        const again = { id: app.interactionId, phoneNumber: '+12025550102' };
        assert.equal((await stranger.refusal('start_passkeys', again)).code, 'id_taken');
        assert.equal((await stranger.refusal('start_flow', { ...again, flow: 'settle-bill', id: flow.interactionId })).code, 'not_found');
        for (const { interactionId } of [app, flow]) await owner.call('cancel', { interactionId });
      }
    } finally {
      for (const agent of open) await agent.close();
    }
  });

  it('lets each program start a hundred requests a minute', async () => {
    const [hasty, calm] = [await openAgent(url, await tokenOf('hasty')), await openAgent(url, await tokenOf('calm'))];
    try {
      const start = async (agent: Agent) =>
        (await agent.refusal('start_payments', { phoneNumber: '+12025550199', productId: 'fibre-router' })).code;
      for (let starts = 0; starts < 100; starts += 1) assert.equal(await start(hasty), 'invalid_request');
      assert.equal(await start(hasty), 'too_many_starts');
      assert.equal(await start(calm), 'invalid_request');
    } finally {
      await hasty.close();
      await calm.close();
    }
  });

  it('accepts no channel’s messages in a program’s conversation', async () => {
    const agent = await openAgent(url, key);
    try {
      const { interactionId } = await agent.call('start_flow', { flow: 'settle-bill', phoneNumber: '+12025550102' });
      const statusOf = async (channelId: string) => {
        const activity = { type: 'message', text: 'cancel', channelId, serviceUrl: channelId, conversation: { id: interactionId } };
        const body = JSON.stringify({ ...activity, id: 'a1', from: { id: 'key' }, recipient: { id: 'countersign' } });
        const answer = await request(new URL('/api/messages', url), {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body,
        });
        await answer.body.dump();
        return answer.statusCode;
      };
      assert.equal(await statusOf('urn:countersign:programs'), 400);
      assert.ok((await statusOf('programs')) >= 400);
      assert.equal((await agent.call('status', { interactionId })).state, 'pending');
      await agent.call('cancel', { interactionId });
    } finally {
      await agent.close();
    }
  });

  it('logs neither keys nor tokens, nor their subjects', async () => {
    const lines = whole.lines.join('');
    assert.doesNotMatch(lines, /eyJ|olga|victor|the-key-of/);
    assert.ok(!lines.includes(createHash('sha256').update(key).digest('hex')));
  });

  it('does not exist in production without a key or an authorization server', async () => {
    const closed = await startWhole({
      settings: {
        ...{ MicrosoftAppId: '11111111-2222-4333-8444-555555555555', MicrosoftAppPassword: 'x'.repeat(32) },
        ...{ PUBLIC_URL: 'https://chat.example.com', TRUSTED_PROXIES: '1', SERVICE_SECRET_KEY: 'x'.repeat(32) },
      },
    });
    try {
      assert.equal(closed.bot().links.mcp, undefined);
      for (const path of ['/mcp', '/.well-known/oauth-protected-resource'])
        assert.equal((await fetch(`http://127.0.0.1:${closed.bot().port}${path}`, { method: 'POST' })).status, 404);
    } finally {
      await closed.close();
    }
  });
});
