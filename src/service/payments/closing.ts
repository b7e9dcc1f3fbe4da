// Closes checkouts that stayed open when their request ended, because the gateway did not answer.

import type { Alarm } from '../../platform/alarm.ts';
import { fullJitter } from '../../platform/backoff.ts';
import type { Clock } from '../../platform/clock.ts';
import { faultFields, type Log } from '../../platform/log.ts';
import { makeScheduler, type Scheduler } from '../../platform/scheduler.ts';
import type { Checkout, Checkouts } from '../core/store/checkouts.ts';
import { GatewayFault } from './gateways/gateway.ts';
import { gatewayPatienceMs, type Settle } from './settle.ts';

export interface ClosingOptions {
  readonly checkouts: Checkouts;
  readonly settle: Settle;
  readonly clock: Clock;
  readonly alarm: Alarm;
  readonly log: Log;
  /** Whether other replicas close as well. */
  readonly shared: boolean;
}

/** Checkouts per batch: all within the time limit of one call to the gateway. */
const together = 10;
/** How long (ms) they are left to one replica. */
const claimMs = gatewayPatienceMs + 5000;
/** A day's worth of trying at the longest wait. */
const most = 60;
const retry = { base: 2000, cap: 30 * 60_000 };

export const makeClosing = ({ checkouts, settle, clock, alarm, log, shared }: ClosingOptions): Scheduler => {
  const close = async (checkout: Checkout) => {
    const { requestId: interaction, tries } = checkout;
    const about = { component: 'payments', interaction, attempt: tries + 1 };
    const fault = await settle.close(checkout).then(
      // Money in transit cannot be stopped; somebody has to be told when it arrives.
      (standing) => (standing === 'open' || standing === 'processing' ? new GatewayFault('refused') : undefined),
      (fault: unknown) => fault,
    );
    if (fault === undefined) return;
    if (!(fault instanceof GatewayFault)) throw fault;
    if (tries + 1 < most) {
      await checkouts.postpone(interaction, tries + 1, clock.now() + 1000 + fullJitter(retry, tries));
      return log.warn({ ...faultFields(fault), ...about }, 'a checkout could not be closed yet');
    }
    await checkouts.closed(interaction);
    log.error({ ...faultFields(fault), ...about }, 'a checkout could not be closed: somebody has to see to it at the gateway');
  };

  return makeScheduler({
    component: 'closing',
    clock,
    alarm,
    log,
    shared,
    run: async (now) => {
      const due = await checkouts.claimLeftOpen(now, now + claimMs, together);
      await Promise.all(due.map(close));
      return due.length;
    },
    nextDue: () => checkouts.nextLeftOpen(),
  });
};
