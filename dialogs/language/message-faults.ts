// Finds faults in ICU messages that replace others or translate them.
import { IntlMessageFormat } from 'intl-messageformat';

/** An operator's messages that replace the built-in ones, by language and whole key. */
export type OwnTexts = { readonly [language: string]: ReadonlyMap<string, string> | undefined };

/** Calls back with every argument of a message: 1 to 6 are plain, number, date, time, select, plural. */
const eachArgument = (message: string, take: (type: number, part: { value?: unknown; options?: object }) => void): void => {
  const walk = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return;
    const { type } = part as { type?: number };
    if (type !== undefined && type >= 1 && type <= 6) take(type, part);
    Object.values(part).forEach(walk);
  };
  walk(new IntlMessageFormat(message, 'en', undefined, { ignoreTag: true }).getAst());
};

const select = 5;
const plural = 6;

/** The placeholders of a message, each with its kind, for the tests of the built-in languages. @internal */
export const placeholders = (message: string): readonly string[] => {
  const names = new Set<string>();
  eachArgument(message, (type, { value }) => names.add(`${value} (${type})`));
  return [...names].sort();
};

/**
 * The faults in a message's plurals in a language: missing forms that its grammar requires, and forms that it does
 * not have.
 */
export const pluralFaults = (message: string, language: string): readonly string[] => {
  const rules = new Intl.PluralRules(language);
  const known: readonly string[] = rules.resolvedOptions().pluralCategories;
  const wanted = new Set([...Array.from({ length: 200 }, (_, count) => rules.select(count)), 'other']);
  const faults: string[] = [];
  eachArgument(message, (type, { options }) => {
    if (type !== plural || !options) return;
    const named = Object.keys(options).filter((option) => !option.startsWith('='));
    for (const form of wanted) if (!named.includes(form)) faults.push(`lacks ${form}`);
    for (const form of named) if (!known.includes(form)) faults.push(`knows no ${form}`);
  });
  return faults;
};

/** Markers that a page looks for in its texts: `[Retry][RETRY]`. */
const marksOf = (message: string): readonly string[] => message.match(/\[[A-Z]+\]/g) ?? [];

const namesIn = (message: string, withSelects: boolean): ReadonlySet<string> => {
  const names = new Set<string>();
  eachArgument(message, (type, { value }) => {
    if (withSelects || type !== select) names.add(String(value));
  });
  return names;
};

/**
 * The faults of a message that replaces another, each in a few words. A choice of words (`select`) may be
 * omitted: whoever writes for one bot knows which of them applies.
 */
export const replacementFaults = (message: string, original: string, language: string): readonly string[] => {
  if (message.trim() === '') return ['must not be empty'];
  try {
    const [had, has] = [namesIn(original, true), namesIn(message, true)];
    const missing = [...namesIn(original, false)].filter((name) => !has.has(name));
    const unknown = [...has].filter((name) => !had.has(name));
    const known = had.size === 0 ? 'there is none in this text' : `this text has ${[...had].map((name) => `{${name}}`).join(', ')}`;
    return [
      ...missing.map((name) => `must have {${name}}, as our text has`),
      ...unknown.map((name) => `has {${name}}, which nobody fills in: ${known}`),
      ...marksOf(original)
        .filter((mark) => !message.includes(mark))
        .map((mark) => `must have ${mark}, as our text has`),
      ...pluralFaults(message, language).map((fault) => `${fault} among its plural forms, by the grammar of ${language}`),
    ];
  } catch (fault) {
    if (!(fault instanceof Error)) throw fault;
    return [`is no ICU message (${fault.message})`];
  }
};
