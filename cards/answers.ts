// The answers of a form, of whatever type, as lines that people can read.
import type { FormAnswer } from '../src/contract/index.ts';
import type { Fact } from './elements.ts';
import { humanise } from './humanise.ts';
import { oneLine } from './plain.ts';
import type { Texts } from './texts.ts';

/** The most answers a card lists: a message has a size that channels accept. */
const listed = 30;
const maxDepth = 3;

/** A value as text: yes and no, localised numbers and days, lists with commas, objects as `name: value`; never code, never a file's content. */
export const readable = (value: unknown, t: Texts, type = '', depth = 0): string => {
  if (typeof value === 'boolean') return t(value ? 'cards.yes' : 'cards.no');
  if (typeof value === 'number') return t.number(value);
  if (typeof value === 'string') {
    if (/^data:/i.test(value)) return t('cards.e-form.attachment');
    if (type === 'date') return t.date(value);
    if (type === 'toggle' && (value === 'true' || value === 'false')) return t(value === 'true' ? 'cards.yes' : 'cards.no');
    return oneLine(value);
  }
  if (typeof value !== 'object' || value === null || depth >= maxDepth) return '';
  const parts = Array.isArray(value)
    ? value.slice(0, listed).map((item) => readable(item, t, type, depth + 1))
    : Object.entries(value)
        .slice(0, listed)
        .map(([name, item]) => {
          const text = readable(item, t, '', depth + 1);
          return text === '' ? '' : `${humanise(oneLine(name, 60))}: ${text}`;
        });
  return oneLine(parts.filter((part) => part !== '').join(', '));
};

/** One fact per answer, and how many were left out because a card has an end. */
export const answerFacts = (answers: readonly FormAnswer[], t: Texts): { readonly facts: Fact[]; readonly leftOut: number } => ({
  facts: answers.slice(0, listed).map(({ type, key, value }) => ({
    label: oneLine(humanise(key), 100),
    value: readable(value, t, type) || t('cards.e-form.unanswered'),
  })),
  leftOut: Math.max(0, answers.length - listed),
});
