import assert from 'node:assert/strict';
import { isTimeZone } from '../../../src/platform/time/clock.ts';
import { makeCalendar } from '../../../src/service/console/calendar.ts';

const hour = 60 * 60_000;

describe('a calendar', () => {
  for (const [zone, day, begins, hours] of [
    ['UTC', '2026-11-20', '2026-11-20T00:00:00Z', 24],
    ['Europe/Madrid', '2026-11-20', '2026-11-19T23:00:00Z', 24],
    ['Europe/Madrid', '2026-03-29', '2026-03-28T23:00:00Z', 23],
    ['Europe/Madrid', '2026-10-25', '2026-10-24T22:00:00Z', 25],
    ['America/Los_Angeles', '2026-11-20', '2026-11-20T08:00:00Z', 24],
    ['Asia/Kathmandu', '2026-11-20', '2026-11-19T18:15:00Z', 24],
    ['Pacific/Kiritimati', '2026-11-20', '2026-11-19T10:00:00Z', 24],
    ['Pacific/Pago_Pago', '2026-11-20', '2026-11-20T11:00:00Z', 24],
    // Clocks are put forward at midnight here: the day begins at one o'clock.
    ['America/Santiago', '2026-09-06', '2026-09-06T04:00:00Z', 23],
  ] as const) {
    it(`knows when ${day} begins in ${zone}, and that it has ${hours} hours`, () => {
      const calendar = makeCalendar(zone);
      assert.equal(new Date(calendar.startOf(day)).toISOString(), begins.replace('Z', '.000Z'));
      assert.equal((calendar.dayEnd(day) - calendar.startOf(day)) / hour, hours);
      assert.equal(calendar.dayOf(calendar.startOf(day)), day);
      assert.notEqual(calendar.dayOf(calendar.startOf(day) - 1), day);
    });
  }

  for (const zone of ['Europe/Madrid', 'America/Santiago', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'UTC']) {
    it(`gives days and hours of ${zone} that follow each other without a gap`, () => {
      const calendar = makeCalendar(zone);
      const now = Date.parse('2026-11-02T09:41:07Z');
      for (const spans of [calendar.days(now, 60), calendar.hours(now, 24)]) {
        for (const [index, span] of spans.slice(1).entries()) assert.equal(span.from, spans[index]?.until);
        const last = spans.at(-1);
        assert.ok(last && last.from <= now && now < last.until);
      }
      assert.equal(new Set(calendar.days(now, 60).map(({ from }) => calendar.dayOf(from))).size, 60);
    });
  }

  it('recognises time zones', () => {
    assert.ok(isTimeZone('Europe/Madrid'));
    for (const name of ['', 'Madrid', '<script>', 'Europe/Madrid; x']) assert.ok(!isTimeZone(name), name);
  });
});
