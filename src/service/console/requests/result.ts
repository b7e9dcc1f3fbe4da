// A result record in readable form: its app's fields by name, answers of forms as a list, amounts as money.
import { type Html, html } from '../../../platform/text/html.ts';
import { code, facts } from '../parts.ts';
import type { Words } from '../words.ts';

/** Fields already shown elsewhere on the request's page. */
const elsewhere = new Set(['accountId', 'app', 'customerRef', 'id', 'sessionRef', 'phoneNumber', 'currency', 'url']);

interface Item {
  readonly type: string;
  readonly key: string;
  readonly value: unknown;
}

/** The result stored with a request; anything unexpected in it is left out. */
export const resultShown = (result: unknown, words: Words): Html => {
  const { named, money, moment, t } = words;
  const record = typeof result === 'object' && result !== null ? (result as Readonly<Record<string, unknown>>) : {};
  const shown = (name: string, value: unknown): Html | string | undefined => {
    if (name === 'status' && typeof value === 'string') return named(`outbox.${value}`);
    if (name === 'timestamp' && typeof value === 'string') return moment(Date.parse(value));
    if (name === 'amount' && typeof value === 'number' && typeof record.currency === 'string') return money(value, record.currency);
    if (name === 'data' && Array.isArray(value)) return answers(value as readonly Item[], words);
    return plain(value, t);
  };
  const entries = Object.entries(record).filter(([name]) => !elsewhere.has(name));
  return facts(entries.map(([name, value]) => [labelOf(name, words), shown(name, value)] as const));
};

const labelled = [
  'status',
  'timestamp',
  'ipAddress',
  'userAgent',
  'agentId',
  'title',
  'data',
  'zeroKnowledge',
  'action',
  'product',
  'quantity',
  'amount',
  'gateway',
  'productId',
  'transactionId',
  'gatewayUrl',
];

/** A field stored by another version is shown under its raw name. */
const labelOf = (name: string, { named }: Words) => (labelled.includes(name) ? named(`console.result.${name}`) : name);

const plain = (value: unknown, t: Words['t']): string => {
  if (typeof value === 'boolean') return t(value ? 'page.yes' : 'page.no');
  return Array.isArray(value) ? value.map(String).join(', ') : String(value ?? '');
};

const answers = (items: readonly Item[], { t }: Words): Html =>
  html`<dl class="answers">${items.map(({ type, key, value }) =>
    type === 'jwe'
      ? html`<div><dt>${t('console.result.sealed')}</dt><dd>${t('console.result.sealedText')}</dd></div>`
      : html`<div><dt>${code(key)}</dt><dd dir="auto">${plain(value, t)}</dd></div>`,
  )}</dl>`;
