// Closes checkouts that stayed open when their request ended, because the gateway did not answer.

import { makeRetryQueue } from '../../platform/retry-queue.ts';
import type { Scheduler } from '../../platform/time/scheduler.ts';
import type { ServiceContext } from '../core/context.ts';
import { type DueRow, makeDueRows } from '../core/store/due-rows.ts';
import { GatewayFault } from './gateways/gateway.ts';
import { gatewayPatienceMs, type Settle } from './settle.ts';

/** A day's worth: from two seconds up to half an hour. */
const waits = Array.from({ length: 59 }, (_, attempt) => Math.min(2000 * 2 ** attempt, 30 * 60_000));

export const makeClosing = (context: ServiceContext, { close }: Settle): Scheduler => {
  const { storage, clock, givenUp } = context;
  const leftOpen = makeDueRows(storage, 'checkouts', 'request_id', (eb) => {
    const request = eb.selectFrom('requests').select('id').whereRef('requests.id', '=', 'checkouts.request_id');
    return eb.and([eb('checkouts.state', '=', 'open'), eb.exists(request.where('requests.state', '<>', 'pending'))]);
  });
  return makeRetryQueue<DueRow<'checkouts'> & { readonly attempts: number }>(context, {
    // As many as end within the time limit of one call to the gateway.
    ...{ component: 'payments', waits, patienceMs: gatewayPatienceMs, concurrency: 10 },
    messages: {
      failed: 'a checkout could not be closed yet',
      givenUp: 'a checkout could not be closed: somebody has to see to it at the gateway',
    },
    claim: async (ms, limit) => (await leftOpen.claim(clock.now(), ms, limit)).map((row) => ({ ...row, attempts: row.tries })),
    nextDue: leftOpen.nextDue,
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
    settle: async (checkout, fate) => {
      if ('done' in fate) return;
      const settled = 'again' in fate ? { due_at: clock.now() + fate.again } : { state: 'closed' };
      const ours = storage.database.db.updateTable('checkouts').set({ ...settled, tries: fate.attempts });
      const claimed = ours.where('request_id', '=', checkout.request_id).where('due_at', '=', checkout.claim);
      await claimed.where('state', '<>', 'paid').execute();
    },
    givenUp: () => givenUp('checkouts'),
    describe: ({ request_id: interaction }) => ({ interaction }),
  });
};
