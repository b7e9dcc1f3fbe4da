// Rows of a table that are due: claimed, attempted, retried after growing waits, and given up at last. Every list of due
// work is one of these, so that a stop, a fault, a second replica and the operator's log mean the same for each.

import { faultFields, type LogFields } from './log.ts';
import { type Clock, monotonicClock } from './time/clock.ts';
import { makeScheduler, type Scheduler, type SchedulerOptions } from './time/scheduler.ts';
import { withTimeout } from './time/waits.ts';

/** A row that this process works on. When the claim ends (epoch ms), another process may. */
export interface ClaimedRow {
  readonly claim: number;
  /** How many attempts have failed. */
  readonly attempts: number;
}

/** An attempt that failed. */
export interface Failure {
  /** The reason, for people and programs. */
  readonly code: string;
  /** No later attempt can succeed. */
  readonly final?: boolean;
  /** The next attempt must not come earlier than in this many milliseconds. */
  readonly retryAfterMs?: number | undefined;
  /** The attempt certainly had no effect. */
  readonly refused?: boolean;
  /** The fault behind it, for the log. */
  readonly fault?: unknown;
}

/** The result of an attempt. `again`: it did not fail, and the row is due again in that many milliseconds. */
export type Attempt = { readonly done: true } | { readonly again: number; readonly attempts: number } | Failure;

/** What becomes of a row: nothing more is due; it is due again in that many milliseconds; or it is given up. */
export type Settlement =
  | { readonly done: true }
  | { readonly again: number; readonly attempts: number }
  | { readonly givenUp: string; readonly attempts: number };

/** What every queue of a process has. */
export interface QueueParts extends Pick<SchedulerOptions, 'alarm' | 'clock' | 'log' | 'shared'> {
  /** How much of the largest jitter a wait gets, from 0 up to 1. Unset: at random. */
  readonly jitter?: (() => number) | undefined;
  /** Measures how long ago rows were claimed: the instant at which a claim ends is the database's. */
  readonly monotonic?: Clock;
}

/** The rows of one queue, and what is done about them. */
export interface DueRows<Row extends ClaimedRow> extends Pick<SchedulerOptions, 'component' | 'nextDue'> {
  /** The waits (ms) between attempts. After the last one a row is given up, or, with `forever`, it is repeated. */
  readonly waits: readonly number[];
  readonly forever?: boolean;
  /** The most time (ms) for an attempt. */
  readonly patienceMs: number;
  /** Attempts at a time. */
  readonly concurrency: number;
  /** What the log says of a failed attempt, and of a row that is given up. */
  readonly messages: { readonly failed: string; readonly givenUp?: string };
  /** Claims due rows for that many milliseconds. */
  claim(ms: number, limit: number): Promise<readonly Row[]>;
  /** Throws only for unforeseen reasons. */
  attempt(row: Row, signal: AbortSignal): Promise<Attempt>;
  /** Stores what becomes of a row. Does nothing if its claim has ended. */
  settle(row: Row, fate: Settlement, failure?: Failure): Promise<void>;
  /** Does what has to be done before a row is given up. It may be repeated, and is if it throws. */
  giveUp?(row: Row, failure: Failure): Promise<void>;
  /** Counts a row that was given up. */
  readonly givenUp?: ((row: Row, failure: Failure) => void) | undefined;
  /** What the log says of a row. */
  describe(row: Row): LogFields;
}

/** The random share that is added to each wait, so that what failed together is not retried together. */
const maxJitter = 0.2;
/** The code of an attempt that threw. */
const unexpected = 'unexpected';
/** How long (ms) an attempt may take to end after its signal, and how long its claim outlasts that. */
const graceMs = 2000;
const marginMs = 3000;
/** How long (ms) to wait if a row could not be given up, and how often; then it is given up all the same. */
const giveUpAgainMs = 30_000;
const maxGiveUps = 5;

export const makeRetryQueue = <Row extends ClaimedRow>(parts: QueueParts, due: DueRows<Row>): Scheduler => {
  const { log, jitter = Math.random, monotonic = monotonicClock } = parts;
  const { component, waits, forever, patienceMs, messages, attempt, settle } = due;
  const stopped = new AbortController();
  const spread = (ms: number) => Math.round(ms * (1 + maxJitter * jitter()));

  const tryOnce = async (row: Row): Promise<Attempt> => {
    const signal = AbortSignal.any([stopped.signal, AbortSignal.timeout(patienceMs)]);
    try {
      return await withTimeout(attempt(row, signal), patienceMs + graceMs, () => ({ code: 'timeout' }));
    } catch (fault) {
      return { code: unexpected, fault };
    }
  };

  const work = async (row: Row) => {
    const result = stopped.signal.aborted ? undefined : await tryOnce(row);
    if (result && 'done' in result) return settle(row, result);
    if (result && 'again' in result) return settle(row, { ...result, again: spread(result.again) });
    // An attempt that our own stop cut off says nothing about the other side.
    if (stopped.signal.aborted || !result) return settle(row, { again: result?.retryAfterMs ?? 0, attempts: row.attempts }, result);
    await retryLater(row, result);
  };

  const retryLater = async (row: Row, failure: Failure) => {
    const { code, fault, final = false, retryAfterMs = 0 } = failure;
    const attempts = row.attempts + 1;
    const fields = { ...(fault !== undefined && faultFields(fault)), component, code, attempt: attempts, ...due.describe(row) };
    log[code === unexpected ? 'error' : 'warn'](fields, messages.failed);
    const wait = waits[row.attempts] ?? (forever ? waits.at(-1) : undefined);
    if (!final && wait !== undefined) return settle(row, { again: spread(Math.max(retryAfterMs, wait)), attempts }, failure);
    try {
      await due.giveUp?.(row, failure);
    } catch (cause) {
      log.warn({ ...fields, ...faultFields(cause) }, 'a row could not be given up yet');
      if (row.attempts < waits.length + maxGiveUps) return settle(row, { again: spread(giveUpAgainMs), attempts }, failure);
    }
    await settle(row, { givenUp: code, attempts }, failure);
    log.error(fields, messages.givenUp ?? messages.failed);
    due.givenUp?.(row, failure);
  };

  const scheduler = makeScheduler({
    ...parts,
    component,
    nextDue: due.nextDue,
    run: async () => {
      if (stopped.signal.aborted) return 0;
      const [since, claimMs] = [monotonic.now(), patienceMs + graceMs + marginMs];
      const rows = await due.claim(claimMs, due.concurrency);
      // If a process stalls and wakes up after its claim has ended, the rows are another's.
      if (monotonic.now() - since >= claimMs) return 0;
      // A row that cannot be settled holds up no other.
      for (const worked of await Promise.allSettled(rows.map(work))) if (worked.status === 'rejected') throw worked.reason;
      return rows.length;
    },
  });
  return {
    ...scheduler,
    stop: async () => {
      stopped.abort();
      await scheduler.stop();
    },
  };
};
