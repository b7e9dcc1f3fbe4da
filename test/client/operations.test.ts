import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { type BootstrapMode, ServiceError, type UniformApps } from '../../src/client/index.ts';
import { type AppId, appIds, type BootstrapRequest } from '../../src/contract/index.ts';
import { type ClientUnderTest, secretKey, startClientUnderTest } from '../support/client-under-test.ts';
import { json, type Seen } from '../support/misbehaving-service.ts';
import { caller, requestId, samples } from '../support/service-samples.ts';

describe('the calls of the interface', () => {
  let under: ClientUnderTest;
  before(async () => {
    under = await startClientUnderTest();
  });
  after(() => under.close());

  /** The one request that was made. */
  const seen = (): Seen => {
    assert.equal(under.service.requests.length, 1);
    const request = under.service.requests[0] as Seen;
    assert.equal(request.headers.authorization, `Bearer ${secretKey}`);
    assert.equal(request.headers['content-type'], request.body === '' ? undefined : 'application/json');
    return request;
  };
  const query = 'phoneNumber=%2B12025550101&sessionRef=session-0001&customerRef=customer-1';

  const asBody = { body: caller, query: '' };
  const asQuery = { body: undefined, query: `?${query}` };
  const enrolment: Record<BootstrapMode, [string, typeof asBody | typeof asQuery]> = {
    body: ['POST', asBody],
    query: ['GET', asQuery],
    post: ['POST', asBody],
  };
  const others: Record<BootstrapMode, [string, typeof asBody | typeof asQuery]> = {
    body: ['GET', asBody],
    query: ['GET', asQuery],
    post: ['POST', asBody],
  };

  const bootstrap = <Id extends AppId>(app: Id, mode: BootstrapMode) => {
    under.service.script(json(200, { ...samples[app].bootstrapped, extra: 'tolerated' }));
    const apps: UniformApps = under.make({ bootstrap: mode }).apps;
    return apps[app].bootstrap(caller as BootstrapRequest<Id>);
  };
  const send = <Id extends AppId>(app: Id) => {
    under.service.script(json(200, { ...samples[app].sent, extra: 'tolerated' }));
    const apps: UniformApps = under.make().apps;
    return apps[app].send(samples[app].send, { idempotencyKey: requestId });
  };

  for (const app of appIds) {
    for (const mode of ['body', 'query', 'post'] as const) {
      const [method, expected] = (app === 'passkeys' ? enrolment : others)[mode];
      it(`${app} bootstraps by ${method} with its fields in the ${expected.body ? 'body' : 'query'} in ${mode} mode`, async () => {
        assert.deepEqual(await bootstrap(app, mode), samples[app].bootstrapped);
        const request = seen();
        assert.equal(request.method, method);
        assert.equal(request.url, `/${app}/bootstrap${expected.query}`);
        assert.deepEqual(request.body === '' ? undefined : JSON.parse(request.body), expected.body);
      });
    }

    it(`${app} sends by POST with its key`, async () => {
      assert.deepEqual(await send(app), samples[app].sent);
      const request = seen();
      assert.equal(`${request.method} ${request.url}`, `POST /${app}/send`);
      assert.deepEqual(JSON.parse(request.body), samples[app].send);
      assert.equal(request.headers['idempotency-key'], requestId);
    });
  }

  it('one-time-passcode checks a code', async () => {
    under.service.script(json(200, { codeMatch: false }));
    const check = { requestId, code: '012345' };
    assert.deepEqual(await under.make().apps['one-time-passcode'].check(check), { codeMatch: false });
    const request = seen();
    assert.equal(`${request.method} ${request.url}`, 'POST /one-time-passcode/check');
    assert.deepEqual(JSON.parse(request.body), check);
  });

  for (const [mode, url, body] of [
    ['body', '/passkeys/bootstrap', JSON.stringify(caller)],
    ['query', `/passkeys/bootstrap?${query}`, ''],
    ['post', `/passkeys/bootstrap?${query}`, ''],
  ] as const) {
    it(`passkeys asks for its configuration by GET in ${mode} mode`, async () => {
      under.service.script(json(200, samples.passkeys.bootstrapped));
      await under.make({ bootstrap: mode }).apps.passkeys.configuration(caller);
      const request = seen();
      assert.deepEqual([request.method, request.url, request.body], ['GET', url, body]);
    });

    it(`passkeys asks for its configuration with nothing at all in ${mode} mode`, async () => {
      under.service.script(json(200, { customers: [], authentication: null }));
      assert.deepEqual(await under.make({ bootstrap: mode }).apps.passkeys.configuration({}), { customers: [], authentication: null });
      const request = seen();
      assert.deepEqual([request.method, request.url, request.body], ['GET', '/passkeys/bootstrap', '']);
    });
  }

  for (const [suffix, prefix] of [
    ['', ''],
    ['/', ''],
    ['/api/v2', '/api/v2'],
    ['/api/v2///', '/api/v2'],
  ]) {
    it(`keeps the path of a base address that ends in "${suffix}"`, async () => {
      under.service.script(json(200, samples.payments.sent));
      const client = under.make({ baseUrl: `${under.service.baseUrl}${suffix}` });
      await client.apps.payments.send(samples.payments.send, { idempotencyKey: requestId });
      assert.equal(seen().url, `${prefix}/payments/send`);
    });
  }

  it('takes any 2xx and any JSON type for an answer', async () => {
    under.service.script(json(201, samples.payments.sent, { 'Content-Type': 'Application/Vnd.Example+JSON; charset=utf-8' }));
    const answer = await under.make().apps.payments.send(samples.payments.send, { idempotencyKey: requestId });
    assert.deepEqual(answer, samples.payments.sent);
  });

  it('waits through early hints for the answer itself', async () => {
    under.service.script((res, seen) => {
      res.writeEarlyHints({ link: '</style.css>; rel=preload' });
      json(200, samples.payments.sent)(res, seen);
    });
    const answer = await under.make().apps.payments.send(samples.payments.send, { idempotencyKey: requestId });
    assert.deepEqual(answer, samples.payments.sent);
  });

  for (const bootstrap of ['body', 'query', 'post'] as const) {
    it(`reuses its connections, with fields as ${bootstrap}`, async () => {
      const client = under.make({ bootstrap });
      under.service.script(json(200, samples.payments.bootstrapped));
      for (let call = 0; call < 10; call++) await client.apps.payments.bootstrap(caller);
      // undici rests a connection for one turn of the event loop, so two may take turns.
      assert.ok(new Set(under.service.requests.map(({ connection }) => connection)).size <= 2);
      assert.equal(under.service.requests.length, 10);
    });
  }

  it('lose nothing but look-ups at a service that takes the body of a GET for its next request', async () => {
    let sends = 0;
    const answer = (head: string): [status: number, body: object] => {
      if (head.startsWith('GET ')) return [200, { ...samples.payments.bootstrapped, customers: [] }];
      if (!head.startsWith('POST /payments/send ')) return [400, {}];
      sends += 1;
      return [200, samples.payments.sent];
    };
    const server = createServer((socket) => {
      let read = '';
      socket.on('data', (chunk) => {
        read += chunk;
        for (let end = read.indexOf(blank); end !== -1; end = read.indexOf(blank)) {
          const head = read.slice(0, end);
          const body = head.startsWith('POST ') ? Number(/content-length: (\d+)/i.exec(head)?.[1]) : 0;
          read = read.slice(end + blank.length + body);
          const [status, said] = answer(head);
          const words = JSON.stringify(said);
          socket.write(`HTTP/1.1 ${status} \r\ncontent-type: application/json\r\ncontent-length: ${words.length}${blank}${words}`);
        }
      });
      socket.on('error', () => {});
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const { apps } = under.make({ baseUrl: `http://127.0.0.1:${port}` });
    for (let call = 0; call < 4; call++) {
      await apps.payments.bootstrap(caller).catch((error: unknown) => assert.ok(error instanceof ServiceError));
      // undici rests a connection for one turn of the event loop; after it, the same one would be used.
      await setImmediate();
      await setImmediate();
      assert.deepEqual(await apps.payments.send(samples.payments.send, { idempotencyKey: requestId }), samples.payments.sent);
    }
    server.close();
    assert.equal(sends, 4);
  });
});

/** What ends a request's head. */
const blank = '\r\n\r\n';
