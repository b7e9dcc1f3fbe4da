// What a check of the doctor comes to.

/** `unknown`: it cannot be told from here, or not yet. */
export type CheckStatus = 'ok' | 'wrong' | 'unknown';

/** A check's status, with what was seen or what to do in words for an operator. Words hold no secret. */
export interface Finding {
  readonly status: CheckStatus;
  readonly words: string;
}

export const ok = (words: string): Finding => ({ status: 'ok', words });
export const wrong = (words: string): Finding => ({ status: 'wrong', words });
export const unknown = (words: string): Finding => ({ status: 'unknown', words });
