import assert from 'node:assert/strict';
import { ulid } from 'ulid';
import { onEachDatabase } from '../../support/each-database.ts';
import type { TestService } from '../../support/running-service.ts';
import { statement } from '../../support/service-database.ts';
import { makeTestTime } from '../../support/test-time.ts';
import { until } from '../../support/until.ts';

const day = 24 * 60 * 60_000;

onEachDatabase('the console’s access log', (start) => {
  let service: TestService;
  afterEach(() => service.close());

  const fill = async (now: number, ages: readonly number[]) => {
    const row = (age: number) => `('${ulid(now - age)}', 'somebody', 'viewer', 'request', '', '127.0.0.1', ${now - age})`;
    const columns = '(id, person, role, action, subject, address, created_at)';
    await statement(service, `insert into console_accesses ${columns} values ${ages.map(row).join(', ')}`);
  };
  const left = async () => {
    const rows = await statement(service, 'select created_at from console_accesses order by id');
    return rows.map(({ created_at }) => Number(created_at));
  };

  it('deletes expired entries, however many, and nothing else', async () => {
    const time = makeTestTime();
    const now = time.clock.now();
    service = await start({ clock: time.clock, alarm: time.alarm, accessLogDays: 30 });
    const kept = [30 * day, 30 * day - 1, day, 0];
    await fill(now, [...Array.from({ length: 1300 }, (_, index) => 30 * day + 1 + index * 1000), ...kept]);
    await service.restart();
    await until(async () => (await left()).length === kept.length, 'what is past its time is forgotten');
    assert.deepEqual(
      await left(),
      kept.map((age) => now - age),
    );
  });

  it('keeps everything for 400 days by default', async () => {
    const time = makeTestTime();
    const now = time.clock.now();
    service = await start({ clock: time.clock, alarm: time.alarm });
    await fill(now, [401 * day, 399 * day]);
    await service.restart();
    await until(async () => (await left()).length === 1, 'what is past its time is forgotten');
    assert.deepEqual(await left(), [now - 399 * day]);
  });
});
