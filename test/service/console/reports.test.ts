import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CompiledQuery, type KyselyPlugin, type RootOperationNode } from 'kysely';
import { encodeTime, ulid } from 'ulid';
import { openSqlite } from '../../../src/platform/database/sqlite.ts';
import { makeLog } from '../../../src/platform/log.ts';
import { makeReports, type Reports, window } from '../../../src/service/console/reports.ts';
import { makeSeal } from '../../../src/service/core/secrets/seal.ts';
import { openStorage } from '../../../src/service/core/store/index.ts';
import type { Schema } from '../../../src/service/core/store/schema.ts';
import { fillWithRequests } from '../../support/many-requests.ts';

describe('the console’s database queries', () => {
  const now = Date.UTC(2026, 10, 20, 12);
  const day = 24 * 60 * 60_000;
  const count = window + 5000;
  let dataDir: string;
  let db: ReturnType<typeof openSqlite<Schema>>;
  let reports: Reports;
  const asked: RootOperationNode[] = [];
  const listening: KyselyPlugin = {
    transformQuery: ({ node }) => {
      asked.push(node);
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  before(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'countersign-reports-'));
    const storage = await openStorage({
      dataDir,
      url: undefined,
      newId: () => ulid(),
      seal: makeSeal('the-pepper-of-this-test-and-no-other'),
      log: makeLog('silent'),
    });
    await storage.close();
    await fillWithRequests({ dataDir }, count, now);
    db = openSqlite<Schema>(join(dataDir, 'service.db'));
    reports = makeReports({ db: db.withPlugin(listening) });
  });
  after(async () => {
    await db.destroy();
    rmSync(dataDir, { recursive: true });
  });
  beforeEach(() => asked.splice(0));

  /** How SQLite goes about everything that was asked so far. */
  const plans = async () => {
    const lines: string[] = [];
    for (const node of asked.splice(0)) {
      const { sql, parameters } = db.getExecutor().compileQuery(node as never, { queryId: 'test' } as never);
      const { rows } = await db.executeQuery<{ detail: string }>(CompiledQuery.raw(`explain query plan ${sql}`, [...parameters]));
      lines.push(...rows.map(({ detail }) => detail));
    }
    return lines;
  };

  const from = encodeTime(now - 7 * day);
  const cases: [string, (reports: Reports) => Promise<unknown>, RegExp][] = [
    ['the list', (r) => r.list({}, { limit: 50 }), /requests USING INDEX sqlite_autoindex_requests_1|requests USING COVERING INDEX/],
    [
      'the list of a time',
      (r) => r.list({}, { from, before: encodeTime(now), limit: 50 }),
      /requests USING INDEX sqlite_autoindex_requests_1 \(id>\? AND id<\?\)/,
    ],
    [
      'the list of an app and a state',
      (r) => r.list({ app: 'payments', state: 'failure' }, { from, limit: 50 }),
      /requests USING INDEX sqlite_autoindex_requests_1 \(id>\?\)/,
    ],
    [
      'the list of a customer',
      (r) => r.list({ accountId: 'brightwater', customerRef: 'cust-0102-mei' }, { limit: 50 }),
      /requests USING INDEX requests_customer \(account_id=\? AND customer_ref=\?/,
    ],
    [
      'the charts',
      (r) => r.endings(now - day, now),
      /requests USING COVERING INDEX requests_finished \(finished_at>\? AND finished_at<\?\)/,
    ],
    [
      'the way to the answer',
      (r) => r.progress(from, 2000, 'one-time-passcode'),
      /events USING INDEX sqlite_autoindex_events_1 \(request_id=\?\)/,
    ],
    ['what waits', (r) => r.waiting(1000), /requests USING (COVERING )?INDEX requests_due/],
    ['what is under way', (r) => r.underWay('x'), /deliveries USING INDEX deliveries_request/],
  ];
  for (const [what, ask, expected] of cases) {
    it(`use an index: ${what}`, async () => {
      await ask(reports);
      const lines = await plans();
      assert.ok(
        lines.some((line) => expected.test(line)),
        lines.join('\n'),
      );
      // A table is gone through by an index or not at all; what was put together before may be.
      for (const line of lines) assert.doesNotMatch(line, /^SCAN (?:requests|events|deliveries)(?! USING)/, lines.join('\n'));
    });
  }

  it('read a page of requests at a time, and return where to continue', async () => {
    const none = { accountId: 'nobody' };
    const first = await reports.list(none, { limit: 50 });
    assert.deepEqual(first.lines, []);
    assert.ok(first.next);
    const second = await reports.list(none, { before: first.next, limit: 50 });
    assert.deepEqual(second, { lines: [], next: undefined });
  });

  it('page through every request once, in order', async () => {
    const seen: string[] = [];
    let before: string | undefined;
    do {
      const page = await reports.list({ app: 'payments', state: 'timeout' }, { before, limit: 97 });
      seen.push(...page.lines.map(({ id }) => id));
      before = page.next;
    } while (before !== undefined);
    const all = await db
      .selectFrom('requests')
      .select('id')
      .where('app', '=', 'payments')
      .where('state', '=', 'timeout')
      .orderBy('id', 'desc')
      .execute();
    assert.deepEqual(
      seen,
      all.map(({ id }) => id),
    );
  });

  it('count every ending once', async () => {
    const counted = await reports.endings(now - 40 * day, now + day);
    assert.equal(
      counted.reduce((sum, one) => sum + one.count, 0),
      count,
    );
  });

  it('show how far the newest requests got, never more at a step than requests', async () => {
    const { requests, had } = await reports.progress(encodeTime(now - 40 * day), 500, 'one-time-passcode');
    assert.equal(requests, 500);
    assert.equal(had['task.sent'], 500);
    assert.ok((had['task.bootstrapped'] ?? 0) >= (had['task.started'] ?? 0));
    assert.ok((had['task.started'] ?? 0) >= (had['task.succeeded'] ?? 0));
  });
});
