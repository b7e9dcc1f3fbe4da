// The result of one of the doctor's checks.

/** `unknown`: it cannot be found out from here, or not yet. */
export type CheckStatus = 'ok' | 'wrong' | 'unknown';

/** A check's status, with an observation or advice for the operator. The words never contain a secret. */
export interface Finding {
  readonly status: CheckStatus;
  readonly words: string;
}

export const ok = (words: string): Finding => ({ status: 'ok', words });
export const wrong = (words: string): Finding => ({ status: 'wrong', words });
export const unknown = (words: string): Finding => ({ status: 'unknown', words });
