// The result of one of the doctor's checks.

/** `warning`: it works, and customers will notice. `unknown`: it cannot be found out from here, or not yet. */
export type CheckStatus = 'ok' | 'warning' | 'wrong' | 'unknown';

/** A check's status, with an observation or advice for the operator. The words never contain a secret. */
export interface Finding {
  readonly status: CheckStatus;
  readonly words: string;
}

/** A finding as the doctor prints it. */
export const findingLine = (check: string, { status, words }: Finding): string => `${status.padEnd(7)}  ${check.padEnd(12)}  ${words}`;

export const ok = (words: string): Finding => ({ status: 'ok', words });
export const warning = (words: string): Finding => ({ status: 'warning', words });
export const wrong = (words: string): Finding => ({ status: 'wrong', words });
export const unknown = (words: string): Finding => ({ status: 'unknown', words });
