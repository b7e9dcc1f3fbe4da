import assert from 'node:assert/strict';
import fc from 'fast-check';
import { DatabaseUnavailable } from '../../../src/platform/database/database.ts';
import { HttpProblem } from '../../../src/platform/http/http-problem.ts';
import { makeIdempotency } from '../../../src/service/core/lifecycle/idempotency.ts';
import { makeSeal } from '../../../src/service/core/secrets/seal.ts';
import type { ServiceOptions } from '../../../src/service/index.ts';
import { type Documented, type DocumentedOperation, makeDocumented } from '../../support/documented.ts';
import { failureOf } from '../../support/failure-of.ts';
import { type Reply, type Sending, startTestService, type TestService } from '../../support/running-service.ts';
import { sendBody } from '../../support/sends.ts';
import { statement } from '../../support/service-database.ts';
import { until } from '../../support/until.ts';

const unknown = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
const sendsOf = ({ id }: DocumentedOperation) => id.endsWith('.send');

describe('what the running service answers is what it documents', () => {
  let broken: Error | undefined;
  /** An ordinary one; one whose account has used up its calls; one where wrong passcodes soon have consequences. */
  let service: TestService;
  let busy: TestService;
  let strict: TestService;
  let documented: Documented;
  before(async () => {
    const clock = {
      now: () => {
        if (broken) throw broken;
        return Date.now();
      },
    };
    service = await startTestService({ clock });
    busy = await startTestService({ limits: { callsPerAccount: { points: 1, seconds: 600 } } });
    strict = await startTestService({ limits: { passcodeFailures: { anHour: 3, untilLocked: 1000 } } });
    documented = makeDocumented((await service.open('GET', '/openapi.json')).json);
    await busy.call('GET', `/results/${unknown}`);
  });
  after(async () => {
    for (const one of [service, busy, strict]) await one.close();
  });

  const send = async (app: Parameters<typeof sendBody>[0], ending: Parameters<typeof sendBody>[1], at = service) => {
    const reply = await at.call('POST', `/${app}/send`, { body: sendBody(app, ending) });
    assert.equal(reply.status, 200, reply.text);
    return reply.json.requestId as string;
  };
  /** An operation called in the way that its document shows, with what is named here in place of it. */
  const ask = (
    operation: DocumentedOperation,
    { id = unknown, at = service, ...sending }: Sending & { id?: string; at?: TestService } = {},
  ) => {
    const { method, path, requestSchema, example } = operation;
    const address = path.replace('{id}', id);
    return at.call(method, address, { ...(requestSchema && { body: example }), ...sending });
  };
  const named = (id: string) => documented.operations.find((operation) => operation.id === id) ?? assert.fail(id);
  /** In the session of the documents' own example: what is locked by them is that one. */
  const wrongCodes = async (at: TestService, times: number) => {
    const { requestId } = (await ask(named('one-time-passcode.send'), { at })).json;
    for (let left = times; left > 0; left -= 1) await at.call('POST', '/one-time-passcode/check', { body: { requestId, code: 'wrong!' } });
  };

  const startedWith = async <Done>(options: Partial<ServiceOptions>, work: (at: TestService) => Promise<Done>): Promise<Done> => {
    const started = await startTestService(options);
    try {
      return await work(started);
    } finally {
      await started.close();
    }
  };

  const failing = async (fault: Error, operation: DocumentedOperation) => {
    broken = fault;
    try {
      return await ask(operation);
    } finally {
      broken = undefined;
    }
  };

  /** How each code is brought about. */
  const provoke: Record<string, (operation: DocumentedOperation) => Promise<Reply>> = {
    malformed: (operation) => ask(operation, { headers: { host: 'not a host' } }),
    malformed_json: (operation) => ask(operation, { body: '{' }),
    too_deep: (operation) => ask(operation, { body: '['.repeat(40) + ']'.repeat(40) }),
    malformed_idempotency_key: (operation) => ask(operation, { headers: { 'idempotency-key': 'two words' } }),
    unauthorized: (operation) => ask(operation, { headers: { authorization: 'Bearer wrong' } }),
    not_found: (operation) => ask(operation),
    idempotency_key_in_flight: async () => {
      // One process over SQLite carries a send out in one go, so that no second one ever finds it half done: the part
      // itself is asked.
      const idempotency = makeIdempotency({ answerOf: async () => undefined }, makeSeal('pepper'));
      const claim = { accountId: 'account', key: 'key', digest: 'digest' };
      const { promise, resolve } = Promise.withResolvers<object>();
      const first = idempotency.once(claim, () => promise);
      const refusal = await failureOf(
        idempotency.once(claim, async () => ({})),
        HttpProblem,
      );
      // What every counted call is answered with comes from the route around it.
      const { status, headers, body } = refusal.with({ RateLimit: '"calls";r=1;t=1', 'RateLimit-Policy': '"calls";q=1;w=1' }).answer();
      resolve({});
      await first;
      const names = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
      return { status, headers: { ...Object.fromEntries(names), 'x-request-id': unknown }, text: '', json: body };
    },
    already_finished: async (operation) => {
      const id = await send('payments', '0111');
      await until(async () => (await service.call('GET', `/results/${id}`)).status === 200);
      return ask(operation, { id });
    },
    phone_locked: (operation) =>
      startedWith({ limits: { passcodeFailures: { anHour: 1000, untilLocked: 3 } } }, async (at) => {
        await wrongCodes(at, 3);
        return ask(operation, { at });
      }),
    too_large: (operation) => ask(operation, { body: { x: 'x'.repeat(70_000) } }),
    unsupported_media_type: (operation) => ask(operation, { body: '{}', headers: { 'content-type': 'text/plain' } }),
    unsupported_encoding: (operation) => ask(operation, { headers: { 'content-encoding': 'gzip' } }),
    invalid_request: (operation) =>
      operation.requestSchema ? ask(operation, { body: { surprise: true } }) : ask(operation, { id: 'nothing' }),
    idempotency_key_reused: async (operation) => {
      const headers = { 'idempotency-key': `reused-${operation.id}` };
      await ask(operation, { headers });
      return ask(operation, { headers, body: { ...operation.example, sessionRef: 'session-0002' } });
    },
    rate_limited: (operation) => ask(operation, { at: busy }),
    cooldown: async (operation) => ask(operation, { id: await send('payments', '0102') }),
    too_many_failures: async (operation) => {
      await wrongCodes(strict, 3);
      return ask(operation, { at: strict });
    },
    internal_error: (operation) => failing(new TypeError('no clock'), operation),
    audit_damaged: async (operation) => {
      const id = await send('payments', '0102');
      await service.running.settled();
      await statement(service, "update audit set actor = 'nobody' where request_id = ? and seq = 1", id);
      return ask(operation, { id });
    },
    channel_unavailable: (operation) => {
      const carries = (channel: string) => channel !== (operation.id === 'passkeys.send' ? 'email' : 'sms');
      return startedWith({ delivery: { deliver: async () => ({ accepted: true }), carries } }, (at) => ask(operation, { at }));
    },
    country_not_allowed: (operation) => startedWith({ smsCountries: ['ES'] }, (at) => ask(operation, { at })),
    unavailable: (operation) =>
      operation.id.endsWith('.send')
        ? ask(operation, { body: { ...operation.example, phoneNumber: '+12025550114', customerRef: 'cust-0114-ines' } })
        : failing(new DatabaseUnavailable('no connection'), operation),
  };

  it('with every code that an operation documents, and every code is brought about', async () => {
    for (const operation of documented.operations) {
      assert.ok(operation.codes.length >= 4, operation.id);
      for (const code of operation.codes) {
        const reply = await (provoke[code] ?? assert.fail(`${code} is not brought about`))(operation);
        assert.equal(reply.json?.code, code, `${operation.id} ${reply.status} ${reply.text}`);
        documented.holds(operation, reply);
      }
    }
  });

  it('with the documented statuses, and no others', () => {
    for (const { id, statuses, codes } of documented.operations)
      assert.ok(statuses.includes(200) && codes.length >= statuses.length - 1, id);
  });

  it('for calls exactly as documented', async () => {
    for (const operation of documented.operations) {
      const reply = await ask(operation);
      documented.holds(operation, reply);
      assert.equal(reply.status, operation.path.includes('{id}') ? 404 : 200, `${operation.id} ${reply.text}`);
    }
  });

  it('for bootstraps that use the query, or find nobody', async () => {
    for (const operation of documented.operations.filter(({ method, path }) => method === 'GET' && path.endsWith('bootstrap'))) {
      for (const phoneNumber of ['+12025550101', '+12025550199']) {
        const reply = await service.call('GET', `${operation.path}?${new URLSearchParams({ phoneNumber })}`);
        assert.equal(reply.status, 200);
        documented.holds(operation, reply);
      }
    }
  });

  for (const [status, ending] of [
    ['success', '0110'],
    ['failure', '0111'],
    ['timeout', '0112'],
  ] as const) {
    it(`for results of every app that end in ${status}, and requests before that`, async () => {
      const ends = async ({ tag }: DocumentedOperation) => {
        const id = await send(tag as Parameters<typeof sendBody>[0], ending);
        documented.holds(named('requests.get'), await service.call('GET', `/requests/${id}`));
        if (tag === 'one-time-passcode' && status === 'success') {
          const checked = await service.call('POST', '/one-time-passcode/check', { body: { requestId: id, code: '123456' } });
          documented.holds(named('one-time-passcode.check'), checked);
        }
        const result = await until(async () => {
          const reply = await service.call('GET', `/results/${id}`);
          return reply.status === 200 && reply;
        }, `${tag} ends`);
        assert.equal(result.json.status, status);
        documented.holds(named('results.get'), result);
        documented.holds(named('requests.get'), await service.call('GET', `/requests/${id}`));
        const trail = await ask(named('requests.audit'), { id });
        assert.equal(trail.json.intact, true);
        documented.holds(named('requests.audit'), trail);
      };
      await Promise.all(documented.operations.filter(sendsOf).map(ends));
    });
  }

  it('with the audit trail of a request, whole, tampered with, and as a certificate', async () => {
    const id = await send('e-form', '0102');
    const certified = await ask(named('requests.certificate'), { id });
    assert.equal(certified.status, 200);
    documented.holds(named('requests.certificate'), certified);
    for (const change of ["detail = 'nothing'", "previous = ''", "action = ''", 'at = -1', 'seq = 9']) {
      await statement(service, `update audit set ${change} where request_id = ? and seq = 1`, id);
      const trail = await ask(named('requests.audit'), { id });
      assert.equal(trail.json.intact, false);
      documented.holds(named('requests.audit'), trail);
    }
  });

  it('for a request that is withdrawn, and one whose message is sent again', async () => {
    const id = await send('e-form', '0102');
    const withdrawn = await ask(named('requests.cancel'), { id });
    assert.equal(withdrawn.json.state, 'cancelled');
    documented.holds(named('requests.cancel'), withdrawn);
    const patient = await startTestService({ limits: { resendCooldownsMs: [0] } });
    try {
      const resent = await ask(named('requests.resend'), { id: await send('e-form', '0102', patient), at: patient });
      assert.equal(resent.status, 200);
      documented.holds(named('requests.resend'), resent);
    } finally {
      await patient.close();
    }
  });

  describe('to bodies made from the documents', () => {
    const sessionRef = fc.stringMatching(/^[A-Za-z0-9_@-]{8,64}$/);
    const words = fc.stringMatching(/^[\p{L}\p{N}<>&"'{} .-]{0,40}[\p{L}\p{N}]$/u);
    /** What a field may hold, where the document's rule does not say what the catalogue has. */
    const fields: Record<string, fc.Arbitrary<unknown>> = {
      sessionRef,
      subject: words,
      message: words,
      recipients: fc.array(fc.record({ email: fc.stringMatching(/^[a-z0-9]{1,20}@[a-z]{2,10}\.(com|org)$/), name: words }), {
        minLength: 1,
        maxLength: 5,
      }),
      code: fc.string({ minLength: 6, maxLength: 6, unit: 'grapheme-ascii' }),
    };
    const good = ({ requestSchema, example }: DocumentedOperation) =>
      fc.record(
        Object.fromEntries(Object.keys(requestSchema.properties).map((name) => [name, fields[name] ?? fc.constant(example[name])])),
        // Every send has to lead to a customer, which a phone number does.
        {
          requiredKeys: [...new Set([...(requestSchema.required ?? []), 'phoneNumber'])].filter((name) => name in requestSchema.properties),
        },
      );
    /** A body with one thing in it that the document does not let pass. */
    const bad = (operation: DocumentedOperation) => {
      const { required = [], properties } = operation.requestSchema;
      const names = Object.keys(properties);
      const wrong = fc.oneof(
        fc.constant(null),
        fc.integer(),
        fc.boolean(),
        fc.constant(''),
        fc.constant([]),
        fc.constant('x'.repeat(3000)),
      );
      const changes: fc.Arbitrary<(body: object) => object>[] = [
        fc.tuple(fc.constantFrom(...names), wrong).map(([name, value]) => (body) => ({ ...body, [name]: value })),
        fc.string({ minLength: 1, maxLength: 20 }).map((name) => (body) => ({ ...body, [`x${name}`]: 1 })),
        ...(required.length > 0
          ? [fc.constantFrom<string>(...required).map((name) => (body: object) => ({ ...body, [name]: undefined }))]
          : []),
      ];
      return fc.tuple(good(operation), fc.oneof(...changes)).map(([body, change]) => JSON.parse(JSON.stringify(change(body))));
    };

    it('that are good: accepted, every one', async () => {
      for (const operation of documented.operations.filter(({ requestSchema }) => requestSchema)) {
        await fc.assert(
          fc.asyncProperty(good(operation), async (body) => {
            fc.pre(documented.accepts(operation, body));
            const reply = await ask(operation, { body });
            assert.equal(reply.status, 200, `${operation.id} ${JSON.stringify(body)} ${reply.text}`);
            documented.holds(operation, reply);
          }),
          { numRuns: 15 },
        );
      }
    });

    it('that break a rule: refused as documented, and nothing is sent', async () => {
      const before = (await service.outbox()).length;
      for (const operation of documented.operations.filter(({ requestSchema }) => requestSchema)) {
        await fc.assert(
          fc.asyncProperty(bad(operation), async (body) => {
            fc.pre(!documented.accepts(operation, body));
            const reply = await ask(operation, { body });
            assert.equal(reply.status, 422, `${operation.id} ${JSON.stringify(body)} ${reply.text}`);
            documented.holds(operation, reply);
          }),
          { numRuns: 25 },
        );
      }
      assert.equal((await service.outbox()).length, before);
    });
  });
});
