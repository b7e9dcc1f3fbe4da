import assert from 'node:assert/strict';
import { type AddressInfo, createServer, type Server } from 'node:net';
import type { Agent } from 'undici';
import type { AccessToken } from '../../../src/bot/authentication/tokens.ts';
import { onHosts, onLoopbackOnly, type ServiceUrlCheck } from '../../../src/bot/envelope.ts';
import { asConnectorClient, ConnectorError } from '../../../src/bot/outgoing/connector.ts';
import { makeConnectorDispatcher, makeHttpConnector } from '../../../src/bot/outgoing/http-connector.ts';
import { systemClock } from '../../../src/platform/time/clock.ts';
import { answering, type Channel, openChannel } from '../../support/channel.ts';

describe('the HTTP connector', () => {
  let channel: Channel;
  let dispatcher: Agent;
  before(async () => {
    channel = await openChannel();
    dispatcher = makeConnectorDispatcher('loopback');
  });
  beforeEach(() => {
    channel.received.length = 0;
    channel.next.length = 0;
  });
  after(async () => {
    await dispatcher.destroy();
    await channel.close();
  });

  const connectorTo = ({
    serviceUrl = channel.serviceUrl,
    allowed = onLoopbackOnly,
    token,
    ...options
  }: { serviceUrl?: string; allowed?: ServiceUrlCheck; token?: AccessToken } & Partial<Parameters<typeof makeHttpConnector>[3]> = {}) =>
    makeHttpConnector(serviceUrl, allowed, token, { dispatcher, clock: systemClock, ...options });
  const hello = { type: 'message', text: 'Hello' };

  it('posts to a conversation', async () => {
    assert.deepEqual(await connectorTo().post('c1', hello), { id: 'a1' });
    const [request] = channel.received;
    assert.deepEqual([request?.method, request?.path, request?.body], ['POST', '/v3/conversations/c1/activities', hello]);
    assert.equal(request?.headers['content-type'], 'application/json');
    assert.equal(request?.headers.authorization, undefined);
  });

  it('posts a reply below the path of the service URL, with every id encoded', async () => {
    await connectorTo({ serviceUrl: `${channel.serviceUrl}/amer/` }).post('19:a/b?c#d@thread.v2;messageid=1', hello, 'f:1 2%');
    assert.equal(
      channel.received[0]?.path,
      '/amer/v3/conversations/19%3Aa%2Fb%3Fc%23d%40thread.v2%3Bmessageid%3D1/activities/f%3A1%202%25',
    );
  });

  it('updates and removes', async () => {
    assert.deepEqual(await connectorTo().update('c1', 'a9', hello), { id: 'a1' });
    await connectorTo().remove('c1', 'a9');
    assert.deepEqual(
      channel.received.map(({ method, path }) => [method, path]),
      [
        ['PUT', '/v3/conversations/c1/activities/a9'],
        ['DELETE', '/v3/conversations/c1/activities/a9'],
      ],
    );
  });

  it('keeps the id of an update that is answered without one', async () => {
    channel.next.push(answering(200));
    assert.deepEqual(await connectorTo().update('c1', 'a9', hello), { id: 'a9' });
  });

  it('sends the bearer token', async () => {
    await connectorTo({ token: { get: async () => 'secret', renew: () => {} } }).post('c1', hello);
    assert.equal(channel.received[0]?.headers.authorization, 'Bearer secret');
  });

  for (const status of [404, 405, 410, 501]) {
    it(`says that an update answered with ${status} needs a new activity`, async () => {
      channel.next.push(answering(status));
      assert.equal(await connectorTo().update('c1', 'a9', hello), undefined);
    });
  }

  for (const status of [404, 410]) {
    it(`treats a removal answered with ${status} as done`, async () => {
      channel.next.push(answering(status));
      await connectorTo().remove('c1', 'a9');
    });
  }

  const failing = async (attempt: Promise<unknown>): Promise<ConnectorError> => {
    const fault = await attempt.then(
      () => assert.fail('it worked'),
      (thrown: unknown) => thrown,
    );
    assert.ok(fault instanceof ConnectorError, String(fault));
    return fault;
  };

  const statuses: [status: number, code: string, kind: 'final' | 'ambiguous' | 'again'][] = [
    [301, 'unexpected_answer', 'again'],
    [302, 'unexpected_answer', 'again'],
    [307, 'unexpected_answer', 'again'],
    [400, 'rejected', 'final'],
    [401, 'unauthorized', 'again'],
    [403, 'gone', 'final'],
    [404, 'gone', 'final'],
    [409, 'rejected', 'final'],
    [412, 'busy', 'again'],
    [413, 'rejected', 'final'],
    [429, 'busy', 'again'],
    [500, 'uncertain', 'ambiguous'],
    [502, 'busy', 'again'],
    [503, 'uncertain', 'ambiguous'],
    [504, 'busy', 'again'],
  ];
  for (const [status, code, kind] of statuses) {
    it(`answers ${status} with ${code} (${kind}) after one post`, async () => {
      channel.next.push(answering(status, { location: `${channel.serviceUrl}/elsewhere` }));
      const fault = await failing(connectorTo().post('c1', hello));
      assert.deepEqual([fault.code, fault.status], [code, status]);
      assert.deepEqual([fault.final, fault.ambiguous], [kind === 'final', kind === 'ambiguous']);
      assert.equal((fault as { final?: unknown }).final === true, kind === 'final');
      assert.equal(channel.received.length, 1);
    });
  }

  it('tells how long to wait and what the channel calls it', async () => {
    channel.next.push(
      answering(429, { 'retry-after': '7' }, JSON.stringify({ error: { code: 'TooManyRequests', message: '+12025550101' } })),
    );
    const fault = await failing(connectorTo().post('c1', hello));
    assert.deepEqual([fault.retryAfter, fault.reason], [7000, 'TooManyRequests']);
    assert.doesNotMatch(String(fault.stack), /2025550101/);
  });

  it('keeps no reason that could identify a person', async () => {
    channel.next.push(answering(403, {}, JSON.stringify({ error: { code: '12025550101' } })));
    assert.equal((await failing(connectorTo().post('c1', hello))).reason, undefined);
  });

  it('asks for a new token after 401', async () => {
    let renewed = 0;
    channel.next.push(answering(401));
    await failing(connectorTo({ token: { get: async () => 'old', renew: () => void renewed++ } }).post('c1', hello));
    assert.equal(renewed, 1);
  });

  it('sends nothing when there is no token', async () => {
    const get = async (): Promise<string> => {
      throw new Error('secret');
    };
    const fault = await failing(connectorTo({ token: { get, renew: () => {} } }).post('c1', hello));
    assert.deepEqual([fault.code, fault.ambiguous, fault.final], ['no_token', false, false]);
    assert.equal(channel.received.length, 0);
  });

  const answersThatWereTaken: [string, Parameters<typeof answering>][] = [
    ['no body', [200]],
    ['a body that is no JSON', [201, {}, '<html>']],
    ['a body without an id', [202, {}, '{}']],
    ['an id that is no text', [200, {}, '{"id":1}']],
    ['a body without end', [200, {}, JSON.stringify({ id: 'x'.repeat(100_000) })]],
  ];
  for (const [what, answer] of answersThatWereTaken) {
    it(`treats a 2xx with ${what} as posted`, async () => {
      channel.next.push(answering(...answer));
      assert.deepEqual(await connectorTo().post('c1', hello), { id: '' });
      assert.equal(channel.received.length, 1);
    });
  }

  it('treats a 2xx that breaks off as posted', async () => {
    channel.next.push((_req, res) => {
      res.writeHead(200, { 'content-length': '100' });
      res.write('{"id":');
      setImmediate(() => res.destroy());
    });
    assert.deepEqual(await connectorTo().post('c1', hello), { id: '' });
  });

  it('cannot tell whether a post that was reset arrived, and does not repeat it', async () => {
    channel.next.push((req) => req.socket.destroy());
    const fault = await failing(connectorTo().post('c1', hello));
    assert.deepEqual([fault.code, fault.ambiguous], ['no_answer', true]);
    assert.equal(channel.received.length, 1);
  });

  it('cannot tell whether a post that was never answered arrived', async () => {
    channel.next.push(() => {});
    const fault = await failing(connectorTo({ deadline: 100 }).post('c1', hello));
    assert.deepEqual([fault.code, fault.ambiguous], ['no_answer', true]);
    assert.equal(channel.received.length, 1);
  });

  it('knows that nothing was sent when nobody listens', async () => {
    const server: Server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const fault = await failing(connectorTo({ serviceUrl: `http://127.0.0.1:${port}` }).post('c1', hello));
    assert.deepEqual([fault.code, fault.ambiguous, fault.final], ['unreachable', false, false]);
  });

  it('sends nothing to an address that is not allowed', async () => {
    for (const serviceUrl of [channel.serviceUrl, 'https://evil.example/', 'urn:countersign:directline', 'nonsense']) {
      const fault = await failing(connectorTo({ serviceUrl, allowed: onHosts() }).post('c1', hello));
      assert.deepEqual([fault.code, fault.final], ['refused_address', true]);
    }
    assert.equal(channel.received.length, 0);
  });

  for (const id of ['', '.', '..', '\ud800']) {
    it(`refuses ${JSON.stringify(id)} as part of a path`, async () => {
      assert.equal((await failing(connectorTo().post(id, hello))).code, 'refused_address');
      assert.equal((await failing(connectorTo().post('c1', hello, id))).code, 'refused_address');
      assert.equal(channel.received.length, 0);
    });
  }

  describe('as the client the adapter calls', () => {
    it('sends, replies, updates and deletes', async () => {
      const { conversations } = asConnectorClient(connectorTo());
      await conversations.sendToConversation('c1', hello);
      await conversations.replyToActivity('c1', 'a0', hello);
      await conversations.updateActivity('c1', 'a0', hello);
      await conversations.deleteActivity('c1', 'a0');
      assert.deepEqual(
        channel.received.map(({ method, path }) => `${method} ${path}`),
        [
          'POST /v3/conversations/c1/activities',
          ...['POST', 'PUT', 'DELETE'].map((method) => `${method} /v3/conversations/c1/activities/a0`),
        ],
      );
    });

    it('throws for operations that it does not support', async () => {
      const { conversations } = asConnectorClient(connectorTo());
      assert.equal((await failing(conversations.getConversationMembers('c1'))).code, 'not_supported');
    });
  });
});
