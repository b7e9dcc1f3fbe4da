// One blank of a document: reads the entered text into the value that is sent.
import { isFreeText, maxLengthOf, type Texts, type VariableFault } from '../../cards/index.ts';
import type { DocumentVariable } from '../../src/contract/index.ts';
import { holdsContactDetails } from '../../src/platform/text/contact-details.ts';
import { lacksYear, type Readings, readAmount, readDate, readNumber } from '../language/readings.ts';
import { pickedBy } from '../language/recogniser.ts';
import { comparable, phrasesOf } from '../language/words.ts';

/** The result of reading a value. */
export type BlankReading = { readonly value?: string } | { readonly fault: VariableFault } | { readonly readings: Readings };

const read = (readings: Readings, fault: VariableFault): BlankReading =>
  readings.length === 0 ? { fault } : readings.length === 1 ? { value: readings[0] } : { readings };

/**
 * What a blank does not take, whoever fills it in. Others read these words on a page of the account, so they hold no
 * address or number of a stranger, unless the blank has a pattern of its own, which the service checks.
 */
export const textFault = (variable: DocumentVariable, text: string): 'length' | 'contacts' | undefined => {
  if (text.length > maxLengthOf(variable)) return 'length';
  return isFreeText(variable) && variable.pattern === undefined && holdsContactDetails(text) ? 'contacts' : undefined;
};

/**
 * A value as it is sent, its fault, or the ways it can be read. An unknown type counts as text.
 * @param today - the customer's current date (`YYYY-MM-DD`)
 */
export const checkVariable = (variable: DocumentVariable, value: string | undefined, locale: string, today: string): BlankReading => {
  const { type, required, currency, choices = [] } = variable;
  const text = value?.trim() ?? '';
  if (type === 'boolean' && (text === 'true' || text === 'false')) return { value: text };
  // A required box that is not ticked means no. An optional one counts as unanswered.
  if (type === 'boolean' && text === '' && required) return { value: 'false' };
  if (text === '') return required ? { fault: 'required' } : {};
  const wrong = textFault(variable, text);
  if (wrong) return { fault: wrong };
  switch (type) {
    case 'number':
      return read(readNumber(text, locale), 'number');
    case 'currency':
      return read(readAmount(text, locale, currency), 'amount');
    case 'date':
      return read(readDate(text, locale, today), lacksYear(text, locale, today) ? 'year' : 'date');
    case 'boolean':
      return { fault: 'boolean' };
    case 'choice': {
      if (choices.length === 0) return { value: text };
      const chosen = choices.find((choice) => comparable(choice) === comparable(text));
      return chosen === undefined ? { fault: 'choice' } : { value: chosen };
    }
    default:
      return { value: text };
  }
};

/** Words as a value: yes and no in the customer's language, and “skip” for an optional blank. */
export const spoken = (t: Texts, { type, required }: DocumentVariable, typed: string): string => {
  const text = comparable(typed);
  if (!required && phrasesOf(t, 'phrases.skip').includes(text)) return '';
  if (type !== 'boolean') return typed;
  const answers = [
    { title: t('cards.yes'), value: 'true', phrases: 'phrases.yes' },
    { title: t('cards.no'), value: 'false', phrases: 'phrases.no' },
  ] as const;
  return pickedBy(typed, { choices: answers }, t)?.value ?? typed;
};

/**
 * A value as it is stored while the rest is filled in: days and choices in plain form, the only one a card can show;
 * numbers as typed, because their plain form may mean something else in the customer's language.
 */
export const kept = ({ type }: DocumentVariable, typed: string, checked: BlankReading): string =>
  (type === 'date' || type === 'choice') && 'value' in checked ? (checked.value ?? typed) : typed;

/** Words that name a blank by its label, with the value after a colon, if any: “Account holder: Mei Tanaka”. */
export const labelledIn = <Blank>(
  typed: string,
  blanks: readonly Blank[],
  labelOf: (blank: Blank) => string,
): { readonly blank: Blank; readonly value?: string } | undefined => {
  const [, label = typed, value] = /^([^:]{1,200}):(.+)$/su.exec(typed) ?? [];
  const [blank, another] = blanks.filter((one) => comparable(labelOf(one)) === comparable(label));
  return blank === undefined || another !== undefined ? undefined : { blank, ...(value !== undefined && { value: value.trim() }) };
};
