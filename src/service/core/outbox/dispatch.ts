// Delivers stored messages: after each send, and again after a refusal, a fault or a restart.

import type { Alarm } from '../../../platform/alarm.ts';
import { fullJitter } from '../../../platform/backoff.ts';
import type { Clock } from '../../../platform/clock.ts';
import { faultFields, type Log } from '../../../platform/log.ts';
import { makeScheduler, type Scheduler } from '../../../platform/scheduler.ts';
import { withTimeout } from '../../../platform/with-timeout.ts';
import type { Listeners } from '../listeners.ts';
import type { Seal } from '../seal.ts';
import type { DueDelivery } from '../store/deliveries.ts';
import type { Storage } from '../store/index.ts';
import { type Delivery, type Handover, type Message, message } from './message.ts';

export interface DispatchOptions {
  readonly storage: Storage;
  readonly delivery: Delivery;
  readonly seal: Seal;
  readonly clock: Clock;
  readonly alarm: Alarm;
  readonly listeners: Listeners;
  readonly log: Log;
  /** Handles and removes a message that can never be delivered. */
  giveUp(due: DueDelivery, code: string): Promise<void>;
}

/** The context that a stored message is sealed with. */
export const deliveryContext = (id: string) => `delivery ${id}`;

const patienceMs = 10_000;
const attempts = 6;
const retry = { base: 2000, cap: 60_000 };
/** Messages handed over at a time, so that a slow gateway holds up neither the others nor the process. */
const together = 16;
/** How long (ms) messages are left to the replica that hands them over; longer than an attempt may take. */
const claimMs = patienceMs + 5000;

export const makeDispatch = (options: DispatchOptions): Scheduler => {
  const { storage, delivery, seal, clock, alarm, listeners, log, giveUp } = options;

  const handOver = async (due: DueDelivery): Promise<Handover & { readonly channel?: Message['channel'] }> => {
    const patience = new AbortController();
    const late = (): Handover => {
      patience.abort();
      return { accepted: false, final: false, code: 'timeout', unknown: true };
    };
    try {
      const read = message.parse(seal.open(due.sealed, deliveryContext(due.id)));
      // Recorded before calling: if the process dies meanwhile, it is known that the message may have arrived.
      if (!due.begun && delivery.doubles?.(read.channel)) await storage.deliveries.begin(due);
      const handover = await withTimeout(delivery.deliver(read, patience.signal, due.begun), patienceMs, late);
      return { ...handover, channel: read.channel };
    } catch (fault) {
      log.error({ ...faultFields(fault), component: 'dispatch', interaction: due.requestId }, 'a message could not be handed over');
      return { accepted: false, final: false, code: 'fault', unknown: true };
    }
  };

  const send = async (due: DueDelivery) => {
    // If a process was suspended, its claim may have expired, so that the message is another replica's.
    if (storage.shared && clock.now() >= due.claim) return;
    const handover = await handOver(due);
    const { id, requestId } = due;
    const at = clock.now();
    if (handover.accepted) {
      const { reached: state, reference, channel } = handover;
      const receipt = state && channel && { requestId, messageId: id, channel, sentAt: due.createdAt, state, at, reference };
      if (await storage.changes.delivered(due, at, receipt)) listeners.tell(requestId);
      return;
    }
    const attempt = due.attempts + 1;
    const { code, final, retryAfterMs = 0, unknown = false } = handover;
    log.warn({ component: 'dispatch', interaction: requestId, code, attempt }, 'a message was refused');
    if (final || attempt >= attempts) return giveUp(due, code);
    await storage.deliveries.postpone(due, attempt, at + Math.max(retryAfterMs, fullJitter(retry, due.attempts)), unknown);
  };

  return makeScheduler({
    component: 'dispatch',
    clock,
    alarm,
    log,
    shared: storage.shared,
    run: async (now) => {
      const due = await storage.deliveries.claimDue(now, now + claimMs, together);
      await Promise.all(due.map(send));
      return due.length;
    },
    nextDue: () => storage.deliveries.nextDue(),
  });
};
