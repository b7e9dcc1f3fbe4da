// Which hub a chat goes to, when agents are available, and how long a customer waits for them: an operator's small
// file.
import { z } from 'zod';
import { type Escalation, reasons } from '../../dialogs/index.ts';
import { appIds } from '../contract/index.ts';
import { ownServiceUrl } from '../platform/channels.ts';
import { describeIssues, plainly } from '../platform/settings/issues.ts';
import { SettingsError } from '../platform/settings/settings-error.ts';
import { parseFile } from '../platform/settings/yaml-file.ts';

const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;
type Day = (typeof days)[number];

const span = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5][05]-(([01]\d|2[0-3]):[0-5][05]|24:00)$/, 'must be a span such as 09:00-17:30, in steps of five minutes')
  .refine((text) => text.slice(0, 5) < text.slice(6), 'must end after it begins, on the same day');

const timeZone = z.string().refine((zone) => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }) !== undefined;
  } catch {
    return false;
  }
}, 'must be a time zone such as Europe/Madrid');

const hours = z.strictObject({
  timeZone,
  days: z.partialRecord(z.enum(days), z.array(span).min(1)),
  /** Days without agents, in spite of the hours. */
  closed: z.array(z.iso.date('must be a day such as 2026-12-25')).default([]),
});
export type Hours = z.output<typeof hours>;

const rule = z.strictObject({
  hub: z.string(),
  languages: z.array(z.string().regex(/^[a-z]{2,3}$/, 'must be a language such as es')).optional(),
  reasons: z.array(z.enum(reasons)).optional(),
  apps: z.array(z.enum(appIds)).optional(),
});

const file = z.strictObject({
  /** The first matching rule counts. Unset: the hubs in the order of the setting. */
  rules: z.array(rule).min(1).optional(),
  hours: hours.optional(),
  waitMinutes: z.number().int().min(1).max(240).default(10),
  /** How long an agent who has a chat may be away from our own desk. */
  absentMinutes: z.number().int().min(1).max(240).default(5),
});
export type HandoffRules = z.output<typeof file>;

/** The defaults: always open, ten minutes. */
export const usualRules: HandoffRules = file.parse({});

/** The rules of a file, for these hubs. @throws {SettingsError} with the file and the place at fault. */
export const readRules = (path: string, hubs: readonly string[]): HandoffRules => {
  const place = `HANDOFF_FILE: ${path}`;
  const { success, data, error } = file.safeParse(parseFile(path, place), { error: plainly });
  if (!success) throw new SettingsError(describeIssues(error).map(({ path: at, message }) => `${place}: ${at || 'the file'}: ${message}.`));
  const unknown = (data.rules ?? []).flatMap(({ hub }, index) =>
    hubs.includes(hub) ? [] : [`${place}: rules.${index}.hub: must be one of HANDOFF: ${hubs.join(', ')}.`],
  );
  if (unknown.length > 0) throw new SettingsError(unknown);
  return data;
};

/** A hub as rules know it. */
interface Named {
  readonly name: string;
  readonly inChannel?: true;
}

/** The hubs whose agents can reach a chat of that `serviceUrl`. */
export const hubsIn = <Some extends Named>(hubs: readonly Some[], serviceUrl: string | undefined): readonly Some[] =>
  serviceUrl === ownServiceUrl ? hubs.filter(({ inChannel }) => !inChannel) : hubs;

/** The hub for a chat, among those that can reach it; `undefined`: no rule matches. */
export const hubFor = <Some extends Named>(
  { rules }: HandoffRules,
  all: readonly Some[],
  { app, language, reason }: Escalation & { readonly language: string },
  serviceUrl: string | undefined,
): Some | undefined => {
  const hubs = hubsIn(all, serviceUrl);
  if (!rules) return hubs[0];
  const spoken = language.split('-')[0]?.toLowerCase() ?? '';
  const fits = ({ apps, languages, reasons: why }: z.output<typeof rule>) =>
    (!languages || languages.includes(spoken)) &&
    (!why || why.some((one) => one === reason)) &&
    (!apps || (app !== undefined && apps.includes(app)));
  for (const one of rules) {
    const hub = fits(one) ? hubs.find(({ name }) => name === one.hub) : undefined;
    if (hub) return hub;
  }
  return undefined;
};

const formats = new Map<string, Intl.DateTimeFormat>();

/** Cached: creating one takes far longer than using it. */
const formatOf = (zone: string): Intl.DateTimeFormat => {
  const date = { weekday: 'short', year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  const format = formats.get(zone) ?? new Intl.DateTimeFormat('en-US', { timeZone: zone, ...date, ...time });
  formats.set(zone, format);
  return format;
};

/** The day and the time of day in a time zone, at an instant in epoch milliseconds. */
const placed = ({ timeZone: zone }: Hours, instant: number) => {
  const format = formatOf(zone);
  const parts = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, value]));
  return {
    day: parts.weekday?.toLowerCase() as Day,
    date: `${parts.year}-${parts.month}-${parts.day}`,
    time: `${parts.hour}:${parts.minute}`,
  };
};

/** Whether agents are available at an instant (epoch ms). */
export const isOpen = (of: Hours | undefined, instant: number): boolean => {
  if (!of) return true;
  const { day, date, time } = placed(of, instant);
  return !of.closed.includes(date) && (of.days[day] ?? []).some((open) => open.slice(0, 5) <= time && time < open.slice(6));
};

const step = 5 * 60_000;
const twoWeeks = 14 * 24 * 60 * 60_000;

/** When agents are next available (epoch ms); `undefined`: not within two weeks. */
export const opensAt = (of: Hours, instant: number): number | undefined => {
  const first = Math.ceil(instant / step) * step;
  for (let at = first; at < first + twoWeeks; at += step) if (isOpen(of, at)) return at;
  return undefined;
};
