// Fills a service's database with past requests: any number, over the last weeks, each with its events.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { encodeTime } from 'ulid';
import { appIds } from '../../src/contract/index.ts';
import { demoCatalogue, loadAccounts } from '../../src/service/core/catalogue/load.ts';
import type { TestService } from './running-service.ts';

const day = 24 * 60 * 60_000;
/** Common endings of requests, and rarer ones. */
const states = ['success', 'success', 'success', 'success', 'success', 'failure', 'success', 'timeout', 'success', 'cancelled'] as const;
const last = { success: 'task.succeeded', failure: 'task.failed', timeout: 'task.timed_out', cancelled: undefined };

/** Pseudo-random numbers, the same every time. */
const shuffled = (seed: number) => {
  const wave = Math.sin(seed * 12.9898) * 43758.5453;
  return wave - Math.floor(wave);
};

/** The `count`th identifier of an instant, in order. */
const idAt = (at: number, count: number) =>
  encodeTime(at) +
  count
    .toString(32)
    .toUpperCase()
    .replace(/[ILOU]/g, 'Z')
    .padStart(16, '0');

/** Writes them directly into the service's SQLite. */
export const fillWithRequests = async ({ dataDir }: Pick<TestService, 'dataDir'>, count: number, now = Date.now()) => {
  const [catalogue = assertNever()] = loadAccounts(demoCatalogue, {});
  const database = new DatabaseSync(join(dataDir, 'service.db'), { timeout: 5_000 });
  try {
    const request = database.prepare(
      `insert into requests (id, account_id, app, state, session_ref, customer_ref, channel, language, step,
       created_at, expires_at, due_at, checks, resends, sent_at, last_seq, finished_at, result)
       values (?, ?, ?, ?, 'session-0001', ?, 'sms', 'en', 0, ?, ?, ?, 0, 0, ?, 4, ?, ?)`,
    );
    const event = database.prepare('insert into events (request_id, seq, id, type, created_at) values (?, ?, ?, ?, ?)');
    database.exec('begin');
    for (let index = 0; index < count; index += 1) {
      const chance = shuffled(index + 1);
      const at = Math.floor(now - 60_000 - chance ** 1.3 * 30 * day);
      const state = states[Math.floor(shuffled(index + 0.5) * states.length)] ?? 'success';
      const app = appIds[Math.floor(shuffled(index + 0.25) * appIds.length)] ?? 'payments';
      const customer = catalogue.customers[index % catalogue.customers.length];
      const id = idAt(at, index);
      const finishedAt = at + 30_000;
      const status =
        state === 'cancelled' ? null : JSON.stringify({ id, app, status: state, timestamp: new Date(finishedAt).toISOString() });
      request.run(id, catalogue.account.id, app, state, customer?.id ?? '', at, finishedAt, finishedAt, at, finishedAt, status);
      const opened = app !== 'one-time-passcode' && state !== 'cancelled' && (state === 'success' || chance > 0.4);
      const begun = opened && (state === 'success' || chance > 0.6);
      const types = ['task.sent', opened && 'task.bootstrapped', begun && 'task.started', last[state]];
      for (const [seq, type] of types.entries()) if (type) event.run(id, seq + 1, `${id}-${seq}`, type, at + seq * 5000);
    }
    database.exec('commit');
  } finally {
    database.close();
  }
};

const assertNever = (): never => {
  throw new Error('the demo catalogue has no account');
};
