// Reading settings from the environment: the forms that settings share, and the sentences that explain mistakes.
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Log } from '../log.ts';
import { isLoopbackHost } from '../outgoing/loopback.ts';
import { nearestWord } from '../text/did-you-mean.ts';
import { ownValue } from '../text/own-value.ts';
import { SettingsError } from './settings-error.ts';

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

const portNumber = 'must be a port number, 0 to 65535';

export const port = (preset: number) =>
  z
    .string()
    .regex(/^\d{1,5}$/, portNumber)
    .transform(Number)
    .refine((number) => number <= 65_535, portNumber)
    .default(preset);

/** An address that programs call: no credentials, no query, no fragment. */
export const address = (protocol: RegExp, example: string) =>
  z
    .url({ protocol, error: `must be an address such as ${example}`, abort: true })
    .refine((url) => !/[?#@]/.test(url), 'must be an address without credentials, query or fragment');

export const words = z.string().trim().min(1, 'must not be empty');

/** Characters that a header may contain. */
export const visible = z.string().regex(/^[\x21-\x7e]+$/, 'must consist of visible ASCII characters');

export const days = (preset: number) =>
  z
    .string()
    .regex(/^[1-9]\d{0,3}$/, 'must be a number of days, 1 to 9999')
    .transform(Number)
    .default(preset);

export const postgres = (database: string) =>
  z.url({
    protocol: /^postgres(?:ql)?$/,
    error: `must be an address such as postgres://user:password@db.example.com:5432/${database}; unset it to use the embedded database`,
  });

export const flag = z.enum(['true', 'false'], { error: 'must be true or false' }).transform((value) => value === 'true');

/** Entries separated by commas or spaces. */
export const list = z.string().transform((value) => value.split(/[\s,]+/).filter(Boolean));

/** The minimal length of a secret in production, where attackers could try many. */
export const secretLength = 32;

const levels = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;

/** Settings that the bot and the service both read. */
export const common = {
  DATA_DIR: words.default('.data'),
  TRUSTED_PROXIES: z.string().regex(/^\d$/, 'must be a number, 0 to 9').transform(Number).default(0),
  SHUTDOWN_DELAY: z
    .string()
    .regex(/^(?:[0-5]?\d|60)$/, 'must be a number of seconds, 0 to 60')
    .transform(Number)
    .default(0),
  METRICS_TOKEN: z.string().min(secretLength, `must have at least ${secretLength} characters`).optional(),
  LOG_LEVEL: z.enum(levels, { error: 'must be trace, debug, info, warn, error or silent' }).optional(),
  // A misspelt value would leave open what production closes.
  NODE_ENV: z.enum(['production', 'development', 'test'], { error: 'must be production, development or test, or unset' }).optional(),
};

/**
 * Reads the settings of a schema; an empty variable counts as unset. `further` adds mistakes in the files that settings
 * name, and in combinations of settings.
 * @throws {SettingsError} with a line for every mistake.
 */
export const readEnvironment = <Schema extends z.ZodObject>(
  schema: Schema,
  environment: Environment,
  further: (set: Environment) => readonly string[],
): z.output<Schema> => {
  const { set: given, lines: unread } = withSecretFiles(environment, Object.keys(schema.shape));
  const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined && value !== ''));
  const { success, data, error } = schema.safeParse(set);
  // Mistakes in several entries of a list are reported once, since the list is one setting.
  const lines = new Set(success ? unread : [...unread, ...error.issues.map(({ path: [name], message }) => `${String(name)}: ${message}.`)]);
  for (const line of further(set)) lines.add(line);
  if (!success || lines.size > 0) throw new SettingsError([...lines]);
  return data;
};

const isSecret = (name: string) => /(?:KEY|SECRET|TOKEN|PASSWORD|PEPPER|DATABASE_URL|SMTP_URL)$/i.test(name);

/** The settings with every secret that `<name>_FILE` names a file for, as container platforms mount them. */
const withSecretFiles = (environment: Environment, names: readonly string[]) => {
  const set: Record<string, string | undefined> = { ...environment };
  const lines: string[] = [];
  for (const name of names.filter(isSecret)) {
    const file = ownValue(environment, `${name}_FILE`);
    if (!file) continue;
    if (ownValue(environment, name)) lines.push(`${name}_FILE: must not be set beside ${name}.`);
    try {
      set[name] = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
      if (set[name] === '') lines.push(`${name}_FILE: ${file} is empty.`);
    } catch (fault) {
      lines.push(`${name}_FILE: ${file} cannot be read (${(fault as NodeJS.ErrnoException).code}).`);
    }
  }
  return { set, lines };
};

/** A variable that is no setting, and the setting that may have been meant. */
export type Misspelt = { readonly setting: string; readonly meant: string };

/** The variables that are spelled almost like one of these settings. */
export const misspelt = (environment: Environment, names: readonly string[]): readonly Misspelt[] => {
  const known = new Set(names.flatMap((name) => [name, `${name}_FILE`]));
  return Object.keys(environment).flatMap((setting) => {
    // OpenTelemetry has many variables, and the first letter is seldom mistyped.
    if (known.has(setting) || setting.startsWith('OTEL_')) return [];
    const alike = [...known].filter((name) => name[0] === setting[0]);
    const meant = nearestWord(setting, alike, Math.min(3, setting.length / 4));
    return meant === undefined ? [] : [{ setting, meant }];
  });
};

/** The error lines that a check throws. */
export const linesOf = (check: () => unknown): readonly string[] => {
  try {
    check();
    return [];
  } catch (fault) {
    if (fault instanceof SettingsError) return fault.lines;
    throw fault;
  }
};

/** A line for each of the names that is not set. */
export const needs = (set: Environment, names: readonly string[], when: string): string[] =>
  names.filter((name) => !set[name]).map((name) => `${name}: must be set when ${when}.`);

/** The condition, as worded in these lines. */
export const inProduction = 'when NODE_ENV is production';

/** A line for each secret that is too short for production. */
export const shortSecrets = (set: Environment, names: readonly string[], when = inProduction): string[] =>
  names
    .filter((name) => (set[name] ?? '') !== '' && (set[name] ?? '').length < secretLength)
    .map((name) => `${name}: must have at least ${secretLength} characters ${when}.`);

/** In production, the number of proxies that `X-Forwarded-For` passes through must be set, not guessed. */
export const unsaidProxies = ({ TRUSTED_PROXIES }: Environment, when = inProduction): string[] =>
  TRUSTED_PROXIES ? [] : [`TRUSTED_PROXIES: must be set ${when}: the number of proxies in front, 0 for none.`];

/** A line for each address where others could read secrets or customers' data in transit. */
export const inTheClear = (set: Environment, names: readonly string[], when = inProduction): string[] =>
  names
    .filter((name) => isInTheClear(set[name] ?? ''))
    .map(
      (name) => `${name}: must be ${/^ws/i.test(set[name] ?? '') ? 'a wss' : 'an https'} address ${when}, unless it is on this machine.`,
    );

const hostOf = (url: string) => URL.parse(url)?.hostname;

/** Whether traffic to an address could be read on the way. */
export const isInTheClear = (url: string): boolean => /^(?:http|ws):/i.test(url) && !isLoopbackHost(hostOf(url));

/** Logs a warning for each. */
export const warnOfMisspelt = (found: readonly Misspelt[], log: Log): void => {
  for (const { setting, meant } of found) log.warn({ component: 'settings', setting }, `this is no setting: did you mean ${meant}?`);
};
