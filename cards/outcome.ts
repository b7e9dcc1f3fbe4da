// The card of an ending, as all apps show it: a mark, what happened and when, what is worth knowing about it, what can be done now.
import type { AppId } from '../src/contract/index.ts';
import { type Ending, type EndingStatus, nameKeys } from './app-cards.ts';
import type { Color, OpenUrl } from './card.ts';
import { eyebrow, type Fact, factRows, heading, marked, paragraph } from './elements.ts';
import { type CardMessage, factLines, message } from './message.ts';
import type { Texts } from './texts.ts';

/** The mark of each ending, in letters rather than pictures: every host shows them, in its own colours. */
const endingMarks: Record<EndingStatus, { readonly mark: string; readonly color: Color }> = {
  success: { mark: '✓', color: 'Good' },
  failure: { mark: '✕', color: 'Attention' },
  timeout: { mark: '!', color: 'Warning' },
  cancelled: { mark: '–', color: 'Default' },
};

/** The customer said no: that is their choice, and no fault. */
const declinedMark = { mark: '–', color: 'Default' } as const;

/** Whether the customer said no on their device, as far as the service tells. */
export const isDeclined = ({ status, result }: { readonly status: string; readonly result?: { readonly reason?: string | undefined } }) =>
  status === 'failure' && result?.reason === 'declined';

/** The mark of an ending, which may be a choice of the customer, or not known. */
export const markOf = (ending: Parameters<typeof isDeclined>[0] & { readonly status: EndingStatus | 'unknown' }) =>
  isDeclined(ending) ? declinedMark : endingMarks[ending.status === 'unknown' ? 'timeout' : ending.status];

/** What an app adds to the card of an ending. */
export interface Details {
  /** Under `cards.<app>`: where `title` and `text` are, when not under the status. */
  readonly texts?: string;
  /** The one figure that matters most, shown large. */
  readonly figure?: Fact;
  readonly facts?: readonly Fact[];
  readonly notes?: readonly string[];
  readonly links?: readonly OpenUrl[];
}

/** Builds the card of an ending from the texts under `cards.<app>.<status>` and what the app adds. */
export const endingCard = (app: AppId, ending: Ending, details: Details, t: Texts): CardMessage => {
  const { status, at, result, actions, elsewhere, late, subject, unmatched } = ending;
  const { texts = status, figure, facts = [], links = [] } = details;
  const notes = [
    ...(late ? [t('cards.late.note', { subject: subject ?? t(nameKeys[app]) })] : []),
    ...(unmatched ? [t('cards.unmatched')] : []),
    ...(elsewhere ? [t('cards.withdrawnElsewhere')] : []),
    ...(details.notes ?? []),
  ];
  const key = isDeclined(ending) ? 'cards.declined' : `cards.${app}.${texts}`;
  const title = t(`${key}.title`);
  const text = t(`${key}.text`);
  const instant = result?.timestamp === undefined ? at : instantIn(result.timestamp);
  const when = t('cards.when', { date: t.date(instant), time: t.time(instant) });
  return message(
    {
      body: [
        eyebrow(t(nameKeys[app])),
        marked(
          { ...markOf(ending), rank: 'headline' },
          [heading(title), paragraph(when, { size: 'Small', isSubtle: true, spacing: 'None' })],
          { spacing: 'Small' },
        ),
        ...(figure ? [paragraph(figure.value, { size: 'ExtraLarge', weight: 'Bolder', spacing: 'Medium' })] : []),
        paragraph(text, { spacing: figure ? 'Small' : 'Medium' }),
        ...factRows(facts),
        ...notes.map((note) => paragraph(note, { size: 'Small', isSubtle: true, spacing: 'Medium' })),
      ],
      lines: [`${title}. ${text}`, ...factLines(figure ? [figure, ...facts] : facts), ...notes, when],
      links,
      actions,
    },
    t,
  );
};

/** Read once for its day and its time; what is no instant is shown as it is. */
const instantIn = (timestamp: string): number | string => {
  const instant = Date.parse(timestamp);
  return Number.isNaN(instant) ? timestamp : instant;
};

/**
 * A sentence on where a document or a receipt is, for a success in a chat that may not show it; on that it could not be read, for one that may.
 * Nothing where there is nothing to detail.
 */
export const elsewhereUnlessVerified = ({ status, result, verified }: Ending, onDevice: string, t: Texts): string[] => {
  if (status !== 'success') return [];
  if (result === undefined) return [t('cards.detailsMissing')];
  return verified ? [] : [t(onDevice)];
};

/** The facts that have a value. */
export const known = (facts: readonly { readonly label: string; readonly value: string | undefined }[]): Fact[] =>
  facts.flatMap(({ label, value }) => (value === undefined || value.trim() === '' ? [] : [{ label, value }]));
