// What a check comes to.

/** `unknown`: it cannot be told from here, or not yet. */
export type Verdict = 'ok' | 'wrong' | 'unknown';

/** A check's verdict, with what was seen or what to do in words for an operator. Words hold no secret. */
export interface Finding {
  readonly verdict: Verdict;
  readonly words: string;
}

export const ok = (words: string): Finding => ({ verdict: 'ok', words });
export const wrong = (words: string): Finding => ({ verdict: 'wrong', words });
export const unknown = (words: string): Finding => ({ verdict: 'unknown', words });
