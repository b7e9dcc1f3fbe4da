// What ICU messages are made of, for tests that compare languages.
import { IntlMessageFormat } from 'intl-messageformat';

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

/** The placeholders of a message, each with its kind. */
export const placeholders = (message: string): readonly string[] => {
  const names = new Set<string>();
  eachArgument(message, (type, { value }) => names.add(`${value} (${type})`));
  return [...names].sort();
};

/**
 * What is wrong with the plurals of a message in a language: forms that its grammar asks for, and others that it does
 * not know.
 */
export const pluralFaults = (message: string, language: string): readonly string[] => {
  const rules = new Intl.PluralRules(language);
  const known: readonly string[] = rules.resolvedOptions().pluralCategories;
  const wanted = new Set([...Array.from({ length: 200 }, (_, count) => rules.select(count)), 'other']);
  const faults: string[] = [];
  eachArgument(message, (type, { options }) => {
    if (type !== 6 || !options) return;
    const named = Object.keys(options).filter((option) => !option.startsWith('='));
    for (const form of wanted) if (!named.includes(form)) faults.push(`lacks ${form}`);
    for (const form of named) if (!known.includes(form)) faults.push(`knows no ${form}`);
  });
  return faults;
};
