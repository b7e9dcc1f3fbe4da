// Programs that subscribe to outcomes: each is posted to their address until it arrives, at least once.
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
/** The waits from one attempt to the next (ms). Then it is given up, after a day. */
const waits: readonly number[] = [2 * second, 15 * second, minute, 10 * minute, ...[1, 6, 16].map((hours) => hours * 60 * minute)];
/** How long (ms) one is left to the process that brings it. */
const claimMs = postPatienceMs + 5 * second;
/** Posts at a time. */
const together = 16;
/** How many addresses one program may name. */
const mostHooks = 100;

export interface OutcomesParts {
  readonly hooks: OutcomeHooks;
  readonly post: Post;
  /** How it stands now, as the program may see it; `undefined` where it is no more. */
  readonly look: (program: CallingProgram, id: string) => Promise<View | undefined>;
  /** Whether other replicas note outcomes too. */
  readonly shared: boolean;
  readonly newId: () => string;
  readonly clock: Clock;
  readonly alarm: Alarm;
  readonly log: Log;
}

export interface Outcomes {
  /** Posts every outcome of the program there from now on; returns the name of the hook. @throws {HttpProblem} */
  subscribe(program: CallingProgram, url: string): Promise<string>;
  /** `false`: there is no hook of that name. */
  unsubscribe(program: CallingProgram, id: string): Promise<boolean>;
  /** Notes that something of a program has ended. */
  note(program: CallingProgram, id: string): Promise<void>;
  /** Begins to post. */
  open(): void;
  close(): Promise<void>;
}

export const makeOutcomes = ({ hooks, post, look, shared, newId, clock, alarm, log }: OutcomesParts): Outcomes => {
  const stopped = new AbortController();

  const bring = async (letter: OutcomeLetter) => {
    const { attempts, hook, id, subject } = letter;
    const view = await look({ name: hook.program }, subject);
    // Erased, or past its time.
    if (!view) return hooks.settle(letter);
    const posted = await post({ url: hook.url, keys: [], id, body: Buffer.from(JSON.stringify(view)) }, stopped.signal);
    if (posted.arrived) return hooks.settle(letter);
    // Cut off by our own stop, it says nothing of the address.
    if (stopped.signal.aborted) return hooks.settle(letter, { again: 0 });
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
