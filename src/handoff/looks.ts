// Reads what agents did at a hub that may fail to report it: soon after a hint, and from time to time while a handoff
// is open, so that a lost hint costs only time.
import type { Alarm } from '../platform/alarm.ts';
import type { Clock } from '../platform/clock.ts';
import { faultFields, type Log } from '../platform/log.ts';
import { makeScheduler, type Scheduler } from '../platform/scheduler.ts';
import type { HandoffRecord, HandoffStore, PendingLook } from '../storage/index.ts';
import type { ActRefusal, ActResult, AgentAct } from './acts.ts';
import type { AgentStep, Hub } from './hub.ts';

const second = 1000;
/** The most time (ms) for a look. */
const patienceMs = 20 * second;
/** How long (ms) a replica keeps the handoffs that it has claimed. */
const claimMs = patienceMs + 20 * second;
/** The first look (ms) at a new place: hints that came before the place was known were lost. */
const first = second / 2;
/** The wait (ms) after a look that found something; it doubles with every look that finds nothing. */
const soon = 5 * second;
const atMost = 120 * second;
/** How often an ended handoff is looked at again after failures. */
const lastTry = 6;
/** Handoffs looked at at the same time. */
const together = 8;

export interface LooksOptions {
  readonly hub: Hub;
  readonly store: HandoffStore;
  readonly act: (handoff: HandoffRecord, act: AgentAct) => Promise<ActResult>;
  readonly shared: boolean;
  readonly clock: Clock;
  readonly alarm: Alarm;
  readonly log: Log;
}

export interface Looks extends Pick<Scheduler, 'stop'> {
  /** The hub has given a handoff this place, where the messages up to `seen` are from before. */
  placed(handoff: HandoffRecord, place: string, seen?: number): Promise<void>;
  /** Something may have happened at one of the hub's places. `false`: the place is not ours. */
  hint(place: string): Promise<boolean>;
  /** Looks at whatever is due. */
  wake(): void;
}

/** Refusals that an agent need not know about: nothing that they wrote is lost. */
const isSilent = ({ act }: AgentStep, why: ActRefusal) => act.kind !== 'say' && (why === 'over' || why === 'taken');

export const makeLooks = ({ hub, store, act, shared, clock, alarm, log }: LooksOptions): Looks => {
  const stopped = new AbortController();

  const look = async (pending: PendingLook) => {
    const { handoff } = pending;
    const signal = AbortSignal.any([stopped.signal, AbortSignal.timeout(patienceMs)]);
    let quiet = pending.quiet + 1;
    let failed = false;
    try {
      for (const step of (await hub.look?.(handoff, signal)) ?? []) {
        quiet = 0;
        const result = await act(handoff, step.act);
        if ('refused' in result && !isSilent(step, result.refused)) await hub.tellRefused?.(handoff, step, result.refused, signal);
        if (step.upTo !== undefined) await store.seen(handoff.id, step.upTo);
      }
    } catch (fault) {
      // Later steps wait too, so that an agent's messages keep their order.
      if (stopped.signal.aborted) return store.settleLook(pending, { again: 0, quiet: pending.quiet });
      failed = true;
      log.warn({ ...faultFields(fault), component: 'handoff', attempt: quiet }, 'a hub could not be read');
    }
    const isOver = (await store.get(handoff.id))?.state === 'over';
    // Messages after the end are answered once more, but not for ever.
    const again = isOver && (!failed || quiet > lastTry) ? undefined : Math.min(atMost, soon * 2 ** Math.max(0, quiet - 1));
    await store.settleLook(pending, { again, quiet });
  };

  const scheduler = makeScheduler({
    ...{ component: 'handoff', clock, alarm, log, shared },
    run: async () => {
      if (stopped.signal.aborted) return 0;
      const due = await store.claimLooks(hub.name, claimMs, together);
      await Promise.all(due.map(look));
      return due.length;
    },
    nextDue: () => store.nextLook(hub.name),
  });
  return {
    placed: async ({ id, place: before }, place, seen) => {
      const wait = before === undefined ? first : soon;
      if (seen !== undefined) await store.seen(id, seen);
      await store.placed(id, place, wait);
      scheduler.wake(clock.now() + wait);
    },
    hint: async (place) => {
      const known = await store.hint(hub.name, place);
      if (known) scheduler.wake(clock.now());
      return known;
    },
    wake: () => scheduler.wake(clock.now()),
    stop: async () => {
      stopped.abort();
      await scheduler.stop();
    },
  };
};
