// What the customer can know the message on their device by: in whose name it comes, what it is about, until when it is good.
import type { AppId } from '../src/contract/index.ts';
import { keyOf } from './app-cards.ts';
import type { Element } from './card.ts';
import { type Fact, factRows, paragraph } from './elements.ts';
import type { Texts } from './texts.ts';

/** What is known of a message. What is not known is not spoken of. */
export interface MessageFacts {
  /** In whose name it comes. */
  readonly sender?: string;
  /** The title of the document, product or form. */
  readonly subject?: string;
  /** What is to be paid, in major units. */
  readonly price?: { readonly amount: number; readonly currency: string };
  /** Until when it is good, epoch milliseconds; `dated` where the time of day alone would be taken for today's. */
  readonly until?: { readonly at: number; readonly dated: boolean };
}

/** What a subject is called. Passkeys and passcodes have none. */
const subjectKeys = {
  ...keyOf(() => 'cards.facts.product'),
  'document-signature': 'cards.facts.document',
  'e-form': 'cards.facts.form',
};

const factsOf = (app: AppId, { subject, price, until }: MessageFacts, t: Texts): Fact[] => {
  const time = until && t.time(until.at);
  return [
    ...(subject === undefined ? [] : [{ label: t(subjectKeys[app]), value: subject }]),
    ...(price === undefined ? [] : [{ label: t('cards.facts.amount'), value: t.money(price.amount, price.currency) }]),
    ...(until === undefined || time === undefined
      ? []
      : [{ label: t('cards.facts.until'), value: until.dated ? t('cards.when', { date: t.date(until.at), time }) : time }]),
  ];
};

const fromLine = ({ sender }: MessageFacts, t: Texts): string[] => (sender === undefined ? [] : [t('cards.waiting.from', { sender })]);

/** It as a part of a card. */
export const messageRows = (app: AppId, facts: MessageFacts, t: Texts): Element[] => [
  ...fromLine(facts, t).map((line) => paragraph(line, { spacing: 'Small' })),
  ...factRows(factsOf(app, facts, t)),
];

/** The same in one line of plain text, since a text message has little room; nothing where nothing is known. */
export const messageLine = (app: AppId, facts: MessageFacts, t: Texts): string | undefined => {
  const [sender] = fromLine(facts, t);
  const rest = factsOf(app, facts, t)
    .map(({ label, value }) => `${label}: ${value}`)
    .join('; ');
  return [sender, rest].filter(Boolean).join(' ') || undefined;
};
