// The part of the Adaptive Cards schema that these cards use (adaptivecards.io/explorer), as types.

export type Color = 'Default' | 'Accent' | 'Good' | 'Warning' | 'Attention';
export type Size = 'Small' | 'Default' | 'Medium' | 'Large' | 'ExtraLarge';
export type Spacing = 'None' | 'Small' | 'Default' | 'Medium' | 'Large';
export type Alignment = 'Left' | 'Center' | 'Right';

/** How a piece of text looks. */
export interface TextLook {
  readonly size?: Size;
  readonly weight?: 'Lighter' | 'Default' | 'Bolder';
  readonly color?: Color;
  readonly isSubtle?: boolean;
  readonly fontType?: 'Default' | 'Monospace';
}

/** A heading. Hosts read its text as markdown, so only `heading` (elements.ts) makes one. */
export interface TextBlock extends TextLook {
  readonly type: 'TextBlock';
  readonly text: string;
  readonly wrap: true;
  readonly style: 'heading';
  readonly spacing?: Spacing;
}

/** A piece of text that no host reads as markdown. */
export interface TextRun extends TextLook {
  readonly type: 'TextRun';
  readonly text: string;
}

export interface RichTextBlock {
  readonly type: 'RichTextBlock';
  readonly inlines: readonly TextRun[];
  readonly spacing?: Spacing;
  readonly horizontalAlignment?: Alignment;
}

export interface Column {
  readonly type: 'Column';
  /** `auto`, `stretch`, a weight, or pixels. */
  readonly width: 'auto' | 'stretch' | number | `${number}px`;
  readonly items: readonly Element[];
  readonly spacing?: Spacing;
  readonly verticalContentAlignment?: 'Top' | 'Center' | 'Bottom';
  readonly id?: string;
  readonly selectAction?: Submit;
}

export interface ColumnSet {
  readonly type: 'ColumnSet';
  readonly id?: string;
  readonly columns: readonly Column[];
  readonly spacing?: Spacing;
}

export interface Container {
  readonly type: 'Container';
  readonly items: readonly Element[];
  readonly style?: 'default' | 'emphasis' | 'good' | 'warning' | 'attention' | 'accent';
  readonly spacing?: Spacing;
  readonly separator?: boolean;
  readonly height?: 'stretch';
  readonly verticalContentAlignment?: 'Center';
  readonly selectAction?: Submit;
}

/** Asks for a value, which the submit has under the input's `id`. */
export type CardInput = {
  readonly id: string;
  readonly label: string;
  readonly isRequired?: boolean;
  /** Shown by the host when the input is empty or invalid. Hosts read it as markdown: only trusted text. */
  readonly errorMessage?: string;
  readonly spacing?: Spacing;
} & (
  | { readonly type: 'Input.Text'; readonly value?: string; readonly placeholder?: string; readonly maxLength?: number }
  | { readonly type: 'Input.Number'; readonly value?: number; readonly placeholder?: string }
  /** Its value is `YYYY-MM-DD`. */
  | { readonly type: 'Input.Date'; readonly value?: string }
  | {
      readonly type: 'Input.Toggle';
      readonly title: string;
      readonly value: string;
      readonly valueOn: string;
      readonly valueOff: string;
    }
  | {
      readonly type: 'Input.ChoiceSet';
      readonly style: 'compact' | 'expanded';
      readonly choices: readonly { readonly title: string; readonly value: string }[];
      readonly value?: string;
      readonly placeholder?: string;
    }
);
export type Element = TextBlock | RichTextBlock | ColumnSet | Container | CardInput;

/** A button that answers with its opaque action id, and with the card's inputs unless `associatedInputs` is `none`. */
export interface Submit {
  readonly type: 'Action.Submit';
  readonly title: string;
  readonly data: { readonly action: string };
  readonly style?: 'default' | 'positive' | 'destructive';
  readonly associatedInputs?: 'auto' | 'none';
}

/** A button that opens an https address. */
export interface OpenUrl {
  readonly type: 'Action.OpenUrl';
  readonly title: string;
  readonly url: string;
}

export type CardButton = Submit | OpenUrl;

export interface Card {
  readonly type: 'AdaptiveCard';
  readonly $schema: 'http://adaptivecards.io/schemas/adaptive-card.json';
  /** The lowest host version that shows the card usefully: 1.3 for labelled inputs, else 1.2 (safe on Teams mobile). */
  readonly version: '1.2' | '1.3';
  /** The card is laid out from the right (hosts since 1.5; others leave it out). */
  readonly rtl?: true;
  /** Shown instead by a host that does not know the version. */
  readonly fallbackText: string;
  readonly body: readonly Element[];
  readonly actions?: readonly CardButton[];
}
