// A question with its possible answers: which customer, document, product or form.
import type { AppId } from '../src/contract/index.ts';
import { type ChoiceTile, eyebrow, heading, type Mark, marked, pairedTiles, paragraph, tiles } from './elements.ts';
import type { CardKind } from './kinds.ts';
import { type CardAction, type CardMessage, message, openLink, submit } from './message.ts';
import type { Texts } from './texts.ts';

export interface Choices {
  readonly app?: AppId;
  readonly question: string;
  readonly text?: string;
  /** Numbered from 1 in the order given, so that a number can be typed. */
  readonly choices: readonly ChoiceTile[];
  /** Alternatives to choosing. */
  readonly actions?: readonly CardAction[];
}

/** The choices, by name; `press` is the answer that a pressed tile sends. */
const choicesShown = (offered: readonly ChoiceTile[]) =>
  offered.map(({ action, subtitle, aside }, index) => ({
    number: String(index + 1),
    title: action.title,
    subtitle,
    aside,
    press: submit(action),
  }));

/** Asks for one of several things. Strings about customers are given as they may be shown: masked. */
export const choices = ({ app, question, text, choices: offered, actions = [] }: Choices, t: Texts): CardMessage => {
  const hint = text ?? t('cards.choices.text');
  return message(
    {
      kind: 'choices',
      shown: () => ({ app: app && t(`apps.${app}.name`), title: question, text: hint, choices: choicesShown(offered) }),
      body: [
        ...(app ? [eyebrow(t(`apps.${app}.name`))] : []),
        heading(question),
        paragraph(hint, { isSubtle: true, spacing: 'Small' }),
        tiles(offered, 'numbered'),
      ],
      lines: [
        `${question} ${hint}`,
        ...offered.map(
          ({ action, subtitle, aside }, index) =>
            `${index + 1}. ${[action.title, subtitle, aside].filter((part) => part !== undefined).join(' – ')}`,
        ),
      ],
      actions,
    },
    t,
  );
};

export interface Menu {
  /** The offered apps, in order. */
  readonly apps: readonly { readonly app: AppId; readonly action: CardAction }[];
  /** Other offers, after the apps. */
  readonly flows?: readonly { readonly action: CardAction; readonly description?: string }[];
  /** Asks for an agent, if one can be reached. */
  readonly person?: CardAction;
  /** Said first, on a first visit or after the customer left something. */
  readonly greeting?: string;
  /** Shown before in this chat: small and without descriptions, so that the previous message stays in view. */
  readonly brief?: boolean;
  /** Shows all of them, if there are too many for a brief menu. */
  readonly all?: CardAction;
}

/** More would push the content above them off a phone's screen. */
export const maxPaired = 6;

/** The offered apps and flows, one tile each. */
export const menu = ({ apps, flows = [], person, greeting, brief = false, all }: Menu, t: Texts): CardMessage => {
  const title = greeting ?? t('cards.menu.title');
  const text = t('cards.menu.text');
  const choices: ChoiceTile[] = [
    ...apps.map(({ app, action }) => ({ action, ...(!brief && { subtitle: t(`apps.${app}.description`) }) })),
    ...flows.map(({ action, description }) => ({ action, ...(!brief && description !== undefined && { subtitle: description }) })),
    ...(person ? [{ action: person, ...(!brief && { subtitle: t('cards.menu.person') }) }] : []),
  ];
  return message(
    {
      kind: 'menu',
      shown: () => ({ title, text, brief, choices: choicesShown(choices) }),
      body: [
        heading(title),
        paragraph(text, { isSubtle: true, spacing: 'Small' }),
        brief ? pairedTiles(all ? [...choices.slice(0, maxPaired - 1), { action: all }] : choices) : tiles(choices, 'unnumbered'),
      ],
      lines: [
        `${title} ${text}`,
        ...choices.map(({ action, subtitle }, index) => `${index + 1}. ${[action.title, subtitle].filter(Boolean).join(': ')}`),
      ],
    },
    t,
  );
};

export interface Notice {
  readonly app?: AppId;
  readonly title: string;
  readonly text?: string;
  readonly tone?: 'neutral' | 'good' | 'warning' | 'problem';
  readonly actions?: readonly CardAction[];
}

const marks: Record<Exclude<Notice['tone'], 'neutral' | undefined>, Mark> = {
  good: { mark: '✓', color: 'Good' },
  warning: { mark: '!', color: 'Warning' },
  problem: { mark: '✕', color: 'Attention' },
};

/** A message with actions. */
export const notice = (said: Notice, t: Texts): CardMessage => noticeOf('notice', said, t);

/** The same as a card of another kind. */
export const noticeOf = (kind: CardKind, { app, title, text, tone = 'neutral', actions = [] }: Notice, t: Texts): CardMessage => {
  const words = [heading(title), ...(text ? [paragraph(text, { spacing: 'Small' })] : [])];
  const mark = tone === 'neutral' ? undefined : marks[tone];
  return message(
    {
      kind,
      shown: () => ({ app: app && t(`apps.${app}.name`), title, text, mark: mark?.mark }),
      body: [
        ...(app ? [eyebrow(t(`apps.${app}.name`))] : []),
        ...(mark ? [marked(mark, words, { rank: 'headline', spacing: 'Small' })] : words),
      ],
      lines: [title, text],
      actions,
    },
    t,
  );
};

/** The record that replaces a card after its effect, or once it can have none: its lines, and no buttons. */
export const record = (lines: readonly string[], t: Texts): CardMessage =>
  message(
    {
      kind: 'record',
      shown: () => ({ asked: lines.slice(0, -1), text: lines.at(-1) }),
      body: lines.map((line) => paragraph(line, { isSubtle: true })),
      lines,
    },
    t,
  );

/** One line, and a link to where it continues. */
export const pointer = (line: string, way: { readonly title: string; readonly address: string }, t: Texts): CardMessage =>
  message(
    { kind: 'pointer', shown: () => ({ text: line }), body: [paragraph(line)], lines: [line], links: openLink(way.title, way.address) },
    t,
  );

/**
 * Says that a request was not sent and why; without a reason, that it is unknown whether it was. Then nothing is
 * sent again.
 */
export const notSent = ({ app, because }: { readonly app: AppId; readonly because?: string }, t: Texts): CardMessage =>
  because === undefined
    ? noticeOf('not-sent', { app, title: t('cards.notSent.unknown.title'), text: t('cards.notSent.unknown.text'), tone: 'warning' }, t)
    : noticeOf('not-sent', { app, title: t('cards.notSent.refused.title'), text: because, tone: 'problem' }, t);
