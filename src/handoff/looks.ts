// Reading hubs for what their agents have done, where a hub may forget to say so: soon after something hinted at it,
// and now and then while a handoff is open, so that losing a hint costs time and nothing else.
import type { Alarm } from '../platform/alarm.ts';
import type { Clock } from '../platform/clock.ts';
import { faultFields, type Log } from '../platform/log.ts';
import { makeScheduler, type Scheduler } from '../platform/scheduler.ts';
import type { HandoffRecord, HandoffStore, PendingLook } from '../storage/index.ts';
import type { ActRefusal, ActResult, AgentAct } from './acts.ts';
import type { AgentStep, Hub } from './hub.ts';

const second = 1000;
/** How long (ms) a look may take. */
const patienceMs = 20 * second;
/** How long (ms) a handoff is left to the replica that looks at it. */
const claimMs = patienceMs + 20 * second;
/** The first look (ms) at what was just brought: what happened before its place was known was hinted at in vain. */
const first = second / 2;
/** The wait (ms) after something was found; it doubles with every look that finds nothing. */
const soon = 5 * second;
const atMost = 120 * second;
/** How often a handoff that is over is tried again. */
const lastTry = 6;
/** Handoffs looked at at a time. */
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
  /** The hub knows a handoff by this name. */
  placed(handoff: HandoffRecord, place: string): Promise<void>;
  /** Something may have happened at a place of the hub's. `false`: it is none of ours. */
  hint(place: string): Promise<boolean>;
  /** Looks at what is due. */
  wake(): void;
}

/** What an agent need not be told of: nothing that they wrote is lost. */
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
      // What follows waits as well: what an agent writes keeps its order.
      if (stopped.signal.aborted) return store.settleLook(pending, { again: 0, quiet: pending.quiet });
      failed = true;
      log.warn({ ...faultFields(fault), component: 'handoff', attempt: quiet }, 'a hub could not be read');
    }
    const isOver = (await store.get(handoff.id))?.state === 'over';
    // What was written after the end is answered once; not for ever.
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
    placed: async ({ id, place: before }, place) => {
      const wait = before === undefined ? first : soon;
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
