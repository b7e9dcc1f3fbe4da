// The parts of all cards. Text goes into TextRuns, which no host reads as markdown; only headings do not.
import {
  type Alignment,
  type Color,
  type Column,
  type ColumnSet,
  type Container,
  colors,
  type Draft,
  type Element,
  type RichTextBlock,
  type Spacing,
  type Submit,
  type TextBlock,
  type TextLook,
  type TextRun,
} from './card.ts';
import { madeOnce } from './made-once.ts';
import { type CardAction, type SaidLine, submit } from './message.ts';
import { escapeMarkdown, know, literal } from './plain.ts';

/** A line below the card's heading that screen readers find by its level. */
export const heading = madeOnce(
  (text): TextBlock => ({
    type: 'TextBlock',
    text: escapeMarkdown(text),
    wrap: true,
    style: 'heading',
    size: 'Medium',
    weight: 'Bolder',
    spacing: 'None',
  }),
);

/** Text, unchanged. Line breaks, markup and control characters in it have no effect. */
export const paragraph = (
  text: string,
  // Read and set one by one: a card has a dozen of these, and copying objects would dominate the cost.
  { spacing, align, size, weight, color, isSubtle, fontType }: TextLook & { readonly spacing?: Spacing; readonly align?: Alignment } = {},
): RichTextBlock => {
  const run: Draft<TextRun> = { type: 'TextRun', text: literal(text, 1000) };
  if (size) run.size = size;
  if (weight) run.weight = weight;
  if (color) run.color = color;
  if (isSubtle) run.isSubtle = isSubtle;
  if (fontType) run.fontType = fontType;
  const block: Draft<RichTextBlock> = { type: 'RichTextBlock', inlines: [run] };
  if (spacing) block.spacing = spacing;
  if (align) block.horizontalAlignment = align;
  return block;
};

/** An app's name, above the heading. */
export const eyebrow = madeOnce((text) => paragraph(text, { size: 'Small', weight: 'Bolder', color: 'Accent' }));

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
  columns: [labelColumn(label), { type: 'Column', width: 7, items: [paragraph(value)] }],
});
const labelColumn = madeOnce((label): Column => ({ type: 'Column', width: 3, items: [paragraph(label, { isSubtle: true })] }));

/** Facts in two aligned columns under a line; nothing if there are none. */
export const factRows = (facts: readonly Fact[]): Container[] =>
  facts.length === 0 ? [] : [{ type: 'Container', spacing: 'Medium', separator: true, items: facts.map(factRow) }];

for (const mark of '✓✕!–●○›') know(mark);

const markColumn = (width: Column['width'], look: TextLook) =>
  madeOnce((mark): Column => ({ type: 'Column', width, items: [paragraph(mark, look)] }));
const inColors = (width: Column['width'], look: TextLook) =>
  Object.fromEntries(colors.map((color) => [color, markColumn(width, { ...look, weight: 'Bolder', color })])) as Record<
    Color,
    ReturnType<typeof markColumn>
  >;
const markColumns = { line: inColors('18px', {}), headline: inColors('26px', { size: 'Large' }) };

/** Text with a mark in front, and perhaps a time at the end. A line is a step; a headline is an outcome. */
export const marked = (
  { mark, color }: { readonly mark: string; readonly color: Color },
  items: readonly Element[],
  {
    rank = 'line',
    aside,
    spacing,
  }: { readonly rank?: 'line' | 'headline'; readonly aside?: string | undefined; readonly spacing?: Spacing } = {},
): ColumnSet => {
  const columns: Column[] = [markColumns[rank][color](mark), { type: 'Column', width: 'stretch', spacing: 'Small', items }];
  if (aside !== undefined) columns.push({ type: 'Column', width: 'auto', items: [paragraph(aside, { isSubtle: true, align: 'Right' })] });
  return spacing ? { type: 'ColumnSet', spacing, columns } : { type: 'ColumnSet', columns };
};

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
