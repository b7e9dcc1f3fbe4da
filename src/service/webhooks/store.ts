// The webhooks that were given up and the endpoints that are gone, for accounts and the console.

import type { Selectable } from 'kysely';
import type { Storage } from '../core/store/index.ts';
import type { WebhookTable } from './tables.ts';

export type Webhook = Readonly<Selectable<WebhookTable>>;

export type Webhooks = ReturnType<typeof makeWebhooks>;

/** The newest of an account's webhooks that were given up are shown, so many of them. */
const shown = 100;

export const makeWebhooks = ({ database: { db } }: Pick<Storage, 'database'>) => ({
  /** An account's webhooks that were given up, newest first, with their last failures. */
  dead: async (accountId: string) => {
    const rows = db.selectFrom('webhooks').selectAll().where('account_id', '=', accountId).where('dead_at', 'is not', null);
    const newest = await rows.orderBy('dead_at', 'desc').orderBy('id', 'desc').limit(shown).execute();
    return newest.map((row) => ({ ...row, dead_at: row.dead_at ?? 0, dead_code: row.dead_code ?? '' }));
  },
  /**
   * Sends again a webhook that was given up, and reinstates its endpoint. `undefined`: the account has no such webhook.
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
      const gone = transaction.deleteFrom('webhook_endpoints').where('account_id', '=', accountId);
      if (row) await gone.where('url', '=', row.url).execute();
      return row;
    }),
  /** Whether an endpoint has answered that it is gone. */
  isDisabled: async (accountId: string, url: string): Promise<boolean> => {
    const gone = db.selectFrom('webhook_endpoints').select('url').where('account_id', '=', accountId).where('url', '=', url);
    return (await gone.executeTakeFirst()) !== undefined;
  },
});
