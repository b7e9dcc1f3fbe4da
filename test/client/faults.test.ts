import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { gzipSync } from 'node:zlib';
import { Agent } from 'undici';
import { CallError, type ClientOptions, ProtocolError, ServiceError, TransportError } from '../../src/client/index.ts';
import { type ClientUnderTest, secretKey, startClientUnderTest } from '../support/client-under-test.ts';
import { failureOf } from '../support/failure-of.ts';
import {
  type Behaviour,
  bytes,
  empty,
  half,
  hang,
  hangInBody,
  json,
  raw,
  refuse,
  reset,
  startMisbehavingService,
} from '../support/misbehaving-service.ts';
import { caller, requestId, samples } from '../support/service-samples.ts';

const asJson = { 'Content-Type': 'application/json' };
const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

/** A call of each kind, and how often a repeatable fault makes the client try it. */
const kinds = {
  bootstrap: { client: {}, attempts: 4 },
  send: { client: {}, attempts: 1 },
  'send with keys honoured': { client: { idempotent: true }, attempts: 4 },
  check: { client: {}, attempts: 1 },
} satisfies Record<string, { client: Partial<ClientOptions>; attempts: number }>;
type Kind = keyof typeof kinds;

describe('a service that misbehaves', () => {
  let under: ClientUnderTest;
  before(async () => {
    under = await startClientUnderTest();
  });
  after(() => under.close());

  const call = (kind: Kind, options: Partial<ClientOptions> = {}) => {
    const { apps } = under.make({ ...kinds[kind].client, ...options });
    if (kind === 'bootstrap') return apps.payments.bootstrap(caller);
    if (kind === 'check') return apps['one-time-passcode'].check({ requestId, code: '123456' });
    return apps.payments.send(samples.payments.send, { idempotencyKey: requestId });
  };
  const faultOf = async (promise: Promise<unknown>): Promise<CallError> => {
    const error = await failureOf(promise, CallError);
    assert.doesNotMatch(`${error.message} ${error.stack}`, new RegExp(`${secretKey}|2025550101|canary`));
    assert.doesNotMatch(inspect(error), new RegExp(`${secretKey}|2025550101`));
    return error;
  };
  /** What an error says, in one line. */
  const told = (error: CallError) =>
    error instanceof TransportError
      ? `${error.name} ${error.code} ${error.sent ? 'sent' : 'not sent'}`
      : error instanceof ServiceError
        ? `${error.name} ${error.status} ${error.code}`
        : `${error.name} ${error.code}`;

  /** What it does, how the call ends, and whether the call is tried again where that is safe. */
  const table: [string, Behaviour, string, 'again' | 'once'][] = [
    ['answers HTML', raw(200, '<h1>canary</h1>', { 'Content-Type': 'text/html' }), 'ProtocolError content_type', 'once'],
    ['answers JSON that says it is text', raw(200, '{}', { 'Content-Type': 'text/plain' }), 'ProtocolError content_type', 'once'],
    ['answers garbage as JSON', raw(200, '{"canary', asJson), 'ProtocolError not_json', 'once'],
    ['answers bytes that are not UTF-8', raw(200, Buffer.from([0x22, 0xff, 0x22]), asJson), 'ProtocolError not_json', 'once'],
    ['answers nothing', empty(200, asJson), 'ProtocolError not_json', 'once'],
    ['answers 204', empty(204), 'ProtocolError not_json', 'once'],
    ['answers an empty object', json(200, {}), 'ProtocolError shape', 'once'],
    ['answers null', json(200, null), 'ProtocolError shape', 'once'],
    ['answers a list', json(200, []), 'ProtocolError shape', 'once'],
    [
      'answers fields of the wrong type',
      json(200, { products: 'canary', customers: 1, requestId: 7, wsToken: null, codeMatch: 'true' }),
      'ProtocolError shape',
      'once',
    ],
    ['answers 33 levels of nesting', raw(200, nested(33), asJson), 'ProtocolError too_deep', 'once'],
    ['answers a hundred thousand levels of nesting', raw(200, nested(100_000), asJson), 'ProtocolError too_deep', 'once'],
    ['answers more than 1 MiB', json(200, 'x'.repeat(1024 * 1024)), 'ProtocolError too_large', 'once'],
    ['answers compressed', raw(200, gzipSync('{}'), { ...asJson, 'Content-Encoding': 'gzip' }), 'ProtocolError encoding', 'once'],
    ['answers endless headers', json(200, {}, { 'X-Long': 'x'.repeat(20_000) }), 'ProtocolError too_large', 'once'],
    ['answers something that is not HTTP', bytes('SSH-2.0-canary\r\n\r\n'), 'ProtocolError http', 'once'],
    ['redirects', empty(307, { Location: '/elsewhere' }), 'ProtocolError redirect', 'once'],
    ['redirects elsewhere', empty(302, { Location: 'http://127.0.0.1:1/' }), 'ProtocolError redirect', 'once'],
    ['answers 400', refuse(400, 'malformed_json'), 'ServiceError 400 malformed_json', 'once'],
    ['answers 401', refuse(401, 'unauthorized'), 'ServiceError 401 unauthorized', 'once'],
    ['answers 403 without a body', empty(403), 'ServiceError 403 http_403', 'once'],
    ['answers 404 as HTML', raw(404, '<h1>canary</h1>', { 'Content-Type': 'text/html' }), 'ServiceError 404 http_404', 'once'],
    ['answers 409 with a code of its own', refuse(409, 'already_active'), 'ServiceError 409 already_active', 'once'],
    ['answers 413', empty(413), 'ServiceError 413 http_413', 'once'],
    ['answers 422', refuse(422, 'invalid'), 'ServiceError 422 invalid', 'once'],
    ['answers 422 with a code that is a text', refuse(422, 'canary +12025550101 is wrong'), 'ServiceError 422 http_422', 'once'],
    ['answers 422 with half a problem', json(422, { code: 'invalid' }), 'ServiceError 422 http_422', 'once'],
    ['answers 429', refuse(429, 'rate_limited'), 'ServiceError 429 rate_limited', 'again'],
    ['answers 500', empty(500), 'ServiceError 500 http_500', 'again'],
    ['answers 501', empty(501), 'ServiceError 501 http_501', 'once'],
    ['answers 502 as HTML', raw(502, '<h1>canary</h1>', { 'Content-Type': 'text/html' }), 'ServiceError 502 http_502', 'again'],
    ['answers 503', refuse(503, 'unavailable'), 'ServiceError 503 unavailable', 'again'],
    ['answers 504', empty(504), 'ServiceError 504 http_504', 'again'],
    ['answers 500 with more than 1 MiB', json(500, 'x'.repeat(1024 * 1024)), 'ServiceError 500 http_500', 'again'],
    ['resets after reading the request', reset, 'TransportError reset sent', 'again'],
    ['closes after reading the request', bytes(''), 'TransportError reset sent', 'again'],
    ['breaks off in its headers', bytes('HTTP/1.1 200 OK\r\nContent-Ty'), 'TransportError reset sent', 'again'],
    ['breaks off in its body', half, 'TransportError reset sent', 'again'],
    ['breaks off in the body of a 422', bytes('HTTP/1.1 422 No\r\nContent-Length: 9\r\n\r\n{'), 'ServiceError 422 http_422', 'once'],
    [
      'switches protocols unasked',
      bytes('HTTP/1.1 101 Now\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'),
      'TransportError reset sent',
      'again',
    ],
  ];
  for (const [what, behaviour, ending, tries] of table) {
    for (const [kind, { attempts }] of Object.entries(kinds) as [Kind, { attempts: number }][]) {
      const expected = tries === 'again' ? attempts : 1;
      it(`that ${what} ends a ${kind} with ${ending} after ${expected} ${expected === 1 ? 'request' : 'requests'}`, async () => {
        under.service.script(behaviour);
        assert.equal(told(await faultOf(call(kind))), ending);
        assert.equal(under.service.requests.length, expected);
        assert.equal(under.pauses.length, expected - 1);
      });
    }
  }

  for (const [what, behaviour] of [
    ['never answers', hang],
    ['never finishes its answer', hangInBody],
  ] as const) {
    for (const kind of Object.keys(kinds) as Kind[]) {
      it(`that ${what} ends a ${kind} at the deadline`, async () => {
        under.service.script(behaviour);
        const error = await faultOf(call(kind, { timeouts: { call: 60 } }));
        assert.equal(told(error), 'TransportError timeout sent');
        assert.equal(under.service.requests.length, 1);
      });
    }
  }

  for (const kind of Object.keys(kinds) as Kind[]) {
    it(`that is not there ends a ${kind} as certainly not sent, after every attempt`, async () => {
      const gone = await startMisbehavingService();
      await gone.close();
      const error = await faultOf(call(kind, { baseUrl: gone.baseUrl }));
      assert.equal(told(error), 'TransportError connect not sent');
      assert.equal(under.pauses.length, 3);
    });

    it(`whose name is not found ends a ${kind} as certainly not sent, after every attempt`, async () => {
      const dispatcher = new Agent({
        connect: { lookup: (_host, _options, found) => found(Object.assign(new Error('canary'), { code: 'ENOTFOUND' }), []) },
      });
      const error = await faultOf(call(kind, { baseUrl: 'http://service.example', dispatcher }));
      await dispatcher.destroy();
      assert.equal(told(error), 'TransportError dns not sent');
      assert.equal(under.pauses.length, 3);
    });

    it(`that speaks no TLS ends a ${kind} as certainly not sent, at once`, async () => {
      const error = await faultOf(call(kind, { baseUrl: under.service.baseUrl.replace('http:', 'https:') }));
      assert.equal(told(error), 'TransportError tls not sent');
      assert.equal(under.pauses.length, 0);
    });

    it(`that never lets a connection come about ends a ${kind} at the deadline as certainly not sent`, async () => {
      const dispatcher = new Agent({ connect: () => {} });
      const error = await faultOf(call(kind, { dispatcher, timeouts: { call: 60 } }));
      assert.equal(told(error), 'TransportError timeout not sent');
      await dispatcher.destroy();
    });
  }

  it('that resets every connection before reading ends a send as one that may have been sent, or tries it again until it is certain', async () => {
    under.service.script(hang);
    under.service.resetConnections(true);
    const error = await faultOf(call('send'));
    under.service.resetConnections(false);
    assert.ok(error instanceof TransportError);
    assert.equal(error.code, error.sent ? 'reset' : 'connect');
    assert.equal(under.service.requests.length, 0);
  });

  it('is tried again once it can be reached, and nothing shows of the failure', async () => {
    under.service.script(reset, empty(503), refuse(429, 'rate_limited'), json(200, samples.payments.bootstrapped));
    assert.deepEqual(await call('bootstrap'), samples.payments.bootstrapped);
    assert.deepEqual(under.pauses, [100, 200, 400]);
  });

  it('names up to ten places where its answer departs from the interface', async () => {
    under.service.script(json(200, { ...samples.payments.bootstrapped, products: Array.from({ length: 20 }, () => ({})) }));
    const error = await faultOf(call('bootstrap'));
    assert.ok(error instanceof ProtocolError);
    assert.equal(error.paths.length, 10);
    assert.equal(error.paths[0], 'products.0.id');
  });

  it('has its request named by its own identifier, and its problem kept out of what is printed', async () => {
    under.service.script(refuse(422, 'invalid', { 'X-Request-Id': '01KAH5Z0V8Q2J9XW3N4M5P6R7S' }));
    const error = await faultOf(call('send'));
    assert.ok(error instanceof ServiceError);
    assert.equal(error.requestId, '01KAH5Z0V8Q2J9XW3N4M5P6R7S');
    assert.equal(error.problem?.detail, 'No.');
    assert.doesNotMatch(JSON.stringify(error), /detail/);
    assert.equal(error.message, 'payments.send: 422 invalid');
  });
});
