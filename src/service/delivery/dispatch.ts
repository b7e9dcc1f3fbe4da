// Handing stored messages over: after each send, and again after a refusal, a fault or a restart.
import { fullJitter } from '../../platform/backoff.ts';
import type { Clock } from '../../platform/clock.ts';
import { faultFields, type Log } from '../../platform/log.ts';
import type { Alarm } from '../alarm.ts';
import type { Listeners } from '../listeners.ts';
import { makeScheduler, type Scheduler } from '../scheduler.ts';
import type { Seal } from '../seal.ts';
import type { DueDelivery } from '../store/deliveries.ts';
import type { Storage } from '../store/index.ts';
import { type Delivery, type Handover, message } from './message.ts';

export interface DispatchOptions {
  readonly storage: Storage;
  readonly delivery: Delivery;
  readonly seal: Seal;
  readonly clock: Clock;
  readonly alarm: Alarm;
  readonly listeners: Listeners;
  readonly log: Log;
  /** A message that can never be handed over: its request fails. */
  giveUp(requestId: string): Promise<void>;
}

/** What a message on its way is sealed under. */
export const deliveryContext = (id: string) => `delivery ${id}`;

const patienceMs = 10_000;
const attempts = 6;
const retry = { base: 2000, cap: 60_000 };
/** Messages handed over at a time, so that a slow gateway holds up neither the others nor the process. */
const together = 16;

export const makeDispatch = (options: DispatchOptions): Scheduler => {
  const { storage, delivery, seal, clock, alarm, listeners, log, giveUp } = options;

  const handOver = async (due: DueDelivery): Promise<Handover> => {
    const patience = new AbortController();
    // Cleared rather than AbortSignal.timeout: the timers of finished calls would pile up for as long as the patience lasts.
    const timer = setTimeout(() => patience.abort(), patienceMs);
    const { signal } = patience;
    try {
      const read = message.parse(seal.open(due.sealed, deliveryContext(due.id)));
      return await Promise.race([delivery.deliver(read, signal), late(signal)]);
    } catch (fault) {
      log.error({ ...faultFields(fault), component: 'dispatch', interaction: due.requestId }, 'a message could not be handed over');
      return { accepted: false, final: false, code: 'fault' };
    } finally {
      clearTimeout(timer);
    }
  };

  const send = async (due: DueDelivery) => {
    const handover = await handOver(due);
    if (handover.accepted) {
      if (await storage.changes.delivered(due.id, due.requestId, clock.now())) listeners.tell(due.requestId);
      return;
    }
    const attempt = due.attempts + 1;
    log.warn({ component: 'dispatch', interaction: due.requestId, code: handover.code, attempt }, 'a message was refused');
    if (!handover.final && attempt < attempts) {
      const wait = Math.max(handover.retryAfterMs ?? 0, fullJitter(retry, due.attempts));
      await storage.deliveries.postpone(due.id, attempt, clock.now() + wait);
      return;
    }
    await storage.deliveries.drop(due.id);
    await giveUp(due.requestId);
  };

  return makeScheduler({
    component: 'dispatch',
    clock,
    alarm,
    log,
    run: async (now) => {
      await Promise.all((await storage.deliveries.due(now, together)).map(send));
    },
    nextDue: () => storage.deliveries.nextDue(),
  });
};

const late = (signal: AbortSignal) =>
  new Promise<Handover>((resolve) => {
    signal.addEventListener('abort', () => resolve({ accepted: false, final: false, code: 'timeout' }), { once: true });
  });
