// The texts and formats that cards need. The texts themselves are data beside the dialogs.
import type { Element } from './card.ts';
import type { CardKind } from './kinds.ts';

type Keys<Tree> = { [Key in keyof Tree & string]: Tree[Key] extends string ? Key : `${Key}.${Keys<Tree[Key]>}` }[keyof Tree & string];

/** The key of an existing text, such as `cards.menu.title`; the compiler refuses any other. */
export type TextKey = Keys<typeof import('../dialogs/locales/en.json', { with: { type: 'json' }})>;

type Under<Key extends string, Prefix extends string> = Key extends `${Prefix}.${infer Rest}` ? Rest : never;

/** The rest of a key after a prefix: `yes` among `KeysUnder<'cards.buttons'>`. */
export type KeysUnder<Prefix extends string> = Under<TextKey, Prefix>;

type Titled<Key extends string> = Key extends `${infer Group}.title` ? (`${Group}.text` extends TextKey ? Group : never) : never;

/** A key with a `title` and a `text` below it. */
export type TitledKey = Titled<TextKey>;

/** The values for a message's placeholders. Format instants with `date` and `time` first: they know the time zone. */
export type TextValues = Readonly<Record<string, string | number>>;

/** Texts and formats of one language. */
export interface Texts {
  /** The language of the texts alone: `es` if the locale is `es-MX`. */
  readonly language: string;
  /** The direction in which the language is written. */
  readonly direction: 'ltr' | 'rtl';
  /** The language, BCP 47. */
  readonly locale: string;
  /** The ICU MessageFormat message of a key. */
  (key: TextKey, values?: TextValues): string;
  /** An amount in major units of an ISO 4217 currency. */
  money(amount: number, currency: string): string;
  /**
   * The day of an instant (epoch ms, ISO 8601 or Date) or of a plain day (`YYYY-MM-DD`). Anything else is unchanged.
   */
  date(instant: string | number | Date): string;
  /** The time of day of an instant, in hours and minutes. Anything else comes back as given. */
  time(instant: string | number | Date): string;
  /** A number, exact and not grouped: it may be a year or a reference. */
  number(value: number): string;
  /** Figures that are compared one by one. */
  digits(figures: string): string;
  /** Things of which one can be chosen: “Send, Change or Cancel”. */
  either(things: readonly string[]): string;
  /** An operator's body for a card of a kind, from the card's contents. Unset: the built-in one, as for other kinds. */
  readonly redraw?: ((kind: CardKind, shown: Readonly<Record<string, unknown>>) => readonly Element[] | undefined) | undefined;
}
