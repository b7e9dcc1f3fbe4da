// The parts of all cards. Text goes into TextRuns, which no host reads as markdown; only headings do not.
import type {
  Alignment,
  Color,
  Column,
  ColumnSet,
  Container,
  Element,
  RichTextBlock,
  Spacing,
  Submit,
  TextBlock,
  TextLook,
} from './card.ts';
import { type CardAction, type SaidLine, submit } from './message.ts';
import { escapeMarkdown, literal } from './plain.ts';

/** A line below the card's heading that screen readers find by its level. */
export const heading = (text: string): TextBlock => ({
  type: 'TextBlock',
  text: escapeMarkdown(text),
  wrap: true,
  style: 'heading',
  size: 'Medium',
  weight: 'Bolder',
  spacing: 'None',
});

/** Text, unchanged. Line breaks, markup and control characters in it have no effect. */
export const paragraph = (
  text: string,
  { spacing, align, ...look }: TextLook & { readonly spacing?: Spacing; readonly align?: Alignment } = {},
): RichTextBlock => ({
  type: 'RichTextBlock',
  inlines: [{ type: 'TextRun', text: literal(text, 1000), ...look }],
  ...(spacing && { spacing }),
  ...(align && { horizontalAlignment: align }),
});

/** An app's name, above the heading. */
export const eyebrow = (text: string) => paragraph(text, { size: 'Small', weight: 'Bolder', color: 'Accent' });

/** A fact, with its name. */
export interface Fact {
  readonly label: string;
  readonly value: string;
  /** Useless to someone who only hears it. */
  readonly written?: true;
}

/** Facts as lines of plain text. */
export const factLines = (facts: readonly Fact[]): (string | SaidLine)[] =>
  facts.map(({ label, value, written }) => (written ? { words: `${label}: ${value}`, silent: true } : `${label}: ${value}`));

// Not a FactSet: its values are markdown, and its columns collapse on a phone.
const factRow = ({ label, value }: Fact): ColumnSet => ({
  type: 'ColumnSet',
  spacing: 'Small',
  columns: [
    { type: 'Column', width: 3, items: [paragraph(label, { isSubtle: true })] },
    { type: 'Column', width: 7, items: [paragraph(value)] },
  ],
});

/** Facts in two aligned columns under a line; nothing if there are none. */
export const factRows = (facts: readonly Fact[]): Container[] =>
  facts.length === 0 ? [] : [{ type: 'Container', spacing: 'Medium', separator: true, items: facts.map(factRow) }];

/** A mark in front of a text: a letter rather than a picture, since every host shows letters, in its own colours. */
export interface Mark {
  readonly mark: string;
  readonly color: Color;
}

/** Text with a mark in front, and perhaps a time at the end. A line is a step; a headline is an outcome. */
export const marked = (
  { mark, color }: Mark,
  items: readonly Element[],
  { rank = 'line', aside, spacing }: { rank?: 'line' | 'headline'; aside?: string | undefined; spacing?: Spacing } = {},
): ColumnSet => ({
  type: 'ColumnSet',
  ...(spacing && { spacing }),
  columns: [
    {
      type: 'Column',
      width: rank === 'line' ? '18px' : '26px',
      items: [paragraph(mark, { ...(rank === 'headline' && { size: 'Large' }), weight: 'Bolder', color })],
    },
    { type: 'Column', width: 'stretch', spacing: 'Small', items },
    ...(aside === undefined
      ? []
      : [{ type: 'Column', width: 'auto', items: [paragraph(aside, { isSubtle: true, align: 'Right' })] } as const]),
  ],
});

/** One of several choices. */
export interface ChoiceTile {
  readonly action: CardAction;
  readonly subtitle?: string;
  /** At the end of the line: a price, a date. */
  readonly aside?: string;
}

// Ends in an invisible space: without it, assistive technology runs the tile's lines together.
const tileLine = (text: string, look?: TextLook): RichTextBlock => ({
  type: 'RichTextBlock',
  spacing: 'None',
  inlines: [{ type: 'TextRun', text: `${literal(text)} `, ...look }],
});

const column = (width: Column['width'], ...items: readonly RichTextBlock[]): Column => ({
  type: 'Column',
  width,
  verticalContentAlignment: 'Center',
  items,
});

/** A choice as a tile that can be pressed anywhere. All its text is the accessible name: titles may repeat. */
const tile = ({ action, subtitle, aside }: ChoiceTile, number?: number): Container => ({
  type: 'Container',
  style: 'emphasis',
  spacing: 'Small',
  selectAction: submit({ ...action, title: [number, action.title, subtitle, aside].filter(Boolean).join(', ') }),
  items: [
    {
      type: 'ColumnSet',
      columns: [
        ...(number === undefined ? [] : [column('auto', tileLine(String(number), { isSubtle: true }))]),
        column(
          'stretch',
          tileLine(action.title, { weight: 'Bolder' }),
          ...(subtitle ? [tileLine(subtitle, { size: 'Small', isSubtle: true })] : []),
        ),
        ...(aside ? [column('auto', tileLine(aside, { weight: 'Bolder' }))] : []),
        column('auto', tileLine('›', { size: 'Large', isSubtle: true })),
      ],
    },
  ],
});

/** Actions of less weight, in one line after a word about them. Our own page knows the first one by its `id`. */
export const smallRow = (words: string, id: string, actions: readonly Submit[]): ColumnSet => ({
  type: 'ColumnSet',
  spacing: 'Medium',
  columns: [
    { type: 'Column', width: 'stretch', verticalContentAlignment: 'Center', items: [paragraph(words, { size: 'Small', isSubtle: true })] },
    ...actions.map(
      (selectAction, index): Column => ({
        type: 'Column',
        width: 'auto',
        spacing: 'Small',
        ...(index === 0 && { id }),
        verticalContentAlignment: 'Center',
        selectAction,
        items: [paragraph(selectAction.title, { size: 'Small', weight: 'Bolder', color: 'Accent' })],
      }),
    ),
  ],
});

/** Choices in pairs, by title only: for a list that should leave room for the content above it. */
export const pairedTiles = (choices: readonly ChoiceTile[]): Container => {
  const small = ({ action }: ChoiceTile): Column => ({ type: 'Column', width: 1, spacing: 'Small', items: [titleTile(action)] });
  const rows = choices.flatMap((left, index): ColumnSet[] => {
    if (index % 2 === 1) return [];
    const right = choices[index + 1];
    return [
      { type: 'ColumnSet', spacing: 'Small', columns: [small(left), right ? small(right) : { type: 'Column', width: 1, items: [] }] },
    ];
  });
  return { type: 'Container', spacing: 'Medium', items: rows };
};

const titleTile = (action: CardAction): Container => ({
  type: 'Container',
  style: 'emphasis',
  height: 'stretch',
  verticalContentAlignment: 'Center',
  selectAction: submit(action),
  items: [tileLine(action.title, { weight: 'Bolder' })],
});

/** Choices below each other, numbered from 1 where a number can be typed. */
export const tiles = (choices: readonly ChoiceTile[], numbered: 'numbered' | 'unnumbered'): Container => ({
  type: 'Container',
  spacing: 'Medium',
  items: choices.map((choice, index) => tile(choice, numbered === 'numbered' ? index + 1 : undefined)),
});
