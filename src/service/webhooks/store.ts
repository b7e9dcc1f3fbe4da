// Stores webhooks: those to be delivered, those that were given up, and the endpoints that are gone.

import { claimRows } from '../../platform/database/claim-rows.ts';
import type { Settlement } from '../../platform/retry-queue.ts';
import type { Storage } from '../core/store/index.ts';
import type { WebhookTable } from './tables.ts';

/** The endpoint of an account's webhooks. */
export type Endpoint = Pick<Webhook, 'accountId' | 'url'>;

/** A webhook to be posted. */
export type Webhook = Readonly<ReturnType<typeof asWebhook>>;

export type Webhooks = ReturnType<typeof makeWebhooks>;

export const makeWebhooks = ({ database }: Pick<Storage, 'database'>) => {
  const { db } = database;
  const coming = ({ accountId, url }: Endpoint) =>
    db.selectFrom('webhooks').where('account_id', '=', accountId).where('url', '=', url).where('dead_at', 'is', null).orderBy('due_at');
  return {
    /** An endpoint's webhooks that are due; other replicas do not get them before `until`. */
    claimDue: async (endpoint: Endpoint, now: number, until: number, limit: number): Promise<Webhook[]> => {
      const due = coming(endpoint).select('id').where('due_at', '<=', now).orderBy('id').limit(limit);
      return (await claimRows(database, 'webhooks', 'id', due, { due_at: until })).map(asWebhook);
    },
    nextDue: async (endpoint: Endpoint): Promise<number | undefined> =>
      (await coming(endpoint).select('due_at').limit(1).executeTakeFirst())?.due_at,
    /** Records what becomes of a webhook: a delivered one is deleted. Does nothing if the claim has ended. */
    settle: async ({ id, claim }: Webhook, fate: Settlement, at: number): Promise<void> => {
      if ('done' in fate) {
        await db.deleteFrom('webhooks').where('id', '=', id).where('due_at', '=', claim).execute();
        return;
      }
      const { attempts } = fate;
      const settled = 'again' in fate ? { attempts, due_at: at + fate.again } : { attempts, dead_at: at, dead_code: fate.givenUp };
      await db.updateTable('webhooks').set(settled).where('id', '=', id).where('due_at', '=', claim).execute();
    },
    /** Gives up all webhooks to be delivered to an endpoint. */
    buryAll: async ({ accountId, url }: Endpoint, at: number, code: string): Promise<void> => {
      const rows = db.updateTable('webhooks').set({ dead_at: at, dead_code: code }).where('account_id', '=', accountId);
      await rows.where('url', '=', url).where('dead_at', 'is', null).execute();
    },
    /** The endpoints with webhooks to be delivered. */
    addresses: async (): Promise<Endpoint[]> => {
      const rows = await db.selectFrom('webhooks').select(['account_id', 'url']).distinct().where('dead_at', 'is', null).execute();
      return rows.map(({ account_id, url }) => ({ accountId: account_id, url }));
    },
    /** An account's webhooks that were given up, newest first, with their last failures. */
    dead: async (accountId: string, limit: number) => {
      const rows = db.selectFrom('webhooks').selectAll().where('account_id', '=', accountId).where('dead_at', 'is not', null);
      return (await rows.orderBy('dead_at', 'desc').orderBy('id', 'desc').limit(limit).execute()).map((row) => ({
        ...asWebhook(row),
        deadAt: row.dead_at ?? 0,
        deadCode: row.dead_code ?? '',
      }));
    },
    /**
     * Sends again a webhook that was given up, and reinstates its endpoint. `undefined`: the account has no such
     * webhook.
     */
    revive: (accountId: string, id: string, at: number): Promise<Webhook | undefined> =>
      db.transaction().execute(async (transaction) => {
        const row = await transaction
          .updateTable('webhooks')
          .set({ attempts: 0, due_at: at, dead_at: null, dead_code: null })
          .where('id', '=', id)
          .where('account_id', '=', accountId)
          .where('dead_at', 'is not', null)
          .returningAll()
          .executeTakeFirst();
        if (!row) return undefined;
        const gone = transaction.deleteFrom('webhook_endpoints').where('account_id', '=', accountId);
        await gone.where('url', '=', row.url).execute();
        return asWebhook(row);
      }),
    /** Records that an endpoint is gone. */
    disable: async ({ accountId, url }: Endpoint, at: number): Promise<void> => {
      await db
        .insertInto('webhook_endpoints')
        .values({ account_id: accountId, url, disabled_at: at })
        .onConflict((conflict) => conflict.columns(['account_id', 'url']).doNothing())
        .execute();
    },
    isDisabled: async ({ accountId, url }: Endpoint): Promise<boolean> => {
      const gone = db.selectFrom('webhook_endpoints').select('url').where('account_id', '=', accountId).where('url', '=', url);
      return (await gone.executeTakeFirst()) !== undefined;
    },
  };
};

const asWebhook = (row: WebhookTable) => ({
  id: row.id,
  accountId: row.account_id,
  url: row.url,
  type: row.type,
  requestId: row.request_id,
  code: row.code ?? undefined,
  attempts: row.attempts,
  createdAt: row.created_at,
  claim: row.due_at,
});
