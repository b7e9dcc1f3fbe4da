// The steps on the customer's device, shown in the chat as they come: one at a time for each interaction, and not too
// often.
import { faultFields, type Log } from '../platform/log.ts';
import { sleep } from '../platform/sleep.ts';
import type { Interaction } from './interaction.ts';
import type { Notifier } from './ports.ts';

/**
 * Between two of one interaction, in milliseconds: channels count every update (Teams: seven messages a second for a
 * bot in a chat).
 */
const apart = 1000;

export interface LiveSteps {
  /** Shows how far it is, at once or when the one before is a second old. Of several that wait the latest is shown. */
  show(interaction: Interaction): void;
  /** Nothing more of it is shown. */
  end(id: string): void;
  /** Nothing more of any is shown; resolves when nothing runs any more. */
  close(): Promise<void>;
}

interface Shown {
  /** What is to be shown next. */
  latest: Interaction | undefined;
  readonly over: AbortController;
  done: Promise<void>;
}

/** Live steps are best effort: one that cannot be shown costs a stale card. */
export const makeLiveSteps = (show: Notifier['progress'], log: Log): LiveSteps => {
  const running = new Map<string, Shown>();

  const run = async (id: string, shown: Shown) => {
    const { signal } = shown.over;
    while (shown.latest && !signal.aborted) {
      const { latest } = shown;
      shown.latest = undefined;
      await show(latest).catch((fault) => log.warn({ ...faultFields(fault), interaction: id }, 'a step was not shown'));
      await sleep(apart, signal);
    }
    if (running.get(id) === shown) running.delete(id);
  };

  const end = (id: string) => {
    running.get(id)?.over.abort();
  };

  return {
    show: (interaction) => {
      const { id } = interaction;
      const before = running.get(id);
      if (before) {
        before.latest = interaction;
        return;
      }
      const shown: Shown = { latest: interaction, over: new AbortController(), done: Promise.resolve() };
      running.set(id, shown);
      shown.done = run(id, shown);
    },
    end,
    close: async () => {
      const all = [...running.values()];
      for (const id of running.keys()) end(id);
      await Promise.all(all.map(({ done }) => done));
    },
  };
};
