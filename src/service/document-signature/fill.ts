// Filling a template's blanks, in the language that the template is written in.

import { blank, passage } from '../core/catalogue/document.ts';
import type { Texts } from '../core/texts.ts';
import { plainText } from '../pdf/printable.ts';
import type { DocumentContent, Part } from './document-content.ts';
import type { FilledVariable } from './variables.ts';

/** The document with its blanks filled. `texts` are those of `language`, or of the nearest that is spoken here. */
export const fillTemplate = (
  template: { readonly title: string; readonly paragraphs: readonly string[] },
  variables: readonly FilledVariable[],
  language: string,
  texts: Texts,
): DocumentContent => ({
  title: plainText(template.title),
  language,
  paragraphs: template.paragraphs
    .map((paragraph) => withoutGaps(paragraph, variables))
    .filter((paragraph) => paragraph !== '')
    .map((paragraph) => partsOf(paragraph, variables, texts)),
});

/**
 * A paragraph without the passages whose blanks are empty. It is still a template: filled-in values are not searched
 * for marks.
 */
const withoutGaps = (paragraph: string, variables: readonly FilledVariable[]): string => {
  const isFilled = (name: string) => variables.some((variable) => variable.name === name && variable.value !== undefined);
  const kept = paragraph.replace(passage, (_, text: string) =>
    [...text.matchAll(blank)].every(([, name = '']) => isFilled(name)) ? text : '',
  );
  return plainText(kept).trim();
};

const partsOf = (paragraph: string, variables: readonly FilledVariable[], texts: Texts): Part[] =>
  paragraph
    .split(blank)
    // Splitting at a pattern with one group alternates between text and that group.
    .map((text, index) => {
      const isBlank = index % 2 === 1;
      const variable = isBlank ? variables.find(({ name }) => name === text) : undefined;
      return { filled: variable?.entered === true, text: plainText(isBlank ? shown(variable, texts) : text) };
    })
    .filter(({ text }) => text !== '');

const shown = (variable: FilledVariable | undefined, texts: Texts): string => {
  if (variable?.value === undefined) return texts.t('page.empty');
  const { type, value, currency } = variable;
  if (type === 'currency' && currency !== undefined) return texts.money(value, currency);
  if (type === 'date') return texts.day(value);
  if (type === 'boolean') return texts.t(value === 'true' ? 'page.yes' : 'page.no');
  return value;
};
