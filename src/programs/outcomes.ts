// Posts outcomes to programs that subscribe to them: to their address, at least once, until each has arrived.
import { HttpProblem } from '../platform/http/http-problem.ts';
import { type Post, postPatienceMs } from '../platform/outgoing/webhook-post.ts';
import { makeRetryQueue, type QueueParts } from '../platform/retry-queue.ts';
import type { OutcomeDelivery, OutcomeHooks } from './outcome-hooks.ts';
import type { CallingProgram } from './program.ts';
import type { View } from './schemas.ts';

const second = 1000;
const minute = 60 * second;
/** After a day a post is given up. */
const waits: readonly number[] = [2 * second, 15 * second, minute, 10 * minute, ...[1, 6, 16].map((hours) => hours * 60 * minute)];
/** How many addresses one program may subscribe. */
const maxHooks = 100;

export interface OutcomesParts extends QueueParts {
  readonly hooks: OutcomeHooks;
  readonly post: Post;
  /** The current state, as the program may see it; `undefined` if it no longer exists. */
  readonly look: (program: CallingProgram, id: string) => Promise<View | undefined>;
  /** Counts an outcome that is given up. */
  readonly givenUp?: () => void;
  readonly newId: () => string;
}

export type Outcomes = ReturnType<typeof makeOutcomes>;

export const makeOutcomes = (parts: OutcomesParts) => {
  const { hooks, post, look, givenUp, newId, clock } = parts;
  const queue = makeRetryQueue<OutcomeDelivery>(parts, {
    ...{ component: 'programs', waits, patienceMs: postPatienceMs, concurrency: 16 },
    messages: { failed: 'an outcome did not reach a program', givenUp: 'an outcome for a program is given up' },
    claim: hooks.claim,
    nextDue: hooks.next,
    attempt: async ({ hook, id, subject }, signal) => {
      const view = await look({ name: hook.program }, subject);
      // It was erased, or deleted by age.
      if (!view) return { done: true };
      return post({ url: hook.url, keys: [], id, body: Buffer.from(JSON.stringify(view)) }, signal);
    },
    settle: hooks.settle,
    // The address wants nothing more.
    giveUp: async ({ hook }, { final }) => {
      if (final) await hooks.remove(hook.id, hook.program);
    },
    givenUp,
    describe: ({ subject }) => ({ interaction: subject }),
  });

  return {
    /** From now on posts every outcome of the program to that address; returns the hook's id. @throws {HttpProblem} */
    subscribe: async (program: CallingProgram, url: string): Promise<string> => {
      const id = newId();
      if (!(await hooks.add({ id, program: program.name, url }, maxHooks)))
        throw new HttpProblem(409, 'too_many_hooks', `A program can name ${maxHooks} addresses. Remove one first.`);
      return id;
    },
    /** `false`: there is no such hook. */
    unsubscribe: (program: CallingProgram, id: string): Promise<boolean> => hooks.remove(id, program.name),
    /** Stores that something of a program has ended. */
    note: async (program: CallingProgram, id: string): Promise<void> => {
      await hooks.note(program.name, id);
      queue.wake(clock.now());
    },
    /** Starts posting. */
    open: () => queue.wake(clock.now()),
    close: queue.stop,
  };
};
