// Posts outcomes to programs that subscribe to them: to their address, at least once, until each has arrived.
import type { Alarm } from '../platform/alarm.ts';
import type { Clock } from '../platform/clock.ts';
import { HttpProblem } from '../platform/http-problem.ts';
import { faultFields, type Log } from '../platform/log.ts';
import { makeScheduler } from '../platform/scheduler.ts';
import { type Post, type Posted, postPatienceMs } from '../platform/webhook-post.ts';
import type { OutcomeHooks, OutcomeLetter } from '../storage/index.ts';
import type { CallingProgram } from './program.ts';
import type { View } from './schemas.ts';

const second = 1000;
const minute = 60 * second;
/** The waits between attempts (ms). After a day a post is abandoned. */
const waits: readonly number[] = [2 * second, 15 * second, minute, 10 * minute, ...[1, 6, 16].map((hours) => hours * 60 * minute)];
/** The random part of a wait, added on top, so that what failed together is not retried together. */
const jitter = 0.2;
/** How long (ms) a process keeps the posts that it has claimed. */
const claimMs = postPatienceMs + 5 * second;
/** Posts at a time. */
const together = 16;
/** How many addresses one program may subscribe. */
const mostHooks = 100;

export interface OutcomesParts {
  readonly hooks: OutcomeHooks;
  readonly post: Post;
  /** The current state, as the program may see it; `undefined` if it no longer exists. */
  readonly look: (program: CallingProgram, id: string) => Promise<View | undefined>;
  /** Whether other replicas store outcomes too. */
  readonly shared: boolean;
  /** Counts an outcome that is given up. */
  readonly givenUp?: () => void;
  readonly newId: () => string;
  readonly clock: Clock;
  readonly alarm: Alarm;
  readonly log: Log;
  /** A random number from 0 up to 1. */
  readonly random?: () => number;
}

export interface Outcomes {
  /** From now on posts every outcome of the program to that address; returns the hook's id. @throws {HttpProblem} */
  subscribe(program: CallingProgram, url: string): Promise<string>;
  /** `false`: there is no such hook. */
  unsubscribe(program: CallingProgram, id: string): Promise<boolean>;
  /** Stores that something of a program has ended. */
  note(program: CallingProgram, id: string): Promise<void>;
  /** Starts posting. */
  open(): void;
  close(): Promise<void>;
}

export const makeOutcomes = (parts: OutcomesParts): Outcomes => {
  const { hooks, post, look, shared, givenUp, newId, clock, alarm, log, random = Math.random } = parts;
  const stopped = new AbortController();

  /** Posts it; `undefined`: it was erased, or deleted by age. */
  const attempt = async ({ hook, id, subject }: OutcomeLetter): Promise<Posted | undefined> => {
    try {
      const view = await look({ name: hook.program }, subject);
      return view && (await post({ url: hook.url, keys: [], id, body: Buffer.from(JSON.stringify(view)) }, stopped.signal));
    } catch (fault) {
      // Counted like any other failure, so that it is tried less and less often, and given up at last.
      log.error(
        { ...faultFields(fault), component: 'programs', interaction: subject },
        'an outcome could not be posted, for an unknown reason',
      );
      return { arrived: false, code: 'unexpected', gone: false, retryAfterMs: 0 };
    }
  };

  const deliver = async (letter: OutcomeLetter) => {
    const { attempts, hook, subject } = letter;
    const posted = await attempt(letter);
    if (!posted || posted.arrived) return hooks.settle(letter);
    // Our own stop cut it off, which says nothing about the address.
    if (stopped.signal.aborted) return hooks.settle(letter, { givenBack: true });
    const { code, gone, retryAfterMs } = posted;
    log.warn({ component: 'programs', code, attempt: attempts + 1, interaction: subject }, 'an outcome did not reach a program');
    const wait = waits[attempts];
    if (!gone && wait !== undefined)
      return hooks.settle(letter, { again: Math.round(Math.max(retryAfterMs, wait * (1 + jitter * random()))) });
    if (gone) await hooks.remove(hook.id, hook.program);
    else await hooks.settle(letter);
    log.error({ component: 'programs', code, interaction: subject }, 'an outcome for a program is given up');
    givenUp?.();
  };

  const scheduler = makeScheduler({
    ...{ component: 'programs', clock, alarm, log, shared },
    run: async () => {
      if (stopped.signal.aborted) return 0;
      const letters = await hooks.claim(claimMs, together);
      await Promise.all(letters.map(deliver));
      return letters.length;
    },
    nextDue: () => hooks.next(),
  });

  return {
    subscribe: async (program, url) => {
      const id = newId();
      if (!(await hooks.add({ id, program: program.name, url }, mostHooks)))
        throw new HttpProblem(409, 'too_many_hooks', `A program can name ${mostHooks} addresses. Remove one first.`);
      return id;
    },
    unsubscribe: (program, id) => hooks.remove(id, program.name),
    note: async (program, id) => {
      await hooks.note(program.name, id);
      scheduler.wake(clock.now());
    },
    open: () => scheduler.wake(clock.now()),
    close: async () => {
      stopped.abort();
      await scheduler.stop();
    },
  };
};
