// Reads the catalogue's file, and reports every mistake with its place.
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FieldError } from '../../../platform/http/http-problem.ts';
import { shipped } from '../../../platform/pages/assets.ts';
import { readTheme, ThemeUnusable } from '../../../platform/pages/theme.ts';
import { describeIssues, plainly } from '../../../platform/settings/issues.ts';
import { SettingsError } from '../../../platform/settings/settings-error.ts';
import { parseFile } from '../../../platform/settings/yaml-file.ts';
import type { Language } from '../../../platform/text/languages.ts';
import { packageFolder } from '../../package-folder.ts';
import { type Catalogue, catalogueIn, cataloguesIn } from './catalogue.ts';
import { wordsIn } from './fields.ts';
import type { Places } from './secrets.ts';

/** The catalogue of the demo account. A build has it as JSON too, which is read a hundred times as fast. */
export const demoCatalogue = fileURLToPath(shipped(new URL('demo.json', packageFolder), () => new URL('demo.yaml', packageFolder)));

/**
 * Reads and checks the catalogues of all accounts: the file is that of one account, or holds several below `accounts`.
 * `environment` is where keys and secrets are looked for; without it, keys and webhooks are left out.
 * @throws {SettingsError} one line per mistake: setting, file, place in the file, what is wrong.
 */
export const loadAccounts = (file: string, environment: Places['environment'] | undefined): readonly Catalogue[] => {
  const place = `SERVICE_CATALOGUE: ${file}`;
  const refuse = (errors: readonly FieldError[]) =>
    new SettingsError(errors.map(({ path, message }) => `${place}: ${path || 'the file'}: ${message}.`));
  // JSON of other people's making is read as YAML, which tells where a mistake is.
  const content: unknown =
    file === demoCatalogue && file.endsWith('.json') ? JSON.parse(readFileSync(file, 'utf8')) : parseFile(file, place);
  const several = typeof content === 'object' && content !== null && 'accounts' in content;
  const folder = dirname(resolve(file));
  const places = environment && { environment, folder };
  const schema = several ? cataloguesIn(places) : catalogueIn(places).transform((one) => ({ accounts: [one] }));
  const parsed = schema.safeParse(content, { error: plainly });
  if (!parsed.success) throw refuse(describeIssues(parsed.error));
  const at = (index: number) => (several ? `accounts.${index}.` : '');
  const errors: FieldError[] = [];
  const loaded = parsed.data.accounts.map(({ theme, ...one }, index): Catalogue => {
    if (theme === undefined) return one;
    const path = `${at(index)}theme`;
    try {
      return { ...one, theme: readTheme(resolve(folder, theme), `${place}: ${path}`) };
    } catch (fault) {
      if (!(fault instanceof ThemeUnusable)) throw fault;
      errors.push(...fault.errors.map((wrong) => ({ path, message: `${wrong.path}: ${wrong.message}` })));
      return one;
    }
  });
  if (places) errors.push(...sharedKeys(loaded, at), ...lockedOut(loaded, at));
  if (errors.length > 0) throw refuse(errors);
  return loaded;
};

/** A key must open one account only, or it would be unclear whose calls are whose. */
const sharedKeys = (loaded: readonly Catalogue[], at: (index: number) => string): FieldError[] => {
  const all = loaded.flatMap(({ account }, index) =>
    account.keys.map(({ digest }, position) => ({ name: digest.toString('hex'), path: `${at(index)}account.keys.${position}` })),
  );
  const firsts = new Map(all.toReversed().map(({ name, path }) => [name, path]));
  return all.filter(({ name, path }) => firsts.get(name) !== path).map(({ path }) => ({ path, message: 'is used twice' }));
};

/** The service's own key opens the first account only. */
const lockedOut = (loaded: readonly Catalogue[], at: (index: number) => string): FieldError[] =>
  loaded.flatMap(({ account }, index) =>
    index > 0 && account.keys.length === 0
      ? [{ path: `${at(index)}account.keys`, message: "must be given: the service's own key opens the first account only" }]
      : [],
  );

/** What the accounts of a catalogue offer, with titles by language, in the catalogue's own where there is no other. */
export const offersIn = (file: string = demoCatalogue) => {
  const titled = <Words extends { readonly title: string }>(
    { id, title, texts }: { readonly id: string; readonly title: string; readonly texts: Readonly<Partial<Record<Language, Words>>> },
    own: string,
  ) => ({ value: id, title: (language: string) => wordsIn({ texts }, language, own).words?.title ?? title });
  const all = loadAccounts(file, undefined);
  return {
    product: all.flatMap(({ products, language }) => products.map((one) => titled(one, language))),
    document: all.flatMap(({ documents, language }) => documents.map((one) => titled(one, language))),
  };
};
