// An operator's texts that replace built-in ones (TEXTS_DIR): files in the same form, with only the changed texts.
// A folder cannot add a language: each has its own parser of dates and its own phrases, which are code and its tests.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ChatLanguage, chatLanguages, messagesOf, type OwnTexts, replacementFaults } from '../../../dialogs/index.ts';
import { readJson } from '../../platform/settings/json-file.ts';
import { SettingsError } from '../../platform/settings/settings-error.ts';
import { didYouMean } from '../../platform/text/did-you-mean.ts';
import { type OwnPageTexts, pageMessagesOf } from '../../web/index.ts';

const isSpoken = (language: string): language is ChatLanguage => chatLanguages.some((known) => known === language);

/** `de.json`: the bot's texts in German. `page.de.json`: the page's. */
const fileOf = (name: string) => {
  const [, prefix, language = ''] = /^(page\.)?([A-Za-z-]+)\.json$/.exec(name) ?? [];
  if (language === '') return 'is no file of texts: those are called de.json, or page.de.json';
  if (!isSpoken(language)) return `${language} is no language that the bot speaks: ${chatLanguages.join(', ')}`;
  return { language, page: prefix !== undefined };
};

/** The texts of a file, by full key. */
const entriesOf = (value: unknown, path: readonly string[] = []): { readonly path: readonly string[]; readonly value: unknown }[] =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.entries(value).flatMap(([key, inner]) => entriesOf(inner, [...path, key]))
    : [{ path, value }];

/** The valid texts of a file, and the faults of the others, by line. */
const readTexts = (language: ChatLanguage, page: boolean, text: string) => {
  const { value, faults, lineOf } = readJson(text);
  if (faults.length > 0) return { texts: new Map<string, string>(), faults };
  const ours: ReadonlyMap<string, string> = page ? pageMessagesOf(language) : messagesOf(language);
  const usable = new Map<string, string>();
  const wrong = entriesOf(value).flatMap(({ path, value: said }) => {
    const key = path.join('.');
    const here = (message: string) => ({ line: lineOf(path), message: key === '' ? message : `${key} ${message}` });
    if (typeof said !== 'string') return [here(key === '' ? 'must hold texts by their names, as ours do' : 'must be a text')];
    const original = ours.get(key);
    if (original === undefined) {
      if ([...ours.keys()].some((one) => one.startsWith(`${key}.`))) return [here('is a group of texts')];
      const { hint } = didYouMean(key, [...ours.keys()]);
      return [here(`is no text of ours${hint === undefined ? '' : `; ${hint}`}`)];
    }
    usable.set(key, said);
    return replacementFaults(said, original, language).map(here);
  });
  return { texts: usable, faults: wrong };
};

/**
 * The texts in a folder: the bot's (`chat`), and those of the page around its chat (`page`). Hidden files are ignored.
 * @throws {SettingsError} with a line for every fault in its files.
 */
export const readOwnTexts = (folder: string): { readonly chat: OwnTexts; readonly page: OwnPageTexts } => {
  let names: readonly string[];
  try {
    names = readdirSync(folder).filter((name) => !name.startsWith('.'));
  } catch (cause) {
    throw new SettingsError([`TEXTS_DIR: the folder ${folder} cannot be read.`], { cause });
  }
  const lines: string[] = [];
  const words = { chat: {} as Record<string, ReadonlyMap<string, string>>, page: {} as Record<string, ReadonlyMap<string, string>> };
  for (const name of names.toSorted()) {
    const file = fileOf(name);
    if (typeof file === 'string') {
      lines.push(`TEXTS_DIR: ${name}: ${file}.`);
      continue;
    }
    const { texts, faults } = readTexts(file.language, file.page, readFileSync(join(folder, name), 'utf8'));
    for (const { line, message } of faults) lines.push(`TEXTS_DIR: ${name}: line ${line}: ${message}`.replace(/(?<!\?)$/, '.'));
    words[file.page ? 'page' : 'chat'][file.language] = texts;
  }
  if (lines.length > 0) throw new SettingsError(lines);
  return words;
};

/** How many built-in texts are replaced. */
export const countOf = ({ chat, page }: ReturnType<typeof readOwnTexts>): number =>
  [...Object.values(chat), ...Object.values(page)].reduce((sum, texts) => sum + (texts?.size ?? 0), 0);
