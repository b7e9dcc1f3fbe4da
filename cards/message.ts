// A card together with the words that say the same.
import type { Card, CardButton, Element, OpenUrl, Submit } from './card.ts';
import type { CardKind } from './kinds.ts';
import { escapeMarkdown, literal, oneLine, safeLink, signsFirst } from './plain.ts';
import type { Texts } from './texts.ts';

/** What one card function answers. All words are plain text, not markdown: they may quote strangers. */
export interface CardMessage {
  readonly kind: CardKind;
  readonly card: Card;
  /** The whole of the card in lines, for a channel or a person without cards. */
  readonly text: string;
  /** The same for a channel that never updates it: without what would change. */
  readonly still: string;
  /** The card in one line, for a notification. */
  readonly summary: string;
  /** What a voice says instead of the card: no marks, no addresses, and no steps that are still to come. */
  readonly speak: string;
}

/** What a card shows, by name, without its looks. Everybody who reads the card may see all of it. */
export type ShownParts = Readonly<Record<string, unknown>>;

interface Content {
  readonly kind: CardKind;
  /** For a template in the body's place; the language goes with it. */
  readonly shown: ShownParts;
  readonly body: readonly Element[];
  /** The lines of the plain text; empty ones are left out. */
  readonly lines: readonly (string | undefined)[];
  /** Those of them that stay true, if not all. */
  readonly lasting?: readonly (string | undefined)[];
  /** A shorter version to be read aloud, if there is one. */
  readonly spoken?: readonly (string | undefined)[];
  readonly links?: readonly OpenUrl[];
  readonly actions?: readonly CardAction[];
  /** The actions that hand over the card's inputs; the others do without. */
  readonly submits?: readonly CardAction[];
}

/** Characters of one line of the plain text. */
const longest = 2500;

/** A choice with its number, as it is said. */
const numbered = (title: string, t: Texts) =>
  title.replace(/^(\d+)\. (.+)$/, (_all, number: string, name: string) => t('speech.numbered', { number, title: name }));

/** Each on one line, without the empty ones. A plain loop: every card has dozens, and a list for each costs more. */
const tidy = (lines: readonly (string | undefined)[]): string[] => {
  const tidied: string[] = [];
  for (const line of lines) if (line) tidied.push(oneLine(line, longest));
  return tidied;
};

/** A card whose texts have {@link signsFirst}. Actions and links hold none that are ours to change. */
const withSigns = (card: Card): Card => ({
  ...card,
  body: JSON.parse(JSON.stringify(card.body), (key, value) => (key === 'text' && typeof value === 'string' ? signsFirst(value) : value)),
});

/** Puts a card and its words together. */
export const message = (
  { kind, shown, body: ours, lines, lasting, spoken, links = [], submits = [], actions = [] }: Content,
  t: Texts,
): CardMessage => {
  const body = t.redraw?.(kind, shown) ?? ours;
  const hasInputs = ours.some(({ type }) => type.startsWith('Input.'));
  const written = t.direction === 'rtl' ? tidy(lines).map(signsFirst) : tidy(lines);
  const titles = [...submits, ...actions].map(({ title }) => title);
  const options = (list: string) => tidy([titles.length > 0 ? t('cards.options', { options: list }) : undefined]);
  const rest = [...tidy(links.map(({ title, url }) => `${title}: ${url}`)), ...options(titles.join(' · '))];
  const all: CardButton[] = [
    ...links,
    ...submits.map((action) => submit(action)),
    ...actions.map((action) => submit(action, hasInputs ? 'none' : undefined)),
  ];
  const [summary = ''] = written;
  const card: Card = {
    type: 'AdaptiveCard',
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    version: hasInputs ? '1.3' : '1.2',
    // The schema lets hosts read this one as markdown. One line is enough: the message has its words beside the card.
    fallbackText: escapeMarkdown(summary),
    body,
    ...(t.direction === 'rtl' && { rtl: true }),
  };
  const whole = all.length > 0 ? { ...card, actions: all } : card;
  return {
    kind,
    card: t.direction === 'rtl' ? withSigns(whole) : whole,
    text: [...written, ...rest].join('\n'),
    still: [...(lasting ? tidy(lasting) : written), ...rest].join('\n'),
    summary,
    speak: [
      ...(spoken ? tidy(spoken) : written).map((line) => (line.startsWith('– ') ? line.slice(2) : line)),
      ...options(t.either(titles.map((title) => numbered(title, t)))),
    ].join('\n'),
  };
};

/** Something a customer can do. `id` is opaque here; the dialog that shows the card knows its meaning. */
export interface CardAction {
  readonly title: string;
  readonly id: string;
  readonly style?: 'default' | 'positive' | 'destructive';
}

/** The buttons that more than one card has, with their looks; their titles are `cards.buttons.<name>`. */
export const buttons = {
  send: 'positive',
  change: 'default',
  next: 'positive',
  check: 'positive',
  status: 'default',
  resend: 'default',
  cancel: 'default',
  again: 'positive',
  another: 'default',
  person: 'default',
  menu: 'default',
  startOver: 'default',
  help: 'default',
  yes: 'positive',
  no: 'default',
} as const satisfies Record<string, CardAction['style']>;
export type ButtonName = keyof typeof buttons;

/** One of the shared buttons, in the customer's language. */
export const button = (name: ButtonName, id: string, t: Texts): CardAction => ({
  title: t(`cards.buttons.${name}`),
  id,
  style: buttons[name],
});

/** The action as the card carries it. `inputs: 'none'` ignores the inputs, so an empty required one cannot block. */
export const submit = ({ title, id, style }: CardAction, inputs?: 'none'): Submit => {
  const action = { type: 'Action.Submit', title: literal(title, 200), data: { action: id } } as const;
  const styled = style && style !== 'default' ? { ...action, style } : action;
  return inputs ? { ...styled, associatedInputs: inputs } : styled;
};

/** A button that opens an address, or none when the address is missing or not one a customer may be sent to. */
export const openLink = (title: string, address: string | undefined): OpenUrl[] => {
  const url = safeLink(address);
  return url === undefined ? [] : [{ type: 'Action.OpenUrl', title: literal(title, 100), url }];
};
