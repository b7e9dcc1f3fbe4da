// A card together with the words that say the same.
import type { Card, Element, OpenUrl, Submit } from './card.ts';
import type { CardKind } from './kinds.ts';
import { escapeMarkdown, literal, oneLine, safeLink, signsFirst } from './plain.ts';
import type { Texts } from './texts.ts';

/** The result of a card function. All words are plain text, not markdown: they may quote strangers. */
export interface CardMessage {
  readonly kind: CardKind;
  readonly card: Card;
  /** The whole card in lines, for a channel or a person without cards. */
  readonly text: string;
  /** The same for a channel that never updates it: without lines that would change. */
  readonly still: string;
  /** The card in one line, for a notification. */
  readonly summary: string;
  /** What a voice says instead of the card: no marks, no addresses, and no steps that have not happened yet. */
  readonly speak: string;
}

interface Content {
  readonly kind: CardKind;
  /**
   * The contents by name, without layout, for a template that replaces the body; the language is added. Everyone who reads
   * the card may see all of it.
   */
  shown(): Readonly<Record<string, unknown>>;
  readonly body: readonly Element[];
  /** The lines of the plain text; empty ones are left out. */
  readonly lines: readonly (string | SaidLine | undefined)[];
  readonly links?: readonly OpenUrl[];
  readonly actions?: readonly CardAction[];
  /** Lays the actions out at the end of the body. Without it, they are buttons below the card. */
  row?(buttons: readonly Submit[]): Element;
  /** The actions that submit the card's inputs; the others do not. */
  readonly submits?: readonly CardAction[];
}

/** A line of the plain text that is spoken differently. */
export interface SaidLine {
  readonly words: string;
  /** Shown before the words, and not spoken. */
  readonly mark?: string;
  /** Useless to someone who only hears it. */
  readonly silent?: boolean;
  /** Will not stay true for long. All such lines come last. */
  readonly passing?: boolean;
}

/** Characters of one line of the plain text. */
const longest = 2500;

/** Begins an item of a list. */
const dash = '– ';

/** A choice with its number, as it is spoken. */
const numbered = (title: string, t: Texts) =>
  title.replace(/^(\d+)\. (.+)$/, (_all, number: string, name: string) => t('speech.numbered', { number, title: name }));

/** The line that offers the possible answers, for the text and for the voice. */
const offerOf = (given: readonly CardAction[], t: Texts) => {
  if (given.length === 0) return { written: '', spoken: '' };
  const titles = given.map(({ title }) => title);
  const line = (options: string) => oneLine(t('cards.options', { options }), longest);
  return { written: line(titles.join(' · ')), spoken: line(t.either(titles.map((title) => numbered(title, t)))) };
};

/** A card whose texts have passed {@link signsFirst}. Actions and links contain none that may be changed. */
const withSigns = (card: Card): Card => ({
  ...card,
  body: JSON.parse(JSON.stringify(card.body), (key, value) => (key === 'text' && typeof value === 'string' ? signsFirst(value) : value)),
});

/** The lines as one text, without those that are empty. */
const joined = (...lines: readonly string[]) => lines.filter((line) => line !== '').join('\n');

const withoutDash = (line: string) => (line.startsWith(dash) ? line.slice(dash.length) : line);

/** The lines, written and spoken. */
const wordsOf = (given: Content['lines'], rtl: boolean) => {
  const lines = given.flatMap((line) => {
    if (!line) return [];
    const { words, mark, silent = false, passing = false }: SaidLine = typeof line === 'string' ? { words: line } : line;
    const plain = oneLine(words, longest);
    const written = oneLine(mark === undefined ? words : `${mark} ${words}`, longest);
    return [
      { written: rtl ? signsFirst(written) : written, spoken: silent ? '' : mark === undefined ? withoutDash(plain) : plain, passing },
    ];
  });
  const written = lines.map((line) => line.written);
  return {
    summary: written[0] ?? '',
    text: written.join('\n'),
    still: written.slice(0, lines.findLastIndex(({ passing }) => !passing) + 1).join('\n'),
    speak: joined(...lines.map(({ spoken }) => spoken)),
  };
};

/** Combines a card and its words. */
export const message = (content: Content, t: Texts): CardMessage => {
  const { kind, body: ours, lines, links = [], submits = [], actions = [], row } = content;
  const rtl = t.direction === 'rtl';
  const hasInputs = ours.some(({ type }) => type.startsWith('Input.'));
  const answers = [...submits, ...actions];
  const buttons = answers.map((action, index) => submit(action, hasInputs && index >= submits.length ? 'none' : undefined));
  const body = [...(t.redraw?.(kind, content.shown()) ?? ours), ...(row && actions.length > 0 ? [row(buttons.slice(submits.length))] : [])];
  const below = [...links, ...(row ? buttons.slice(0, submits.length) : buttons)];
  const offer = offerOf(answers, t);
  const { summary, text, still, speak } = wordsOf(lines, rtl);
  const addresses = links.map(({ title, url }) => oneLine(`${title}: ${url}`, longest));
  const card: Card = {
    type: 'AdaptiveCard',
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    version: hasInputs ? '1.3' : '1.2',
    ...(rtl && { rtl }),
    // The schema lets hosts read this one as markdown. One line is enough: the message has its words beside the card.
    fallbackText: escapeMarkdown(summary),
    body,
    ...(below.length > 0 && { actions: below }),
  };
  return {
    kind,
    card: rtl ? withSigns(card) : card,
    text: joined(text, ...addresses, offer.written),
    still: joined(still, ...addresses, offer.written),
    summary,
    speak: joined(speak, offer.spoken),
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
  change: 'default',
  next: 'positive',
  check: 'positive',
  status: 'default',
  resend: 'default',
  cancel: 'default',
  notNow: 'default',
  again: 'positive',
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

/** The action as a card's button. `inputs: 'none'` ignores the inputs, so an empty required one cannot block it. */
export const submit = ({ title, id, style = 'default' }: CardAction, inputs?: 'none'): Submit => ({
  type: 'Action.Submit',
  title: literal(title, 200),
  data: { action: id },
  ...(style !== 'default' && { style }),
  ...(inputs && { associatedInputs: inputs }),
});

/** A button that opens an address, or none when the address is missing or not one a customer may be sent to. */
export const openLink = (title: string, address: string | undefined): OpenUrl[] => {
  const url = safeLink(address);
  return url === undefined ? [] : [{ type: 'Action.OpenUrl', title: literal(title, 100), url }];
};
