// Reads the catalogue's file, and reports every mistake with its place.
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { z } from 'zod';
import type { FieldError } from '../../../platform/http/http-problem.ts';
import { shipped } from '../../../platform/pages/assets.ts';
import { readTheme, type Theme, ThemeUnusable } from '../../../platform/pages/theme.ts';
import { describeIssues, plainly } from '../../../platform/settings/issues.ts';
import { SettingsError } from '../../../platform/settings/settings-error.ts';
import { parseFile } from '../../../platform/settings/yaml-file.ts';
import type { Language } from '../../../platform/text/languages.ts';
import { packageFolder } from '../../package-folder.ts';
import { type Catalogue, catalogue, catalogues } from './catalogue.ts';
import { wordsIn } from './fields.ts';
import { type AccountKey, readKey } from './keys.ts';
import { type Places, SecretUnusable } from './places.ts';
import { readSecret } from './webhook-endpoints.ts';

/** The catalogue of the demo account. A build has it as JSON too, which is read a hundred times as fast. */
export const demoCatalogue = fileURLToPath(shipped(new URL('demo.json', packageFolder), () => new URL('demo.yaml', packageFolder)));

/** One account's catalogue and keys. */
export interface LoadedAccount {
  readonly catalogue: Catalogue;
  readonly keys: readonly AccountKey[];
  /** The theme of its pages; unset: the service's. */
  readonly theme?: Theme | undefined;
}

/**
 * Reads and checks the catalogues of all accounts: the file is that of one account, or holds several below `accounts`.
 * `environment` is where keys and secrets are looked for; without it, keys and webhooks are left out.
 * @throws {SettingsError} one line per mistake: setting, file, place in the file, what is wrong.
 */
export const loadAccounts = (file: string, environment: Places['environment'] | undefined): readonly LoadedAccount[] => {
  const place = `SERVICE_CATALOGUE: ${file}`;
  const refuse = (errors: readonly FieldError[]) =>
    new SettingsError(errors.map(({ path, message }) => `${place}: ${path || 'the file'}: ${message}.`));
  // JSON of other people's making is read as YAML, which tells where a mistake is.
  const content: unknown =
    file === demoCatalogue && file.endsWith('.json') ? JSON.parse(readFileSync(file, 'utf8')) : parseFile(file, place);
  const several = typeof content === 'object' && content !== null && 'accounts' in content;
  const all = several ? checked(catalogues, content, refuse).accounts : [checked(catalogue, content, refuse)];
  const at = (index: number) => (several ? `accounts.${index}.` : '');
  const errors: FieldError[] = [];
  const folder = dirname(resolve(file));
  const places = environment && { environment, folder };
  /** What `read` returns; if the file it reads is wrong, that is an error at `path`. */
  const reading = <Value>(path: string, read: () => Value): Value[] => {
    try {
      return [read()];
    } catch (fault) {
      if (fault instanceof SecretUnusable) errors.push({ path, message: fault.message });
      else if (fault instanceof ThemeUnusable)
        errors.push(...fault.errors.map((one) => ({ path, message: `${one.path}: ${one.message}` })));
      else throw fault;
      return [];
    }
  };
  const loaded = all.map((one, index): LoadedAccount => {
    const { theme: themeFile, account } = one;
    const themeAt = `${at(index)}theme`;
    const [theme] = themeFile === undefined ? [] : reading(themeAt, () => readTheme(resolve(folder, themeFile), `${place}: ${themeAt}`));
    if (!places) return { catalogue: { ...one, webhooks: [] }, keys: [], theme };
    const keys = account.keys.flatMap((key, position) => reading(`${at(index)}account.keys.${position}`, () => readKey(key, places)));
    const webhooks = one.webhooks.map(({ secrets, ...endpoint }, number) => ({
      ...endpoint,
      keys: secrets.flatMap((secret, position) =>
        reading(`${at(index)}webhooks.${number}.secret.${position}`, () => readSecret(secret, places)),
      ),
    }));
    return { catalogue: { ...one, webhooks }, keys, theme };
  });
  if (places) errors.push(...sharedKeys(loaded, at), ...lockedOut(loaded, at, errors.length > 0));
  if (errors.length > 0) throw refuse(errors);
  return loaded;
};

/** A key must open one account only, or it would be unclear whose calls are whose. */
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

/** What the accounts of a catalogue offer, with titles by language, in the catalogue's own where there is no other. */
export const offersIn = (file: string = demoCatalogue) => {
  const titled = <Words extends { readonly title: string }>(
    { id, title, texts }: { readonly id: string; readonly title: string; readonly texts: Readonly<Partial<Record<Language, Words>>> },
    own: string,
  ) => ({ value: id, title: (language: string) => wordsIn({ texts }, language, own).words?.title ?? title });
  const all = loadAccounts(file, undefined).map(({ catalogue: one }) => one);
  return {
    product: all.flatMap(({ products, language }) => products.map((one) => titled(one, language))),
    document: all.flatMap(({ documents, language }) => documents.map((one) => titled(one, language))),
  };
};
