// An open request: the steps observed on the customer's device, while they happen and afterwards.
import { type AppId, apps } from '../src/contract/index.ts';
import { type AppCards, isDeclined, markOf, type WaitingStep, waitingSteps } from './app-cards.ts';
import type { ColumnSet, Container, Element, Submit, TextLook } from './card.ts';
import { eyebrow, type Fact, factRows, heading, type Mark, marked, paragraph, smallRow } from './elements.ts';
import type { EndingStatus } from './kinds.ts';
import { type CardAction, type CardMessage, message, openLink, type SaidLine } from './message.ts';
import type { TextKey, Texts } from './texts.ts';

export interface WaitingRequest {
  readonly app: AppId;
  /** Where the message went, masked. */
  readonly to: string;
  /** When each step was first reported, epoch milliseconds. */
  readonly progress: { readonly [Step in WaitingStep]?: number };
  /** Its steps are not shown until it is over: they would reveal whether there is a request. */
  readonly stepless?: boolean;
  /** Two digits that the message on the device also shows. */
  readonly code?: string;
  /** The page itself, for a chat on the phone that received the message. */
  readonly link?: string;
  /** Facts by which the customer can recognise the message. */
  readonly about?: MessageFacts;
  /** Set when it is over: the card stays as a record, without buttons. */
  readonly ended?: {
    readonly status: EndingStatus | 'unknown';
    readonly at: number;
    readonly result?: { readonly reason?: string | undefined };
  };
  /** Resend first, cancel. */
  readonly actions: readonly CardAction[];
}

interface Step extends SaidLine {
  readonly mark: string;
  readonly name: string;
  /** The time of day. */
  readonly time: string | undefined;
  /** Its line on the card. */
  readonly row: ColumnSet;
}

const past = (mark: Mark, name: string, at: number | undefined, ended: boolean, t: Texts): Step => {
  const time = at === undefined ? undefined : t.time(at);
  const words = time === undefined ? name : `${name}, ${time}`;
  const row = marked(mark, [paragraph(name)], { aside: time, spacing: 'Small' });
  // On a card that cannot be updated, steps would be wrong in a minute.
  return { mark: mark.mark, name, time, words, passing: !ended, row };
};

/** A step that has not happened yet, as far as is known. */
const ahead = (mark: Mark, name: string, look: TextLook, silent: boolean): Step => {
  const row = marked(mark, [paragraph(name, look)], { spacing: 'Small' });
  return { mark: mark.mark, name, time: undefined, words: name, passing: true, silent, row };
};
const reached = markOf({ status: 'success' });

// Events may be lost or late: a step counts as done when a later one is; only its time is unknown.
const progressSteps = ({ app, progress, ended }: WaitingRequest, t: Texts): Step[] => {
  // A passcode is read in the message itself: nothing is opened.
  const expected = apps[app].answeredIn === 'chat' ? waitingSteps.slice(0, 1) : waitingSteps;
  const as = (step: WaitingStep | 'finished') => (step === 'sent' && apps[app].sentTo === 'email' ? 'mailed' : step);
  const seen = expected.findLastIndex((step) => progress[step] !== undefined) + 1;
  const over = ended?.status === 'success' ? expected.length : seen;
  const steps = expected
    .slice(0, over)
    .map((step) => past(reached, t(`cards.waiting.done.${as(step)}`), progress[step], ended !== undefined, t));
  if (ended) return [...steps, past(markOf(ended), endedAs(ended, t), ended.at, true, t)];
  const [following = 'finished', ...others]: (WaitingStep | 'finished')[] = [...expected.slice(seen), 'finished'];
  return [
    ...steps,
    ahead({ mark: '●', color: 'Accent' }, t(`cards.waiting.next.${as(following)}`), { weight: 'Bolder' }, false),
    ...others.map((step) => ahead({ mark: '○', color: 'Default' }, t(`cards.waiting.done.${as(step)}`), { isSubtle: true }, true)),
  ];
};

const endedAs = (ended: NonNullable<WaitingRequest['ended']>, t: Texts) =>
  t(`cards.waiting.ended.${isDeclined(ended) ? 'declined' : ended.status}`);

/** The row of actions for a message that does not arrive. Our own page lets `resend` rest after it was pressed. */
export const missingRow = (t: Texts) => (actions: readonly Submit[]) => smallRow(t('cards.waiting.missing'), 'resend', actions);

/** What happened to a request that is over, and when. */
const overTitle = (app: AppId, ended: NonNullable<WaitingRequest['ended']>, t: Texts): string => {
  const what = ended.status === 'success' ? t(`cards.waiting.succeeded.${app}`) : endedAs(ended, t);
  const time = t.time(ended.at);
  return time === undefined ? what : t('cards.waiting.at', { what, time });
};

/** Shows the progress of an app's request. */
export const waitingCard = (data: WaitingRequest, { subject }: Pick<AppCards, 'subject'>, t: Texts): CardMessage => {
  const { app, to, code, about = {}, ended, actions, link } = data;
  const name = t(`apps.${app}.name`);
  const title = ended ? overTitle(app, ended, t) : t(`cards.${app}.waiting.title`);
  const text = ended ? t('cards.waiting.was', { to }) : t(`cards.${app}.waiting.text`, { to });
  const steps = data.stepless && !ended ? [] : progressSteps(data, t);
  const shownCode = ended ? undefined : code;
  const known = messageParts(ended ? {} : about, subject, t);
  const rows = steps.map(({ row }) => row);
  const body: Element[] = [
    eyebrow(name),
    heading(title),
    paragraph(text, { spacing: 'Small' }),
    ...known.rows,
    ...(shownCode ? [codeBox(shownCode, t)] : []),
    ...(rows.length > 0 ? [{ type: 'Container', spacing: 'Medium', separator: true, items: rows } as const] : []),
  ];
  return message(
    {
      kind: `${app}.${ended ? 'over' : 'waiting'}`,
      shown: () => ({
        app: name,
        title,
        text,
        ...known.shown,
        ...codeShown(shownCode, t),
        steps: steps.map(({ mark, name, time }) => ({ mark, name, time })),
      }),
      body,
      lines: [`${title}. ${text}`, known.line, shownCode && codeLine(shownCode, t), ...steps],
      actions: ended ? [] : actions,
      row: missingRow(t),
      links: ended ? [] : openLink(t('cards.waiting.here'), link),
    },
    t,
  );
};

/** The digits by name. */
export const codeShown = (code: string | undefined, t: Texts) => ({ code, codeLabel: code && t('cards.waiting.code') });

/** The digits, large. */
const codeBox = (code: string, t: Texts): Container => ({
  type: 'Container',
  style: 'emphasis',
  spacing: 'Medium',
  items: [
    paragraph(t('cards.waiting.code'), { size: 'Small', isSubtle: true, align: 'Center' }),
    paragraph(code, { size: 'ExtraLarge', weight: 'Bolder', fontType: 'Monospace', align: 'Center', spacing: 'Small' }),
  ],
});

/** The same as a line of plain text. */
const codeLine = (code: string, t: Texts): string => `${t('cards.waiting.code')} ${t.digits(code)}`;

/** The known facts of a message; unknown ones are left out. */
export interface MessageFacts {
  /** The sender's name. */
  readonly sender?: string;
  /** The title of the document, product or form. */
  readonly subject?: string;
  /** The amount to pay, in major units. */
  readonly price?: { readonly amount: number; readonly currency: string };
  /** Until when it is valid, epoch milliseconds; `dated` if the time of day alone would be taken for today's. */
  readonly until?: { readonly at: number; readonly dated: boolean };
}

const factsOf = ({ subject, price, until }: MessageFacts, label: TextKey | undefined, t: Texts): Fact[] => {
  const time = until && t.time(until.at);
  return [
    ...(subject === undefined || label === undefined ? [] : [{ label: t(label), value: subject }]),
    ...(price === undefined ? [] : [{ label: t('cards.facts.amount'), value: t.money(price.amount, price.currency) }]),
    ...(until === undefined || time === undefined
      ? []
      : [{ label: t('cards.facts.until'), value: until.dated ? t('cards.when', { date: t.date(until.at), time }) : time }]),
  ];
};

/**
 * What is known of a message: its rows on a card, the same by name, and in one line of plain text, since a text message
 * has little room. `label` is the subject's label.
 */
export const messageParts = (about: MessageFacts, label: TextKey | undefined, t: Texts) => {
  const { sender } = about;
  const from = sender === undefined ? undefined : t('cards.waiting.from', { sender });
  const facts = factsOf(about, label, t);
  const listed = facts.map((fact) => `${fact.label}: ${fact.value}`).join('; ');
  return {
    rows: [...(from === undefined ? [] : [paragraph(from, { spacing: 'Small' })]), ...factRows(facts)] satisfies Element[],
    shown: { from, facts },
    line: [from, listed].filter(Boolean).join(' '),
  };
};
