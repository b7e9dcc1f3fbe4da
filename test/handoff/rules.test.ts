import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { type Hours, hubFor, isOpen, opensAt, readRules, usualRules } from '../../src/handoff/rules.ts';
import { ownServiceUrl } from '../../src/platform/channels.ts';
import { SettingsError } from '../../src/platform/settings/settings-error.ts';
import { rulesFile } from '../support/hubs.ts';

const read = (yaml: string) => {
  const file = rulesFile(yaml);
  try {
    return readRules(file, ['event', 'webhook']);
  } finally {
    rmSync(file);
  }
};
const at = (text: string) => Date.parse(text);

describe('the handoff rules', () => {
  const hubs = [{ name: 'event' }, { name: 'webhook' }];
  const about = (more: object = {}) => ({ reason: 'asked', language: 'en', ...more }) as Parameters<typeof hubFor>[2];
  const rules = read(`
rules:
  - { hub: webhook, languages: [es], apps: [payments] }
  - { hub: webhook, reasons: [trouble] }
  - { hub: event, languages: [en] }
`);
  const chosen: [string, object, string | undefined][] = [
    ['both that a rule names', { language: 'es', app: 'payments' }, 'webhook'],
    ['a language with its region', { language: 'es-MX', app: 'payments' }, 'webhook'],
    ['one of two alone is not enough', { language: 'es', app: 'e-form' }, undefined],
    ['no app where one is asked for', { language: 'es' }, undefined],
    ['a reason', { reason: 'trouble' }, 'webhook'],
    ['the first that fits', { reason: 'trouble', language: 'en' }, 'webhook'],
    ['another language', {}, 'event'],
  ];
  for (const [what, more, name] of chosen)
    it(`choose by ${what}: ${JSON.stringify(more)}`, () => assert.equal(hubFor(rules, hubs, about(more), undefined)?.name, name));

  it('send a chat of our own Direct Line to the next hub that fits, since the channel’s agents are not in it', () => {
    const inChannel = [{ name: 'event', inChannel: true }, { name: 'webhook' }] as const;
    const both = read('rules: [{ hub: event }, { hub: webhook, languages: [en] }]');
    assert.equal(hubFor(both, inChannel, about(), 'https://smba.trafficmanager.net/teams')?.name, 'event');
    assert.equal(hubFor(both, inChannel, about(), ownServiceUrl)?.name, 'webhook');
    assert.equal(hubFor(both, inChannel, about({ language: 'es' }), ownServiceUrl), undefined);
    assert.equal(hubFor(usualRules, inChannel, about(), ownServiceUrl)?.name, 'webhook');
    assert.equal(hubFor(usualRules, inChannel.slice(0, 1), about(), ownServiceUrl), undefined);
  });

  it('are empty by default: the first hub takes everything, at any time, and customers wait ten minutes', () => {
    assert.equal(hubFor(usualRules, hubs, about(), undefined)?.name, 'event');
    assert.deepEqual([isOpen(usualRules.hours, 0), usualRules.waitMinutes], [true, 10]);
  });

  const wrong: [string, string, RegExp][] = [
    ['a hub that there is not', 'rules: [{ hub: desk }]', /rules\.0\.hub: must be one of HANDOFF: event, webhook\.$/],
    ['no rules', 'rules: []', /rules: /],
    ['an app that there is not', 'rules: [{ hub: event, apps: [fax] }]', /rules\.0\.apps\.0: /],
    ['a reason that there is not', 'rules: [{ hub: event, reasons: [boredom] }]', /rules\.0\.reasons\.0: /],
    [
      'a language that is none',
      'rules: [{ hub: event, languages: [Spanish] }]',
      /rules\.0\.languages\.0: must be a language such as es\.$/,
    ],
    ['a time zone that there is not', 'hours: { timeZone: Mars/Olympus, days: {} }', /hours\.timeZone: must be a time zone/],
    ['a day that there is not', 'hours: { timeZone: UTC, days: { monday: [09:00-10:00] } }', /hours\.days/],
    ['a span that ends before it begins', 'hours: { timeZone: UTC, days: { mon: [17:00-09:00] } }', /must end after it begins/],
    ['a span of nothing', 'hours: { timeZone: UTC, days: { mon: [09:00-09:00] } }', /must end after it begins/],
    ['a minute between steps', 'hours: { timeZone: UTC, days: { mon: [09:01-10:00] } }', /in steps of five minutes/],
    ['a date that there is not', 'hours: { timeZone: UTC, days: {}, closed: [2026-02-30] }', /hours\.closed\.0: must be a day/],
    ['no time to wait', 'waitMinutes: 0', /waitMinutes: /],
    ['another key', 'hub: event', /hub/],
    ['no YAML', 'rules: [', /not YAML/],
  ];
  for (const [what, yaml, says] of wrong) {
    it(`are refused with ${what}, by the file and the place`, () =>
      assert.throws(
        () => read(yaml),
        (fault) => fault instanceof SettingsError && fault.lines.some((line) => line.startsWith('HANDOFF_FILE: ') && says.test(line)),
      ));
  }
});

describe('opening hours', () => {
  const hours = read(`
hours:
  timeZone: Europe/Madrid
  days:
    mon: [09:00-14:00, 15:30-18:00]
    sun: [00:00-24:00]
  closed: [2026-11-23]
`).hours as Hours;
  // 2026-11-16 and 2026-11-23 are Mondays; Madrid is one hour ahead of UTC in winter, two in summer.
  const instants: [string, boolean][] = [
    ['2026-11-16T07:59:59.999Z', false],
    ['2026-11-16T08:00:00Z', true],
    ['2026-11-16T12:59:59.999Z', true],
    ['2026-11-16T13:00:00Z', false],
    ['2026-11-16T14:29:59Z', false],
    ['2026-11-16T14:30:00Z', true],
    ['2026-11-16T17:00:00Z', false],
    ['2026-11-17T10:00:00Z', false],
    ['2026-11-23T10:00:00Z', false],
    ['2026-07-06T07:00:00Z', true],
    ['2026-07-06T06:59:00Z', false],
    // A whole day, also the one whose clocks go back.
    ['2026-10-24T22:00:00Z', true],
    ['2026-10-25T22:59:59Z', true],
    ['2026-10-25T23:00:00Z', false],
  ];
  for (const [instant, open] of instants)
    it(`are ${open ? 'on' : 'over'} at ${instant}`, () => assert.equal(isOpen(hours, at(instant)), open));

  const next: [string, string | undefined][] = [
    ['2026-11-16T13:10:00Z', '2026-11-16T14:30:00.000Z'],
    ['2026-11-16T18:00:00Z', '2026-11-21T23:00:00.000Z'],
    ['2026-11-16T09:02:00Z', '2026-11-16T09:05:00.000Z'],
  ];
  for (const [instant, opens] of next)
    it(`begin again at ${opens}, seen from ${instant}`, () => {
      const found = opensAt(hours, at(instant));
      assert.equal(found && new Date(found).toISOString(), opens);
    });

  it('may never come', () => assert.equal(opensAt({ timeZone: 'UTC', days: {}, closed: [] }, 0), undefined));
});
