// Reads what agents did at a hub that may fail to report it: soon after a hint, and from time to time while a handoff
// is open, so that a lost hint costs only time.

import { makeRetryQueue } from '../platform/retry-queue.ts';
import type { ActRefusal, ActResult, AgentAct } from './agent-act.ts';
import type { AgentStep } from './hub.ts';
import type { HubQueue } from './hub-delivery.ts';
import type { HandoffRecord } from './record.ts';
import type { ClaimedHandoff } from './store/handoff-rows.ts';

const second = 1000;
/** The wait (ms) for the first poll of a new place: hints that came before the place was known were lost. */
const firstWaitMs = second / 2;
/** The wait after a poll that found something; it grows with every poll that finds nothing. */
const minWaitMs = 5 * second;
const waits = [minWaitMs, ...[10, 20, 40, 80, 120].map((seconds) => seconds * second)];
/** How often an ended handoff is polled again after failures. */
const maxAttempts = 6;

/** Refusals that an agent need not know about: nothing that they wrote is lost. */
const isSilent = ({ act }: AgentStep, why: ActRefusal) => act.kind !== 'say' && (why === 'over' || why === 'taken');

export type HubPoller = ReturnType<typeof makeHubPoller>;

export const makeHubPoller = (options: HubQueue, act: (handoff: HandoffRecord, act: AgentAct) => Promise<ActResult>) => {
  const { hub, store, clock, pollGivenUp } = options;

  /** Carries out what is new, and resolves to whether anything was. */
  const poll = async (handoff: HandoffRecord, signal: AbortSignal): Promise<boolean> => {
    const steps = (await hub.poll?.(handoff, signal)) ?? [];
    for (const step of steps) {
      const result = await act(handoff, step.act);
      if ('refused' in result && !isSilent(step, result.refused)) await hub.tellRefused?.(handoff, step, result.refused, signal);
      if (step.upTo !== undefined) await store.seen(handoff.id, step.upTo);
    }
    return steps.length > 0;
  };
  const isOver = async ({ id }: HandoffRecord) => (await store.get(id))?.state === 'over';

  const queue = makeRetryQueue<ClaimedHandoff>(options, {
    ...{ component: 'handoff', waits, forever: true, patienceMs: 20 * second, concurrency: 8 },
    messages: { failed: 'a hub could not be read', givenUp: 'what agents did after the end of a handoff could not be read' },
    claim: (ms, limit) => store.claimPolls(hub.name, ms, limit),
    nextDue: () => store.nextPoll(hub.name),
    attempt: async ({ attempts, handoff }, signal) => {
      let found: boolean;
      try {
        found = await poll(handoff, signal);
      } catch (fault) {
        // Later steps wait too, so that an agent's messages keep their order. Messages after the end are answered once
        // more, but not for ever.
        return { code: 'unread', fault, final: attempts >= maxAttempts && (await isOver(handoff)) };
      }
      if (await isOver(handoff)) return { done: true };
      if (found) return { again: minWaitMs, attempts: 0 };
      return { again: waits[Math.min(attempts, waits.length - 1)] ?? minWaitMs, attempts: attempts + 1 };
    },
    settle: store.settlePoll,
    givenUp: () => pollGivenUp?.(hub.name),
    describe: () => ({}),
  });
  return {
    stop: queue.stop,
    /** The hub has given a handoff this place, where the messages up to `seen` are from before. */
    placed: async ({ id, place: before }: HandoffRecord, place: string, seen?: number) => {
      const wait = before === undefined ? firstWaitMs : minWaitMs;
      if (seen !== undefined) await store.seen(id, seen);
      await store.placed(id, place, wait);
      queue.wake(clock.now() + wait);
    },
    /** Something may have happened at one of the hub's places. `false`: the place is not ours. */
    hint: async (place: string) => {
      const known = await store.hint(hub.name, place);
      if (known) queue.wake(clock.now());
      return known;
    },
    /** Polls whatever is due. */
    wake: () => queue.wake(clock.now()),
  };
};
