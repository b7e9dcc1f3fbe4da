// A card together with the words that say the same.
import { LRUCache } from 'lru-cache';
import type { Card, Draft, Element, OpenUrl, Submit } from './card.ts';
import type { CardKind } from './kinds.ts';
import { escapeMarkdown, literal, oneLine, safeLink, signsFirst, tidyLines } from './plain.ts';
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

/** The contents of a card, by name, without layout. Everyone who reads the card may see all of it. */
export type ShownParts = Readonly<Record<string, unknown>>;

interface Content {
  readonly kind: CardKind;
  /** The values for a template that replaces the body; the language is added. */
  shown(): ShownParts;
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

const none: readonly never[] = [];

/** A choice with its number, as it is spoken. */
const numbered = (title: string, t: Texts) =>
  title.replace(/^(\d+)\. (.+)$/, (_all, number: string, name: string) => t('speech.numbered', { number, title: name }));

/** The possible answers, for the text and for the voice. */
interface Offer {
  readonly written: string;
  readonly spoken: string;
}

/** Most cards have the same few buttons. */
const offers = new WeakMap<Texts, LRUCache<string, Offer>>();

/** The line that offers these buttons. */
const offerOf = (given: readonly CardAction[], buttons: readonly Submit[], t: Texts): Offer => {
  let key = '';
  let asGiven = true;
  for (let index = 0; index < given.length; index += 1) {
    const { title } = given[index] as CardAction;
    key += `${title}\n`;
    asGiven &&= title === buttons[index]?.title;
  }
  // A title that its button shows unchanged has no line break, so no other titles have the same key.
  if (!asGiven) return offering(given, t);
  const made = offers.get(t) ?? new LRUCache<string, Offer>({ max: 100 });
  const known = made.get(key);
  if (known) return known;
  const offer = offering(given, t);
  made.set(key, offer);
  offers.set(t, made);
  return offer;
};

const offering = (given: readonly CardAction[], t: Texts): Offer => {
  const titles = given.map(({ title }) => title);
  const line = (options: string) => oneLine(t('cards.options', { options }), longest);
  return { written: line(titles.join(' · ')), spoken: line(t.either(titles.map((title) => numbered(title, t)))) };
};

/** A card whose texts have passed {@link signsFirst}. Actions and links contain none that may be changed. */
const withSigns = (card: Card): Card => ({
  ...card,
  body: JSON.parse(JSON.stringify(card.body), (key, value) => (key === 'text' && typeof value === 'string' ? signsFirst(value) : value)),
});

const under = (above: string, below: string) => (above === '' || below === '' ? above + below : `${above}\n${below}`);

/** The lines, written and spoken. A plain loop: every card has dozens, and a list for each costs more. */
const wordsOf = (given: Content['lines'], rtl: boolean) => {
  const raw: string[] = [];
  const shaped: (SaidLine | undefined)[] = [];
  let lasting = 0;
  let asWritten = true;
  for (const line of given) {
    if (!line) continue;
    const plain = typeof line === 'string';
    if (plain) raw.push(line);
    else raw.push(line.mark === undefined ? line.words : `${line.mark} ${line.words}`);
    shaped.push(plain ? undefined : line);
    if (plain || !line.passing) lasting = raw.length;
    asWritten &&= plain && !line.startsWith(dash);
  }
  const { lines, text } = tidyLines(raw, longest);
  const signed = rtl ? lines.map(signsFirst) : lines;
  const written = rtl ? signed.join('\n') : text;
  return {
    summary: signed[0] ?? '',
    text: written,
    still: written.slice(0, lengthOf(signed, lasting)),
    speak: asWritten ? written : spokenOf(lines, shaped),
  };
};

/** Characters of the first lines of a text. */
const lengthOf = (lines: readonly string[], count: number) => {
  let length = -1;
  for (let index = 0; index < count; index += 1) length += 1 + (lines[index] as string).length;
  return Math.max(0, length);
};

const spokenOf = (lines: readonly string[], shaped: readonly (SaidLine | undefined)[]) => {
  let speak = '';
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    const shape = shaped[index];
    if (shape?.silent) continue;
    // The rest of a tidy line, after its mark, is tidy too.
    speak = under(speak, line.slice(shape?.mark !== undefined ? shape.mark.length + 1 : line.startsWith(dash) ? dash.length : 0));
  }
  return speak;
};

/** Combines a card and its words. */
export const message = (content: Content, t: Texts): CardMessage => {
  const { kind, body: ours, links = none, submits = none, actions = none } = content;
  const rtl = t.direction === 'rtl';
  const body = t.redraw?.(kind, content.shown()) ?? ours;
  const hasInputs = ours.some(({ type }) => type.startsWith('Input.'));
  const answers = submits.length > 0 ? [...submits, ...actions] : actions;
  const buttons = answers.map((action, index) => submit(action, hasInputs && index >= submits.length ? 'none' : undefined));
  const offer = answers.length > 0 ? offerOf(answers, buttons, t) : undefined;
  const { summary, text, still, speak } = wordsOf(content.lines, rtl);
  const addresses = links.map(({ title, url }) => oneLine(`${title}: ${url}`, longest)).join('\n');
  const rest = offer ? under(addresses, offer.written) : addresses;
  const card: Draft<Card> = {
    type: 'AdaptiveCard',
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    version: hasInputs ? '1.3' : '1.2',
    // The schema lets hosts read this one as markdown. One line is enough: the message has its words beside the card.
    fallbackText: escapeMarkdown(summary),
    body,
  };
  if (rtl) card.rtl = rtl;
  const { row } = content;
  const below = row ? buttons.slice(0, submits.length) : buttons;
  if (row && actions.length > 0) card.body = [...body, row(buttons.slice(submits.length))];
  if (links.length + below.length > 0) card.actions = [...links, ...below];
  return {
    kind,
    card: rtl ? withSigns(card) : card,
    text: under(text, rest),
    still: under(still, rest),
    summary,
    speak: offer ? under(speak, offer.spoken) : speak,
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
export const submit = ({ title, id, style }: CardAction, inputs?: 'none'): Submit => {
  const made: Draft<Submit> = { type: 'Action.Submit', title: literal(title, 200), data: { action: id } };
  if (style && style !== 'default') made.style = style;
  if (inputs) made.associatedInputs = inputs;
  return made;
};

/** A button that opens an address, or none when the address is missing or not one a customer may be sent to. */
export const openLink = (title: string, address: string | undefined): OpenUrl[] => {
  const url = safeLink(address);
  return url === undefined ? [] : [{ type: 'Action.OpenUrl', title: literal(title, 100), url }];
};
