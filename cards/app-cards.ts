// What an app's cards must provide: the interface that the files named after the apps implement.
import type { AppId, ResultRecord } from '../src/contract/index.ts';
import type { Element, OpenUrl } from './card.ts';
import { eyebrow, type Fact, factLines, factRows, heading, type Mark, marked, paragraph } from './elements.ts';
import type { EndingStatus } from './kinds.ts';
import { type CardAction, type CardMessage, message } from './message.ts';
import type { TextKey, Texts, TextValues, TitledKey } from './texts.ts';

/** Who receives a request. Both strings are given as they may be shown: masked if the reader is not known yet. */
export interface Addressee {
  readonly customer: string;
  readonly phone: string;
}

/** How an interaction ended. */
export interface CardEnding<Id extends AppId = AppId> {
  readonly status: EndingStatus;
  /** Someone other than the customer in this chat cancelled it; the customer is told so. */
  readonly elsewhere?: boolean;
  /** It comes after the customer was told that the end is unknown. */
  readonly late?: boolean;
  /** The chat may not learn whether there was a request at all. */
  readonly unmatched?: boolean;
  /** A flow continues from it: nobody is asked whether to send it again, so that is not said either. */
  readonly goesOn?: boolean;
  /** When, epoch milliseconds; a result's timestamp replaces it. */
  readonly at: number;
  /** The result, or the part of it we keep. May be missing with any status: an ending can be decided without it. */
  readonly result?: Pick<ResultRecord<Id>, 'app' | 'timestamp'> & Partial<ResultRecord<Id>>;
  /** Whether the chat is verified for the customer: documents and receipts are shown only then. */
  readonly verified?: boolean;
  /** Its subject as chosen in the chat: the title of the document, product or form. */
  readonly subject?: string;
  readonly actions: readonly CardAction[];
}

/** The steps observed on the customer's device, in order. */
export const waitingSteps = ['sent', 'opened', 'started'] as const;
export type WaitingStep = (typeof waitingSteps)[number];

/**
 * An app's cards, and where it differs from the shared ones. `Data` is the content of its request, as far as the
 * customer confirms it.
 */
export interface AppCards<Id extends AppId = AppId, Data = never> {
  /** The title of its subject. Without it, requests of this app have none. */
  readonly subject?: TextKey;
  /** The text for a request whose end is unknown. */
  readonly endUnknown?: TextKey;
  /** What the title of the card that asks for a request names. */
  named?(data: Data, t: Texts): TextValues;
  /** The facts of a request, for the customer to confirm. */
  summary(data: Data, t: Texts): Fact[];
  /** The card of an ending. */
  outcome(ending: CardEnding<Id>, t: Texts): CardMessage;
}

/** The receiver of a request: the first facts of every summary. */
export const addresseeFacts = ({ customer, phone }: Addressee, t: Texts): Fact[] => [
  { label: t('cards.facts.customer'), value: customer },
  { label: t('cards.facts.phone'), value: phone },
];

/** The mark of each ending. */
const endingMarks: Record<EndingStatus, Mark> = {
  success: { mark: '✓', color: 'Good' },
  failure: { mark: '✕', color: 'Attention' },
  timeout: { mark: '!', color: 'Warning' },
  cancelled: { mark: '–', color: 'Default' },
};

/** The customer declined: a choice, not a fault. */
const declinedMark = { mark: '–', color: 'Default' } as const;

/** Whether the customer declined on their device, as far as the service reports. */
export const isDeclined = ({ status, result }: { readonly status: string; readonly result?: { readonly reason?: string | undefined } }) =>
  status === 'failure' && result?.reason === 'declined';

/** The mark of an ending, which may be a customer's choice, or unknown. */
export const markOf = (ending: Parameters<typeof isDeclined>[0] & { readonly status: EndingStatus | 'unknown' }) =>
  isDeclined(ending) ? declinedMark : endingMarks[ending.status === 'unknown' ? 'timeout' : ending.status];

/** What an app adds to the card of an ending. */
export interface EndingDetails {
  /** The key of its title and text, if not `cards.<app>.<status>`. */
  readonly texts?: TitledKey;
  /** The most important figure, shown large. */
  readonly figure?: Fact;
  readonly facts?: readonly Fact[];
  readonly notes?: readonly string[];
  /** Follows its text. */
  readonly also?: string | undefined;
  readonly links?: readonly OpenUrl[];
}

/** Builds the card of an ending from the texts under `cards.<app>.<status>` and what the app adds. */
export const endingCard = (app: AppId, ending: CardEnding, details: EndingDetails, t: Texts): CardMessage => {
  const { status, at, result, actions, elsewhere, late, subject, unmatched } = ending;
  const { texts, figure, facts = [], links = [] } = details;
  const name = t(`apps.${app}.name`);
  const notes = [
    ...(late ? [t('cards.late.note', { subject: subject ?? name })] : []),
    ...(unmatched ? [t('cards.unmatched')] : []),
    ...(elsewhere ? [t('cards.withdrawnElsewhere')] : []),
    ...(details.notes ?? []),
  ];
  const refused = isDeclined(ending);
  const key: TitledKey = refused ? 'cards.declined' : (texts ?? `cards.${app}.${status}`);
  const title = t(`${key}.title`);
  const text = ending.goesOn && status === 'timeout' ? '' : [t(`${key}.text`), details.also].filter(Boolean).join(' ');
  const instant = result?.timestamp === undefined ? at : instantIn(result.timestamp);
  const when = t('cards.when', { date: t.date(instant), time: t.time(instant) });
  const mark = markOf(ending);
  const headline = [heading(title), paragraph(when, { size: 'Small', isSubtle: true, spacing: 'None' })];
  const body: Element[] = [
    eyebrow(name),
    marked(mark, headline, { rank: 'headline', spacing: 'Small' }),
    ...(figure ? [paragraph(figure.value, { size: 'ExtraLarge', weight: 'Bolder', spacing: 'Medium' })] : []),
    ...(text === '' ? [] : [paragraph(text, { spacing: figure ? 'Small' : 'Medium' })]),
    ...factRows(facts),
    ...notes.map((note) => paragraph(note, { size: 'Small', isSubtle: true, spacing: 'Medium' })),
  ];
  return message(
    {
      kind: `${app}.${refused ? 'declined' : status}`,
      shown: () => ({ app: name, title, text, when, mark: mark.mark, figure: figure?.value, facts, notes }),
      body,
      lines: [`${title}. ${text}`.trimEnd(), ...factLines(figure ? [figure, ...facts] : facts), ...notes, when],
      links,
      actions,
    },
    t,
  );
};

/** Split once into day and time; anything that is not an instant is shown unchanged. */
const instantIn = (timestamp: string): number | string => {
  const instant = Date.parse(timestamp);
  return Number.isNaN(instant) ? timestamp : instant;
};

/**
 * Says where a document or receipt is, for a success in a chat that may not show it; or that it could not be read,
 * for a chat that may. Empty if there is nothing to detail.
 */
export const elsewhereUnlessVerified = ({ status, result, verified }: CardEnding, onDevice: TextKey, t: Texts): string[] => {
  if (status !== 'success') return [];
  if (result === undefined) return [t('cards.detailsMissing')];
  return verified ? [] : [t(onDevice)];
};

/** The facts that have a value. */
export const knownFacts = (facts: readonly (Omit<Fact, 'value'> & { readonly value: string | undefined })[]): Fact[] =>
  facts.filter((fact): fact is Fact => fact.value !== undefined && fact.value.trim() !== '');
