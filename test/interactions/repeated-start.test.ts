import assert from 'node:assert/strict';
import { type ServiceClient, ServiceError, TransportError } from '../../src/client/index.ts';
import type { InteractionsContext } from '../../src/interactions/ports.ts';
import { type Plan, resumeIntent, start } from '../../src/interactions/starting/start.ts';
import { makeLimit } from '../../src/platform/limits.ts';
import { makeLog } from '../../src/platform/log.ts';
import { openStorage, type Storage } from '../../src/storage/index.ts';

describe('an interaction that is started again', () => {
  let storage: Storage;
  /** What the service does with the next send. */
  let send: () => Promise<unknown>;
  const keys: string[] = [];
  let languages: (string | undefined)[];
  const accept = async () => ({ requestId: 'r1', wsToken: 't1' });
  beforeEach(async () => {
    storage = await openStorage(undefined);
    send = accept;
    keys.length = 0;
    languages = [];
  });
  afterEach(() => storage.close());

  const outcomeTimeouts = { passkeys: 1000, 'one-time-passcode': 1000, 'document-signature': 1000, payments: 1000, 'e-form': 1000 };
  const parts = (idempotent = true, now = 0): InteractionsContext => ({
    client: {
      apps: {
        payments: {
          send: (_body: object, { idempotencyKey, language }: { idempotencyKey: string; language?: string }) => {
            keys.push(idempotencyKey);
            languages.push(language);
            return send();
          },
        },
      },
    } as unknown as ServiceClient,
    store: storage.interactions,
    events: () => ({ close: () => {} }),
    newId: () => 'new',
    random: Math.random,
    fromOrigin: makeLimit(),
    clock: { now: () => now },
    outcomeTimeouts,
    idempotent,
    sendsToNumber: [],
    log: makeLog('silent'),
  });
  const plan: Plan = {
    id: 'i1',
    app: 'payments',
    conversation: 'c1',
    address: '{}',
    sessionRef: 'session-1',
    customerRef: 'customer-1',
    phoneNumber: '+12025550102',
    request: { sessionRef: 'session-1', phoneNumber: '+12025550102', productId: 'p1' },
  };
  const { signal } = new AbortController();
  /** An intent that a process left behind. */
  const leftBehind = () => storage.interactions.record({ ...plan, createdAt: 0, deadline: 1000 });
  const unreachable = () => Promise.reject(new TransportError('payments.send', 'connect', { sent: false }));
  const refused = (status: number) => () => Promise.reject(new ServiceError('payments.send', status));

  it('is sent in the chat’s language, by the turn that repeats it and after a crash', async () => {
    const inChat = { ...parts(), languageOf: (address: string) => (address === '{}' ? 'es-MX' : undefined) };
    const left = await leftBehind();
    await resumeIntent(inChat, left);
    await storage.interactions.record({ ...plan, id: 'i2', createdAt: 0, deadline: 1000 });
    await start(inChat, { ...plan, id: 'i2' }, 'ja');
    assert.deepEqual(
      [keys, languages],
      [
        ['i1', 'i2'],
        ['es-MX', 'ja'],
      ],
    );
  });

  it('is sent once if it is started twice, and returns its current state', async () => {
    const started = await start(parts(), plan);
    assert.equal(started.state, 'waiting');
    const again = await start(parts(), plan);
    assert.deepEqual([again.state, again.requestId, keys], ['waiting', 'r1', ['i1']]);
    await storage.interactions.apply(started, { kind: 'decided', outcome: { status: 'success', by: 'result', at: 1 } });
    assert.equal((await start(parts(), plan)).outcome?.status, 'success');
    assert.deepEqual(keys, ['i1']);
  });

  it('is resumed with its own key, whether by the process or by the customer', async () => {
    await leftBehind();
    assert.equal((await start(parts(), plan)).state, 'waiting');
    assert.deepEqual(keys, ['i1']);
  });

  it('is refused when nothing was sent, and so does not become unknown', async () => {
    send = unreachable;
    assert.equal((await start(parts(), plan)).state, 'refused');
  });

  for (const [what, fault] of [
    ['cannot be reached', unreachable],
    ['does not take its key any more', refused(401)],
    ['is busy', refused(429)],
    ['refuses it now', refused(422)],
  ] as const) {
    it(`is unknown, not refused, when the service ${what} after a crash: it may have been sent before`, async () => {
      send = fault;
      assert.equal((await resumeIntent(parts(), await leftBehind(), { signal })).state, 'unknown');
    });
  }

  it('is unknown after a crash if the service does not honour keys, or if it is too late, and is not sent again', async () => {
    assert.equal((await resumeIntent(parts(false), await leftBehind(), { signal })).state, 'unknown');
    const late = await storage.interactions.record({ ...plan, id: 'i2', createdAt: 0, deadline: 1000 });
    assert.equal((await resumeIntent(parts(true, 1000), late, { signal })).state, 'unknown');
    assert.deepEqual(keys, []);
  });
});
