// The words that start a flow: which of its phrases a sentence contains, and which inputs it gives.
import { chatLanguages, comparable, unaccented } from '../../dialogs/index.ts';
import type { FlowSource, ValueType } from './grammar/schema.ts';
import { SlotPattern } from './grammar/slot-pattern.ts';
import { declared } from './grammar/value-types.ts';
import { asValue, readingsOf, type Said } from './running/readings.ts';

const slot = /\{([A-Za-z]\w*)\}/g;

/** Text in which phrases are looked for: without accents, with one kind of apostrophe and single spaces. */
export const plainOf = (text: string): string =>
  unaccented(text)
    .replace(/[’‘ʼ`´]/g, "'")
    .replace(/\s+/g, ' ')
    .trim();

/** The inputs in a phrase: `pay invoice {number}`. */
export const slotsIn = (phrase: string): string[] => [...phrase.matchAll(slot)].map(([, name = '']) => name);

/** A phrase in the form in which flows' phrases are compared. */
export const comparablePhrase = (phrase: string): string => comparable(phrase.replace(slot, ' 00slot ')).replaceAll('00slot', '{}');

export type Given = Readonly<Record<string, string | number>>;

/** Whether a word looks like an e-mail address: something, an @, something, a dot, something. In linear time. */
const isEmail = (word: string): boolean => {
  const at = word.indexOf('@', 1);
  return at > 0 && word.lastIndexOf('.', word.length - 2) > at + 1 && !/\s/.test(word);
};

/** Words as an input of a type; `undefined` if they are no such value, or ambiguous. */
const readAs = (type: ValueType, words: string, said: Said): string | number | undefined => {
  const [value, another] = readingsOf(type, words.trim().replace(/(?<![.,;:!?])[.,;:!?]+$/, ''), said);
  return another === undefined && value !== undefined ? asValue(type, value) : undefined;
};

/** What looks like a value of a type in a sentence. */
const shapes: Partial<Record<ValueType, (sentence: string) => readonly string[]>> = {
  number: (sentence) => sentence.match(/\d[\d.,]*/g) ?? [],
  money: (sentence) => sentence.match(/\d[\d.,]*/g) ?? [],
  email: (sentence) => sentence.split(/\s+/).filter(isEmail),
};

/** A value in the rest of the sentence that can only be this input: the only number, the only address. */
const foundIn = (type: ValueType, rest: string, said: Said): string | number | undefined => {
  const found = shapes[type]?.(rest) ?? [];
  return found.length === 1 ? readAs(type, found[0] as string, said) : undefined;
};

/** The inputs for which a phrase never starts the flow: they are required and it cannot give them, or have a slot in vain. */
export const notGivenBy = ({ needs = {} }: FlowSource, phrase: string): string[] =>
  Object.entries(needs).flatMap(([name, written]) => {
    const { type, optional } = declared(written);
    const isGiven = slotsIn(phrase).includes(name) ? type !== 'yes-no' : optional || shapes[type] !== undefined;
    return isGiven ? [] : [name];
  });

/** A phrase with which customers can start the flow, in English if possible; `undefined` if none can. */
export const wayInto = (flow: FlowSource): string | undefined =>
  phrasesIn(flow, ['en', ...chatLanguages]).find((phrase) => notGivenBy(flow, phrase).length === 0);

/**
 * The longest of a flow's phrases in a sentence, with the inputs it gives, and its length: a longer one is more
 * specific. `undefined` if there is none, or a required input is missing.
 */
export const phraseIn = (flow: FlowSource, typed: string, languages: readonly string[], said: Said) => {
  const text = plainOf(typed);
  let longest: { readonly length: number; readonly inputs: Given } | undefined;
  for (const { pattern, length } of patternsOf(flow, languages)) {
    const match = length > (longest?.length ?? -1) ? pattern.matchIn(text) : undefined;
    const inputs = match && inputsOf(flow, match.slots, match.rest, said);
    if (inputs) longest = { length, inputs };
  }
  return longest;
};

/** A phrase as a pattern, and its length: its letters without its slots. */
const asPattern = (phrase: string) => ({
  pattern: new SlotPattern(plainOf(phrase)),
  length: comparable(phrase.replace(slot, ' ')).length,
});
type PhrasePatterns = readonly ReturnType<typeof asPattern>[];

/** The patterns of each flow, by the languages in their order. Most of a sentence's flows are not meant. */
const patterns = new WeakMap<FlowSource, Map<string, PhrasePatterns>>();

const patternsOf = (flow: FlowSource, languages: readonly string[]): PhrasePatterns => {
  const known = patterns.get(flow) ?? new Map<string, PhrasePatterns>();
  patterns.set(flow, known);
  const name = languages.join();
  const made = known.get(name) ?? [...new Set(phrasesIn(flow, languages))].map(asPattern);
  known.set(name, made);
  return made;
};

const phrasesIn = (flow: FlowSource, languages: readonly string[]): string[] =>
  languages.flatMap((language) => [...(flow.says?.[language] ?? []), ...titleIn(flow, language)]);

/** The words of a flow's phrases in a language. */
export const wordsOfPhrases = (flow: FlowSource, language: string): string[] =>
  phrasesIn(flow, [language]).flatMap(
    (phrase) =>
      phrase
        .normalize('NFC')
        .replace(slot, ' ')
        .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [],
  );

const titleIn = ({ title }: FlowSource, language: string): string[] => {
  const words = typeof title === 'string' ? title : title[language];
  return words === undefined ? [] : [words];
};

const inputsOf = ({ needs = {} }: FlowSource, slots: Readonly<Record<string, string>>, rest: string, said: Said): Given | undefined => {
  const inputs: Record<string, string | number> = {};
  for (const [name, written] of Object.entries(needs)) {
    const { type, optional } = declared(written);
    const words = slots[name];
    const value = words === undefined ? foundIn(type, rest, said) : readAs(type, words, said);
    if (value !== undefined) inputs[name] = value;
    else if (!optional || words !== undefined) return undefined;
  }
  return inputs;
};
