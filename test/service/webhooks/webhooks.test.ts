import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { deadWebhooks, resultRecord, revivedWebhook, webhookPayload } from '../../../src/contract/index.ts';
import { makeLog } from '../../../src/platform/log.ts';
import { makePost, makeWebhookAgent } from '../../../src/platform/outgoing/webhook-post.ts';
import { SettingsError } from '../../../src/platform/settings/settings-error.ts';
import { systemClock } from '../../../src/platform/time/clock.ts';
import { assertProblem } from '../../support/assert-problem.ts';
import { onEachDatabase } from '../../support/each-database.ts';
import { failureOf } from '../../support/failure-of.ts';
import { ownCatalogue } from '../../support/own-catalogue.ts';
import { startTestService, type TestService } from '../../support/running-service.ts';
import { sendBody, shortAnswer, shortForm } from '../../support/sends.ts';
import { makeTestTime, type TestTime } from '../../support/test-time.ts';
import { twoAccounts } from '../../support/two-accounts.ts';
import { until } from '../../support/until.ts';
import { openWebhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.ts';

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;
const minute = 60_000;
const hour = 60 * minute;

onEachDatabase('webhooks to an account', (startTestService) => {
  let folder: string;
  let time: TestTime;
  let receiver: WebhookReceiver;
  let service: TestService;
  const secret = newSecret();
  const log: string[] = [];

  const start = async (webhooks: object[] = [{ url: receiver.url, secret }], environment = {}) => {
    time = makeTestTime(Date.now());
    const catalogueFile = ownCatalogue(folder, (catalogue) => {
      catalogue.webhooks = webhooks;
    });
    const writing = makeLog('debug', { write: (line) => void log.push(line) });
    service = await startTestService({ clock: time.clock, alarm: time.alarm, catalogueFile, environment, log: writing });
  };
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-webhooks-'));
    receiver = await openWebhookReceiver();
  });
  afterEach(async () => {
    await service.close();
    await receiver.close();
    rmSync(folder, { recursive: true });
  });

  const advance = (milliseconds: number) => time.advance(milliseconds, () => service.running.settled());
  const send = async (ending?: '0102' | '0111' | '0112') =>
    (await service.call('POST', '/e-form/send', { body: shortForm(ending) })).json.requestId as string;
  const types = () => receiver.received.map(({ payload }) => payload.type);
  const dead = async () => deadWebhooks.parse((await service.call('GET', '/webhooks/dead')).json).webhooks;
  const complete = async () => {
    const link = (await service.outbox())[0]?.link ?? '';
    await service.open('POST', link, { body: new URLSearchParams(shortAnswer) });
    await advance(0);
  };

  it('report the whole history of a request, and its result as the results endpoint has it', async () => {
    await start();
    const id = await send();
    await advance(0);
    await complete();
    assert.deepEqual(types().sort(), ['task.bootstrapped', 'task.sent', 'task.started', 'task.succeeded']);
    for (const { payload } of receiver.received) webhookPayload.strict().parse(payload);
    const last = receiver.received.find(({ payload }) => payload.type === 'task.succeeded');
    assert.deepEqual(last?.payload.data, {
      request: { id, app: 'e-form', state: 'success' },
      session: { ref: 'session-0001' },
      customer: { ref: 'cust-0102-mei' },
      result: (await service.call('GET', `/results/${id}`)).json,
    });
    resultRecord.parse(last?.payload.data.result);
  });

  it('report how every request ends, the withdrawn ones too', async () => {
    await start();
    await send('0111');
    await advance(1000);
    await send('0112');
    await advance(2000);
    const id = await send();
    await service.call('POST', `/requests/${id}/cancel`);
    await advance(0);
    const endings = receiver.received.filter(({ payload }) => payload.data.request.state !== 'pending').map(({ payload }) => payload);
    assert.deepEqual(
      endings.map(({ type, data }) => [type, data.request.state, data.result?.status]),
      [
        ['task.failed', 'failure', 'failure'],
        ['task.timed_out', 'timeout', 'timeout'],
        ['request.cancelled', 'cancelled', undefined],
      ],
    );
  });

  it('contain no personal data except the result', async () => {
    await start();
    await send();
    await advance(0);
    for (const { raw } of receiver.received) for (const canary of ['2025550102', 'Mei', 'mei.tanaka']) assert.ok(!raw.includes(canary));
  });

  it('are signed so that an independent library verifies them', async () => {
    await start();
    await send();
    await advance(0);
    const [{ raw, headers } = assert.fail('nothing')] = receiver.received;
    const verified = new Webhook(secret).verify(raw, headers as Record<string, string>);
    assert.deepEqual(verified, JSON.parse(raw));
    assert.throws(() => new Webhook(newSecret()).verify(raw, headers as Record<string, string>));
    assert.throws(() => new Webhook(secret).verify(raw.replace('pending', 'success'), headers as Record<string, string>));
    assert.equal(headers['content-type'], 'application/json');
  });

  it('are signed with every secret while one is being changed', async () => {
    const [older, newer] = [newSecret(), newSecret()];
    await start([{ url: receiver.url, secret: [older, newer] }]);
    await send();
    await advance(0);
    const [{ raw, headers } = assert.fail('nothing')] = receiver.received;
    assert.equal(String(headers['webhook-signature']).split(' ').length, 2);
    for (const one of [older, newer]) new Webhook(one).verify(raw, headers as Record<string, string>);
  });

  it('are signed with secrets from the environment and a file, not from the catalogue', async () => {
    const [older, newer] = [newSecret(), newSecret()];
    writeFileSync(join(folder, 'webhook.secret'), `${newer}\n`);
    await start([{ url: receiver.url, secret: [{ env: 'WEBHOOK_SECRET' }, { file: 'webhook.secret' }] }], { WEBHOOK_SECRET: older });
    await send();
    await advance(0);
    const [{ raw, headers } = assert.fail('nothing')] = receiver.received;
    assert.equal(String(headers['webhook-signature']).split(' ').length, 2);
    for (const one of [older, newer]) new Webhook(one).verify(raw, headers as Record<string, string>);
    assert.doesNotMatch(readFileSync(join(folder, 'catalogue.yaml'), 'utf8'), /whsec_/);
  });

  it('go to each endpoint that subscribes, and a failing one delays no other', async () => {
    const other = await openWebhookReceiver();
    try {
      await start([
        { url: receiver.url, secret },
        { url: other.url, secret, events: ['task.succeeded', 'task.failed'] },
      ]);
      receiver.answer = 503;
      await send('0111');
      await advance(1000);
      assert.deepEqual(
        other.received.map(({ payload }) => payload.type),
        ['task.failed'],
      );
    } finally {
      await other.close();
    }
  });

  it('are sent again by the schedule of the specification, under one identifier, until they are given up', async () => {
    await start([{ url: receiver.url, secret, events: ['task.sent'] }]);
    const posted: number[] = [];
    receiver.answer = (res) => {
      posted.push(time.clock.now());
      res.statusCode = 500;
      res.end();
    };
    await send();
    await advance(200 * hour);
    const waits = [5000, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour];
    assert.equal(posted.length, waits.length + 1);
    for (const [index, wait] of waits.entries()) {
      const waited = (posted[index + 1] ?? 0) - (posted[index] ?? 0);
      assert.ok(waited >= wait && waited <= wait * 1.2, `${waited} for ${wait}`);
    }
    assert.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, 1);
    const stamps = receiver.received.map(({ headers }) => Number(headers['webhook-timestamp']));
    assert.ok((stamps.at(-1) ?? 0) - (stamps[0] ?? 0) > 75 * 3600, 'signed anew each time');
    for (const { raw, headers } of receiver.received) {
      const stamp = new Date(Number(headers['webhook-timestamp']) * 1000);
      assert.equal(headers['webhook-signature'], new Webhook(secret).sign(String(headers['webhook-id']), stamp, raw));
    }
    const [{ code, attempts } = assert.fail('none')] = await dead();
    assert.deepEqual([code, attempts], ['http_500', 10]);
    const { text } = await service.open('GET', `${service.running.baseUrl}/metrics`);
    assert.match(text, /^countersign_service_given_up_total\{kind="webhooks"\} 1$/m);
  });

  it('are resent after a restart, and posted only once they are durable', async () => {
    await start();
    receiver.answer = 500;
    await send('0111');
    await advance(1000);
    receiver.answer = 200;
    await service.restart();
    const before = receiver.received.length;
    await advance(10 * minute);
    const again = receiver.received.slice(before).map(({ headers }) => headers['webhook-id']);
    const ids = new Set(receiver.received.slice(0, before).map(({ headers }) => headers['webhook-id']));
    assert.deepEqual(new Set(again), ids);
    assert.deepEqual(await dead(), []);
  });

  it('wait as long as the endpoint asks', async () => {
    await start([{ url: receiver.url, secret, events: ['task.sent'] }]);
    receiver.answer = (res) => {
      res.writeHead(429, { 'retry-after': '120' });
      res.end();
    };
    await send();
    await advance(119_999);
    assert.equal(receiver.received.length, 1);
    // And up to a fifth longer, so that many do not come back at one instant.
    await advance(24_001);
    assert.equal(receiver.received.length, 2);
  });

  it('do not follow redirects', async () => {
    const elsewhere = await openWebhookReceiver();
    try {
      await start([{ url: receiver.url, secret, events: ['task.sent'] }]);
      receiver.answer = (res) => {
        res.writeHead(307, { location: elsewhere.url });
        res.end();
      };
      await send();
      await advance(minute);
      assert.deepEqual([receiver.received.length, elsewhere.received.length], [2, 0]);
    } finally {
      await elsewhere.close();
    }
  });

  it('stop if the endpoint says that it is gone, and can be resent when it is back', async () => {
    await start([{ url: receiver.url, secret, events: ['task.sent'] }]);
    receiver.answer = 410;
    await send();
    await advance(0);
    await send();
    await advance(24 * hour);
    assert.equal(receiver.received.length, 1);
    const buried = await dead();
    assert.deepEqual(buried.map(({ code }) => code).sort(), ['endpoint_gone', 'http_410']);
    receiver.answer = 200;
    for (const { id } of buried) {
      const { status, json } = await service.call('POST', `/webhooks/dead/${id}/retry`);
      assert.equal(status, 200);
      revivedWebhook.parse(json);
    }
    await advance(0);
    assert.equal(receiver.received.length, 3);
    assert.deepEqual(await dead(), []);
    await send();
    await advance(0);
    assert.equal(receiver.received.length, 4);
  });

  it('that were given up are visible to their own account only, and resent once', async () => {
    await start([{ url: receiver.url, secret, events: ['task.sent'] }]);
    receiver.answer = 410;
    await send();
    await advance(0);
    const [{ id } = assert.fail('none')] = await dead();
    for (const headers of [{ authorization: '' }, { authorization: 'Bearer canary' }]) {
      assertProblem(await service.call('GET', '/webhooks/dead', { headers }), 401, 'unauthorized');
      assertProblem(await service.call('POST', `/webhooks/dead/${id}/retry`, { headers }), 401, 'unauthorized');
    }
    assertProblem(await service.call('POST', '/webhooks/dead/01KAH5Z0V8Q2J9XW3N4M5P6R7S/retry'), 404, 'not_found');
    assertProblem(await service.call('POST', '/webhooks/dead/nothing/retry'), 422, 'invalid_request', 'id');
    receiver.answer = 200;
    assert.equal((await service.call('POST', `/webhooks/dead/${id.toLowerCase()}/retry`)).status, 200);
    assertProblem(await service.call('POST', `/webhooks/dead/${id}/retry`), 404, 'not_found');
  });

  for (const another of [false, true])
    it(`of an endpoint that their account no longer has are put aside${another ? ', although another account has it' : ''}`, async () => {
      const endpoints = [{ url: receiver.url, secret, events: ['task.sent'] }];
      await start(endpoints);
      receiver.answer = 500;
      await send();
      await advance(0);
      ownCatalogue(folder, (catalogue) => {
        if (!another) return;
        twoAccounts(catalogue);
        catalogue.accounts[1].webhooks = endpoints;
      });
      await service.restart();
      await advance(0);
      assert.deepEqual(
        (await dead()).map(({ code }) => code),
        ['endpoint_removed'],
      );
    });

  it('that hang are cut off by a stop, and posted again by the next start', async () => {
    await start([{ url: receiver.url, secret, events: ['task.sent'] }]);
    receiver.answer = () => {};
    await send();
    await until(() => receiver.received.length === 1);
    receiver.answer = 200;
    const began = performance.now();
    await service.restart();
    assert.ok(performance.now() - began < 5000);
    await advance(0);
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    assert.deepEqual([ids.length, new Set(ids).size], [2, 1]);
  });

  it('leave neither secret nor address in the log', async () => {
    await start();
    receiver.answer = 500;
    await send();
    await advance(minute);
    const written = log.join('');
    for (const canary of [secret, secret.slice(6), `:${receiver.port}`, 'canary']) assert.ok(!written.includes(canary), canary);
  });
});

describe('the endpoints of a catalogue', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-webhooks-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const secret = newSecret();
  const url = 'https://hooks.example.com/countersign';

  const refusal = async (webhooks: unknown, demo: boolean) => {
    const catalogueFile = ownCatalogue(folder, (catalogue) => {
      catalogue.webhooks = webhooks;
    });
    const delivery = { deliver: async () => ({ accepted: true as const }) };
    const environment = { WRONG: 'canary', EMPTY: ' ' };
    return (await failureOf(startTestService({ demo, delivery, catalogueFile, environment }), SettingsError)).lines.join('\n');
  };

  const never: [string, unknown, RegExp][] = [
    ['no address', [{ url: 'hooks', secret }], /webhooks\.0\.url: must be an https address\.$/],
    ['plain http', [{ url: 'http://hooks.example.com', secret }], /webhooks\.0\.url: must be an https address\.$/],
    ['http to a name that begins like this machine', [{ url: 'http://localhost.example.com', secret }], /url: must be an https address/],
    ['credentials', [{ url: 'https://a:b@hooks.example.com', secret }], /without credentials/],
    ['a short secret', [{ url, secret: 'whsec_c2hvcnQ=' }], /webhooks\.0\.secret\.0: .*whsec_/],
    ['a secret of no form', [{ url, secret: 'canary' }], /webhooks\.0\.secret\.0: /],
    [
      'a variable that is not set',
      [{ url, secret: { env: 'NOT_SET' } }],
      /secret\.0: names a secret that is not there: .* NOT_SET is missing/,
    ],
    ['an empty variable', [{ url, secret: [secret, { env: 'EMPTY' }] }], /webhooks\.0\.secret\.1: names a secret that is not there: /],
    [
      'a file that is not there',
      [{ url, secret: { file: 'nowhere' } }],
      /secret\.0: names a secret that is not there: the file cannot be read/,
    ],
    ['a variable that holds no secret', [{ url, secret: { env: 'WRONG' } }], /secret\.0: names a secret that is none: .* must hold whsec_/],
    ['a secret in two places', [{ url, secret: { env: 'WRONG', file: 'x' } }], /webhooks\.0\.secret\.0: must have either env or file\.$/],
    ['a secret that is nowhere', [{ url, secret: {} }], /webhooks\.0\.secret\.0: must have either env or file\.$/],
    ['a secret in another way', [{ url, secret: { value: 'canary' } }], /webhooks\.0\.secret\.0\.value: is not known here\.$/m],
    ['a secret that is a number', [{ url, secret: 7 }], /webhooks\.0\.secret\.0: must be an object\.$/],
    ['no secret', [{ url }], /webhooks\.0\.secret: is required/],
    ['an event that is none', [{ url, secret, events: ['task.exploded'] }], /webhooks\.0\.events\.0: must be one of/],
    [
      'one address twice',
      [
        { url, secret },
        { url, secret },
      ],
      /webhooks\.1\.url: is used twice\.$/,
    ],
    ['an unknown field', [{ url, secret, colour: 'red' }], /webhooks\.0\.colour: is not known here\.$/],
  ];
  for (const [what, webhooks, expected] of never) {
    it(`are refused with ${what}`, async () => {
      const lines = await refusal(webhooks, true);
      assert.match(lines, expected);
      assert.doesNotMatch(lines, /canary/);
    });
  }

  for (const hidden of [
    'http://127.0.0.1:8080/',
    'http://localhost/',
    'https://localhost/',
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://169.254.169.254/latest/meta-data/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://10.1.2.3/',
    'https://intranet/',
    'https://192.168.1.1:8443/x',
  ]) {
    it(`are refused at ${hidden} outside demo mode`, async () => {
      assert.match(await refusal([{ url: hidden, secret }], false), /webhooks\.0\.url: must be an https address with a public name/);
    });
  }

  it('whose name leads into this network are not connected to', async () => {
    const receiver = await openWebhookReceiver();
    const agent = makeWebhookAgent(false, (_name, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]));
    try {
      const letter = { url: `https://rebound.example.com:${receiver.port}/`, keys: [randomBytes(32)], id: 'one', body: Buffer.from('{}') };
      const posted = await makePost(agent, systemClock)(letter, new AbortController().signal);
      assert.deepEqual(posted, { code: 'address_refused' });
      assert.equal(receiver.connections.count, 0);
    } finally {
      await agent.close();
      await receiver.close();
    }
  });
});

describe('the expiry of a catalogue', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-expiry-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const catalogueWith = (expiryMinutes: unknown) =>
    ownCatalogue(folder, (catalogue) => {
      catalogue.expiryMinutes = expiryMinutes;
    });

  it('is that of its requests, and of no other app', async () => {
    const time = makeTestTime();
    const service = await startTestService({ clock: time.clock, alarm: time.alarm, catalogueFile: catalogueWith({ payments: 45 }) });
    try {
      const minutes = async (app: 'e-form' | 'payments') => {
        const { json } = await service.call('POST', `/${app}/send`, { body: sendBody(app) });
        const { createdAt, expiresAt } = (await service.call('GET', `/requests/${json.requestId}`)).json;
        return (Date.parse(expiresAt) - Date.parse(createdAt)) / minute;
      };
      assert.deepEqual([await minutes('payments'), await minutes('e-form')], [45, 30]);
    } finally {
      await service.close();
    }
  });

  const wrong: [unknown, RegExp][] = [
    [{ payments: 0 }, /expiryMinutes\.payments: must be 1 at least\.$/],
    [{ payments: 1441 }, /expiryMinutes\.payments: must be 1440 at most\.$/],
    [{ payments: 1.5 }, /expiryMinutes\.payments: must be a whole number\.$/],
    [{ 'one-time-passcode': 11 }, /expiryMinutes\.one-time-passcode: must be 10 at most\.$/],
    [{ cash: 10 }, /expiryMinutes\.cash: is not known here\.$/],
  ];
  for (const [given, expected] of wrong) {
    it(`is refused as ${JSON.stringify(given)}`, async () => {
      assert.match((await failureOf(startTestService({ catalogueFile: catalogueWith(given) }), SettingsError)).lines.join('\n'), expected);
    });
  }
});
