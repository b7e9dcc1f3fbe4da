// Phrases with slots, `pay invoice {number} to {name}`, found in a sentence in one pass: the words between the slots
// are searched one after the other, and never again. A single pattern with several `.+` would try every way to divide
// the sentence.
import { isSpaceless, withOrWithoutArticle } from '../../../dialogs/index.ts';

const escaped = (word: string) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
/** What may be between two words; nothing, in languages without spaces. */
const betweenWords = (one: string, other: string) => `[^\\p{L}\\p{N}]${isSpaceless(one) || isSpaceless(other) ? '*' : '+'}`;
const slotName = (word: string): string | undefined => /^\{([A-Za-z]\w*)\}$/.exec(word)?.[1];

/** Words of the phrase in a row, as whole words, and whether the next may follow without a space; or a slot, by its name. */
type Piece = ReturnType<typeof wordsOf> | string;

const wordsOf = (words: readonly string[]) => {
  const joined = words
    .map((word) => withOrWithoutArticle(escaped(word)))
    .reduce((all, part, index) => all + betweenWords(words[index - 1] ?? '', words[index] ?? '') + part);
  const [before, behind] = [
    isSpaceless(words[0] ?? '') ? '' : '(?<![\\p{L}\\p{N}])',
    isSpaceless(words.at(-1) ?? '') ? '' : '(?![\\p{L}\\p{N}])',
  ];
  return { pattern: new RegExp(before + joined + behind, 'giu'), spaceless: isSpaceless(words.at(-1) ?? '') };
};

const piecesOf = (words: readonly string[]): Piece[] => {
  const pieces: Piece[] = [];
  let row: string[] = [];
  for (const word of [...words, undefined]) {
    const name = word === undefined ? undefined : slotName(word);
    if (word !== undefined && name === undefined) {
      row.push(word);
      continue;
    }
    if (row.length > 0) pieces.push(wordsOf(row));
    row = [];
    if (name !== undefined) pieces.push(name);
  }
  return pieces;
};

const anyGap = /[^\p{L}\p{N}]+/gu;
const gapHere = /[^\p{L}\p{N}]+/uy;
const gapAtEnd = /(?<![^\p{L}\p{N}])[^\p{L}\p{N}]+$/u;

export class SlotPattern {
  readonly #pieces: readonly Piece[];

  /** `phrase`: without accents, its words and slots divided by single spaces. */
  constructor(phrase: string) {
    this.#pieces = piecesOf(phrase.split(' '));
  }

  /**
   * The words in the slots where the phrase first stands in a sentence, and the `rest` of the sentence; each slot has as
   * few words as possible, the last one all that follow.
   */
  matchIn(text: string) {
    const slots: Record<string, string> = {};
    let begin: number | undefined;
    let at = 0;
    let behind: Piece | undefined;
    for (const piece of this.#pieces) {
      const next =
        typeof piece === 'string' ? gapBefore(text, at, behind) : wordsFrom(piece.pattern, text, typeof behind === 'string' ? at + 1 : at);
      if (!next) return undefined;
      if (typeof behind === 'string') {
        const value = text.slice(at, next.from).replace(gapAtEnd, '');
        if (value === '') return undefined;
        slots[behind] = value;
      }
      begin ??= next.from;
      at = next.to;
      behind = piece;
    }
    if (typeof behind === 'string') {
      slots[behind] = text.slice(at);
      at = text.length;
    }
    return { slots, rest: `${text.slice(0, begin)} ${text.slice(at)}` };
  }
}

const wordsFrom = (pattern: RegExp, text: string, from: number) => {
  pattern.lastIndex = from;
  const found = pattern.exec(text);
  return found ? { from: found.index, to: found.index + found[0].length } : undefined;
};

/** The gap in front of a slot: behind words, behind another slot, or none at the beginning. */
const gapBefore = (text: string, at: number, behind: Piece | undefined) => {
  if (behind === undefined) return { from: 0, to: 0 };
  const gap = typeof behind === 'string' ? wordsFrom(anyGap, text, at + 1) : wordsFrom(gapHere, text, at);
  const found = gap ?? (typeof behind !== 'string' && behind.spaceless ? { from: at, to: at } : undefined);
  return found && found.to < text.length ? found : undefined;
};
