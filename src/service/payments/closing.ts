// Closes checkouts that stayed open when their request ended, because the gateway did not answer.

import { makeRetryQueue } from '../../platform/retry-queue.ts';
import type { Scheduler } from '../../platform/time/scheduler.ts';
import type { ServiceContext } from '../core/context.ts';
import { GatewayFault } from './gateways/gateway.ts';
import { gatewayPatienceMs, type Settle } from './settle.ts';
import type { LeftOpenCheckout } from './store.ts';

/** A day's worth: from two seconds up to half an hour. */
const waits = Array.from({ length: 59 }, (_, attempt) => Math.min(2000 * 2 ** attempt, 30 * 60_000));

export const makeClosing = (context: ServiceContext, { checkouts, close }: Settle): Scheduler => {
  const { clock, givenUp } = context;
  return makeRetryQueue<LeftOpenCheckout>(context, {
    // As many as end within the time limit of one call to the gateway.
    ...{ component: 'payments', waits, patienceMs: gatewayPatienceMs, concurrency: 10 },
    messages: {
      failed: 'a checkout could not be closed yet',
      givenUp: 'a checkout could not be closed: somebody has to see to it at the gateway',
    },
    claim: (ms, limit) => checkouts.claimLeftOpen(clock.now(), clock.now() + ms, limit),
    nextDue: checkouts.nextLeftOpen,
    attempt: async (checkout, signal) => {
      try {
        const state = await close(checkout, signal);
        // Money in transit cannot be stopped; an operator must learn of it when it arrives.
        return state === 'open' || state === 'processing' ? { code: state } : { done: true };
      } catch (fault) {
        if (!(fault instanceof GatewayFault)) throw fault;
        return { code: fault.code, fault };
      }
    },
    settle: (checkout, fate) => checkouts.settleLeftOpen(checkout, fate, clock.now()),
    givenUp: () => givenUp('checkouts'),
    describe: ({ requestId }) => ({ interaction: requestId }),
  });
};
