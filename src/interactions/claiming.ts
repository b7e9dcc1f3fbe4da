// Claims interactions that no process works on: those that a stop or a crash left unfinished, and those that other
// processes leave behind.
import { faultFields } from '../platform/log.ts';
import { notClaimed } from './interaction.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { InteractionsContext } from './ports.ts';

/**
 * Claims and resumes everything that is free, now and whenever something becomes free, until the lifecycle stops.
 * Resolves after the first time.
 */
export const keepClaiming = async ({ store, log }: InteractionsContext, lifecycle: Lifecycle): Promise<void> => {
  const { stopped } = lifecycle.tasks;
  /** Sending can take as long as a call; opening the chats does not wait for it. */
  const claimAll = coalesced(async () => {
    while (!stopped.aborted) {
      const claimed = await store.claim();
      if (claimed.length === 0) return;
      log.info({ component: 'interactions', count: claimed.length }, 'unfinished interactions were claimed');
      for (const interaction of claimed) lifecycle.resume(interaction);
    }
  });
  /** Stops watching an interaction that another process watches now. */
  const dropIfTaken = async (id: string) => {
    if ((await store.get(id))?.epoch === notClaimed) await lifecycle.watchers.stop(id);
  };

  const unfollow = store.follow({
    free: () => {
      claimAll().catch((fault) => log.warn({ ...faultFields(fault), component: 'interactions' }, 'nothing could be claimed'));
    },
    taken: (id) => {
      if (!lifecycle.watchers.has(id)) return;
      dropIfTaken(id).catch((fault) => log.warn({ ...faultFields(fault), interaction: id }, 'whether a claim was lost could not be read'));
    },
    lost: () => lifecycle.dropClaims(),
  });
  stopped.addEventListener('abort', unfollow, { once: true });
  await claimAll();
};

/**
 * Coalesces runs of `work`: one at a time, and all calls during a run share one more run after it, so that every caller
 * gets a run that began after its call.
 */
const coalesced = (work: () => Promise<void>): (() => Promise<void>) => {
  let current: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const begin = () => {
    const run = work().finally(() => {
      if (current === run) current = undefined;
    });
    current = run;
    return run;
  };
  return () => {
    if (!current) return begin();
    next ??= current
      .catch(() => {})
      .then(() => {
        next = undefined;
        return begin();
      });
    return next;
  };
};
