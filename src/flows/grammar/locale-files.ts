// The texts of a flow in one more language, in a file beside it: `settle-bill.fr.yaml`. The flow's own text is on the
// left and its translation on the right, so translators need to know neither the grammar nor the flow.
import { z } from 'zod';
import { chatLanguages } from '../../../dialogs/index.ts';
import { didYouMean } from '../../platform/text/did-you-mean.ts';
import type { Fault } from './fault.ts';
import { type Path, type Positions, parseFlowFile, readWith } from './read-flow.ts';
import { type FlowSource, type FlowText, textIn } from './schema.ts';

const words = z.string({ error: 'must be a text' }).min(1, 'must not be empty');
const localeSchema = z.strictObject({ says: z.array(words).optional(), texts: z.record(z.string(), words).optional() });

/** The flow and language in a file's name; `undefined` for the flow itself. */
export const localeOf = (name: string): { readonly flow: string; readonly language: string } | undefined => {
  const [, flow, language] = /^(.+)\.([a-z]{2})\.ya?ml$/.exec(name) ?? [];
  return flow === undefined || language === undefined ? undefined : { flow, language };
};

/** Reads a file of texts; returns its texts, or its faults. */
export const readLocale = (text: string, file: string, language: string) => {
  const { positions, written, faults } = parseFlowFile(text, file);
  if (faults.length > 0) return { faults };
  const read = readWith(localeSchema, written, positions);
  if (!read.value) return { faults: read.faults };
  const { says, texts = {} } = read.value;
  const unknown = chatLanguages.includes(language as never)
    ? []
    : [positions.fault([], 'unknown-language', `${language} is no language that the bot speaks`, { warning: true })];
  return { locale: { language, positions, says, texts }, faults: unknown };
};
export type LocaleFile = NonNullable<ReturnType<typeof readLocale>['locale']>;

/** Keys that hold customers' texts, and keys that may contain more of them. */
const [textKeys, within] = [
  new Set(['title', 'description', 'say', 'text', 'repair']),
  new Set(['do', 'else', 'then', 'on', 'parts', 'choices']),
];

/** The same flow with `change` applied to every text. An app's arguments and `set` values are not texts. */
const withTexts = (value: unknown, change: (text: FlowText, at: Path) => FlowText, at: Path = []): unknown => {
  if (Array.isArray(value)) return value.map((one, index) => withTexts(one, change, [...at, index]));
  if (typeof value !== 'object' || value === null) return value;
  // Here the keys are names of parts, or outcomes.
  const named = at.at(-1) === 'parts' || at.at(-1) === 'on';
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      if (!named && textKeys.has(key)) return [key, change(inner as FlowText, [...at, key])];
      return [key, named || within.has(key) ? withTexts(inner, change, [...at, key]) : inner];
    }),
  );
};

/**
 * The languages of a flow: those in which it has any text. Its designer chooses them, so only what one of these lacks
 * counts as missing.
 */
export const languagesOf = (flow: FlowSource): readonly string[] => {
  const spoken = new Set(Object.keys(flow.says ?? {}));
  withTexts(flow, (text) => {
    if (typeof text !== 'string') for (const language of Object.keys(text)) spoken.add(language);
    return text;
  });
  return chatLanguages.filter((language) => spoken.has(language));
};

const keyOf = (at: Path) => JSON.stringify(at);

/** A flow with the texts of its files. A fault in one of those names its place there. */
export const translated = (source: FlowSource, positions: Positions, locales: readonly LocaleFile[]) => {
  if (locales.length === 0) return { source, positions, faults: [] };
  const faults: Fault[] = [];
  /** What a file of texts has written, by its place in the flow. */
  const elsewhere = new Map<string, { readonly locale: LocaleFile; readonly at: Path }>();
  const used = new Map(locales.map((locale) => [locale, new Set<string>()]));
  const inAll = (text: FlowText, at: Path): FlowText => {
    // Translations are found by the text that designers read.
    const original = textIn(text);
    const all: Record<string, string> = typeof text === 'string' ? { en: text } : { ...text };
    for (const locale of locales) {
      const { language, texts } = locale;
      const found = Object.hasOwn(texts, original) ? texts[original] : undefined;
      if (found === undefined) continue;
      used.get(locale)?.add(original);
      if (Object.hasOwn(all, language)) {
        const message = `the flow has this text in ${language} itself`;
        faults.push(locale.positions.fault(['texts', original], 'same-text', message, { warning: true, key: true }));
        continue;
      }
      all[language] = found;
      elsewhere.set(keyOf([...at, language]), { locale, at: ['texts', original] });
    }
    return all;
  };
  const merged = withTexts(source, inAll) as FlowSource;
  const originals = new Set<string>();
  withTexts(source, (text) => {
    originals.add(textIn(text));
    return text;
  });
  const says: Record<string, string[]> = { ...merged.says };
  for (const locale of locales) {
    for (const text of Object.keys(locale.texts))
      if (!used.get(locale)?.has(text))
        faults.push(
          locale.positions.fault(['texts', text], 'unknown-text', 'the flow says nothing of the kind', {
            warning: true,
            ...didYouMean(text, [...originals]),
            key: true,
          }),
        );
    const { language } = locale;
    if (!locale.says) continue;
    const before = says[language]?.length ?? 0;
    says[language] = [...(says[language] ?? []), ...locale.says];
    for (const index of locale.says.keys()) elsewhere.set(keyOf(['says', language, before + index]), { locale, at: ['says', index] });
  }
  return {
    source: Object.keys(says).length > 0 ? { ...merged, says } : merged,
    positions: {
      ...positions,
      fault: (...[at, ...what]: Parameters<Positions['fault']>) => {
        const { locale, at: there } = elsewhere.get(keyOf(at)) ?? { at };
        return (locale?.positions ?? positions).fault(there, ...what);
      },
    },
    faults,
  };
};
