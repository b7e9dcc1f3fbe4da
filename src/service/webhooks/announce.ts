// Creates webhooks: one row per subscribed endpoint, in the transaction of the event that they report.
import type { WebhookType } from '../../contract/index.ts';
import type { Account } from '../core/accounts.ts';
import type { WebhookEndpoint } from '../core/catalogue/webhook-endpoints.ts';
import type { Announce } from '../core/store/notes.ts';

/** Stores the webhooks of an event for the endpoints of these catalogues. Costs nothing without subscribers. */
export const makeAnnounce = (
  catalogues: readonly { readonly account: Pick<Account, 'id'>; readonly webhooks: readonly WebhookEndpoint[] }[],
  newId: (now: number) => string,
): Announce => {
  const byAccount = new Map(catalogues.map(({ account, webhooks }) => [account.id, webhooks]));
  const subscribers = (accountId: string, type: WebhookType) =>
    (byAccount.get(accountId) ?? []).filter(({ events }) => events === undefined || events.includes(type));
  return async (transaction, { accountId, requestId, types, at, code = null }) => {
    const rows = types.flatMap((type) =>
      subscribers(accountId, type).map(({ url }) => ({
        id: newId(at),
        account_id: accountId,
        url,
        type,
        request_id: requestId,
        code,
        attempts: 0,
        due_at: at,
        created_at: at,
        dead_at: null,
        dead_code: null,
      })),
    );
    if (rows.length > 0) await transaction.insertInto('webhooks').values(rows).execute();
  };
};
