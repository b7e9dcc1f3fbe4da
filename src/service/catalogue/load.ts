// Reading the catalogue's file, with every mistake told by where it is.
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseDocument } from 'yaml';
import type { z } from 'zod';
import type { FieldError } from '../../platform/http-problem.ts';
import { SettingsError } from '../../platform/settings-error.ts';
import { describeIssues, plainly } from '../issues.ts';
import { type Catalogue, catalogue, catalogues } from './catalogue.ts';
import { type AccountKey, type KeyPlaces, KeyUnusable, readKey } from './keys.ts';

/** The catalogue of the demo account. */
export const demoCatalogue = fileURLToPath(new URL('../demo.yaml', import.meta.url));

/** What one account offers, and the keys that open it. */
export interface LoadedAccount {
  readonly catalogue: Catalogue;
  readonly keys: readonly AccountKey[];
}

/**
 * Reads and checks the catalogues of all accounts: the file is that of one account, or holds several below `accounts`. `environment` is where
 * keys are looked for.
 * @throws {SettingsError} one line per mistake: setting, file, place in the file, what is wrong.
 */
export const loadAccounts = (file: string, environment: KeyPlaces['environment']): readonly LoadedAccount[] => {
  const place = `SERVICE_CATALOGUE: ${file}`;
  const refuse = (errors: readonly FieldError[]) =>
    new SettingsError(errors.map(({ path, message }) => `${place}: ${path || 'the file'}: ${message}.`));
  const content = parseFile(file, place);
  const several = typeof content === 'object' && content !== null && 'accounts' in content;
  const all = several ? checked(catalogues, content, refuse).accounts : [checked(catalogue, content, refuse)];
  const at = (index: number) => (several ? `accounts.${index}.` : '');
  const errors: FieldError[] = [];
  const loaded = all.map((one, index): LoadedAccount => {
    const keys = one.account.keys.flatMap((key, position) => {
      try {
        return [readKey(key, { environment, folder: dirname(resolve(file)) })];
      } catch (fault) {
        if (!(fault instanceof KeyUnusable)) throw fault;
        errors.push({ path: `${at(index)}account.keys.${position}`, message: fault.message });
        return [];
      }
    });
    return { catalogue: one, keys };
  });
  errors.push(...sharedKeys(loaded, at), ...lockedOut(loaded, at, errors.length > 0));
  if (errors.length > 0) throw refuse(errors);
  return loaded;
};

/** A key must open one account, or nobody could tell whose calls are whose. */
const sharedKeys = (loaded: readonly LoadedAccount[], at: (index: number) => string): FieldError[] => {
  const all = loaded.flatMap(({ keys }, index) =>
    keys.map(({ digest }, position) => ({ name: digest.toString('hex'), path: `${at(index)}account.keys.${position}` })),
  );
  const firsts = new Map(all.toReversed().map(({ name, path }) => [name, path]));
  return all.filter(({ name, path }) => firsts.get(name) !== path).map(({ path }) => ({ path, message: 'is used twice' }));
};

/** The service's own key opens the first account only. */
const lockedOut = (loaded: readonly LoadedAccount[], at: (index: number) => string, unread: boolean): FieldError[] =>
  loaded.flatMap(({ keys }, index) =>
    index > 0 && keys.length === 0 && !unread
      ? [{ path: `${at(index)}account.keys`, message: "must be given: the service's own key opens the first account only" }]
      : [],
  );

const checked = <Schema extends z.ZodType>(
  schema: Schema,
  content: unknown,
  refuse: (errors: readonly FieldError[]) => SettingsError,
): z.output<Schema> => {
  const parsed = schema.safeParse(content, { error: plainly });
  if (parsed.success) return parsed.data;
  throw refuse(describeIssues(parsed.error));
};

const parseFile = (file: string, place: string): unknown => {
  const document = parseDocument(read(file, place), { prettyErrors: true });
  if (document.errors.length > 0) {
    throw new SettingsError(
      document.errors.map(
        ({ linePos, code }) => `${place}: line ${linePos?.[0].line ?? 1}, column ${linePos?.[0].col ?? 1}: not YAML (${code}).`,
      ),
    );
  }
  try {
    // Aliases are resolved here, and too many of them are refused.
    return document.toJS();
  } catch (cause) {
    throw new SettingsError([`${place}: refers to itself in a way that cannot be resolved.`], { cause });
  }
};

const read = (file: string, place: string) => {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new SettingsError([`${place}: cannot be read.`], { cause });
  }
};
