// Closes checkouts that stayed open when their request ended, because the gateway did not answer.

import { claimRows } from '../../platform/database/claim-rows.ts';
import { type ClaimedRow, makeRetryQueue } from '../../platform/retry-queue.ts';
import type { Scheduler } from '../../platform/time/scheduler.ts';
import type { ServiceContext } from '../core/context.ts';
import { GatewayFault } from './gateways/gateway.ts';
import { type Checkout, gatewayPatienceMs, type Settle } from './settle.ts';

/** A day's worth: from two seconds up to half an hour. */
const waits = Array.from({ length: 59 }, (_, attempt) => Math.min(2000 * 2 ** attempt, 30 * 60_000));

export const makeClosing = (context: ServiceContext, { close }: Settle): Scheduler => {
  const { storage, clock, givenUp } = context;
  const { database } = storage;
  const leftOpen = () =>
    database.db
      .selectFrom('checkouts')
      .innerJoin('requests', 'requests.id', 'checkouts.request_id')
      .where('checkouts.state', '=', 'open')
      .where('requests.state', '<>', 'pending')
      .orderBy('checkouts.due_at');
  return makeRetryQueue<Checkout & ClaimedRow>(context, {
    // As many as end within the time limit of one call to the gateway.
    ...{ component: 'payments', waits, patienceMs: gatewayPatienceMs, concurrency: 10 },
    messages: {
      failed: 'a checkout could not be closed yet',
      givenUp: 'a checkout could not be closed: somebody has to see to it at the gateway',
    },
    claim: async (ms, limit) => {
      const now = clock.now();
      const due = leftOpen().select('checkouts.request_id').where('checkouts.due_at', '<=', now).limit(limit);
      const rows = await claimRows(database, 'checkouts', 'request_id', due, { due_at: now + ms });
      return rows.map((row) => ({ ...row, attempts: row.tries, claim: row.due_at }));
    },
    nextDue: async () => (await leftOpen().limit(1).select('checkouts.due_at').executeTakeFirst())?.due_at,
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
    settle: async ({ request_id: id, claim }, fate) => {
      if ('done' in fate) return;
      const settled = 'again' in fate ? { due_at: clock.now() + fate.again } : { state: 'closed' };
      const ours = database.db.updateTable('checkouts').where('request_id', '=', id).where('due_at', '=', claim);
      await ours
        .set({ ...settled, tries: fate.attempts })
        .where('state', '<>', 'paid')
        .execute();
    },
    givenUp: () => givenUp('checkouts'),
    describe: ({ request_id: interaction }) => ({ interaction }),
  });
};
