// Posts outcomes to programs that subscribe to them: to their address, at least once, until each has arrived.
import type { Alarm } from '../platform/alarm.ts';
import type { Clock } from '../platform/clock.ts';
import { HttpProblem } from '../platform/http-problem.ts';
import type { Log } from '../platform/log.ts';
import { makeScheduler } from '../platform/scheduler.ts';
import { type Post, postPatienceMs } from '../platform/webhook-post.ts';
import type { OutcomeHooks, OutcomeLetter } from '../storage/index.ts';
import type { CallingProgram } from './program.ts';
import type { View } from './schemas.ts';

const second = 1000;
const minute = 60 * second;
/** The waits between attempts (ms). After a day a post is abandoned. */
const waits: readonly number[] = [2 * second, 15 * second, minute, 10 * minute, ...[1, 6, 16].map((hours) => hours * 60 * minute)];
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
  readonly newId: () => string;
  readonly clock: Clock;
  readonly alarm: Alarm;
  readonly log: Log;
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

export const makeOutcomes = ({ hooks, post, look, shared, newId, clock, alarm, log }: OutcomesParts): Outcomes => {
  const stopped = new AbortController();

  const bring = async (letter: OutcomeLetter) => {
    const { attempts, hook, id, subject } = letter;
    const view = await look({ name: hook.program }, subject);
    // It was erased, or deleted by age.
    if (!view) return hooks.settle(letter);
    const posted = await post({ url: hook.url, keys: [], id, body: Buffer.from(JSON.stringify(view)) }, stopped.signal);
    if (posted.arrived) return hooks.settle(letter);
    // Our own stop cut it off, which says nothing about the address.
    if (stopped.signal.aborted) return hooks.settle(letter, { givenBack: true });
    log.warn(
      { component: 'programs', code: posted.code, attempt: attempts + 1, interaction: subject },
      'an outcome did not reach a program',
    );
    if (posted.gone) return void (await hooks.remove(hook.id, hook.program));
    const wait = waits[attempts];
    await hooks.settle(letter, wait === undefined ? undefined : { again: Math.max(posted.retryAfterMs, wait) });
  };

  const scheduler = makeScheduler({
    ...{ component: 'programs', clock, alarm, log, shared },
    run: async () => {
      if (stopped.signal.aborted) return 0;
      const letters = await hooks.claim(claimMs, together);
      await Promise.all(letters.map(bring));
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
