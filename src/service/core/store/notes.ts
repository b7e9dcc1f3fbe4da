// What happened to a request besides its events: delivery of its messages by the gateway, and replacement by a newer
// request.
import type { Kysely, Transaction } from 'kysely';
import type { DeliveryType, WebhookType } from '../../../contract/index.ts';
import { type Channel, erasedRef, type Request } from './request.ts';
import type { Schema } from './schema.ts';

/** The delivery state of a message. The last three are final: the first of them to arrive counts. */
export type DeliveryState = 'queued' | 'sent' | 'delivered' | 'undelivered' | 'failed';

const rank: Readonly<Record<DeliveryState, number>> = { queued: 0, sent: 1, delivered: 2, undelivered: 2, failed: 2 };

/** A gateway's report on a message. */
export interface Receipt {
  readonly requestId: string;
  readonly messageId: string;
  readonly channel: Channel;
  /** When the message was sent; a resend voids earlier messages. */
  readonly sentAt: number;
  readonly state: DeliveryState;
  readonly at: number;
  /** The reason, as the gateway's code. */
  readonly code?: string | undefined;
  /** The gateway's identifier of the message. */
  readonly reference?: string | undefined;
}

/** Announces events of a request, with their reason, if any, in the transaction in which they are stored. */
export type Announce = (
  transaction: Transaction<Schema>,
  event: {
    readonly accountId: string;
    readonly requestId: string;
    readonly types: readonly WebhookType[];
    readonly at: number;
    readonly code?: string | undefined;
  },
) => Promise<void>;

export type Note = Awaited<ReturnType<ReturnType<typeof makeNotes>['of']>>[number];

const prefix = 'delivery.';
const typeOf = (state: DeliveryState): DeliveryType => `${prefix}${state}`;
const rankOf = (type: string): number | undefined => (rank as Record<string, number>)[type.slice(prefix.length)];
const failing = (['undelivered', 'failed'] as const).map(typeOf);

/** Stores a receipt of a message within a transaction; see `receive`. */
export const keepReceipt = async (transaction: Transaction<Schema>, announce: Announce, receipt: Receipt): Promise<boolean> => {
  const { requestId, messageId, channel, sentAt, state, at, code, reference } = receipt;
  const request = await transaction
    .selectFrom('requests')
    .select(['account_id', 'customer_ref'])
    .where('id', '=', requestId)
    .executeTakeFirst();
  // A gateway's identifier of a message leads to its recipient: it is not stored again once the customer is erased.
  if (!request || request.customer_ref === erasedRef) return false;
  const ofMessage = transaction.selectFrom('notes').select('type').where('request_id', '=', requestId).where('message_id', '=', messageId);
  const known = (await ofMessage.execute()).map(({ type }) => rankOf(type));
  if (known.some((reached) => reached !== undefined && reached >= rank[state])) return false;
  const type = typeOf(state);
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto('notes')
    .values({
      request_id: requestId,
      message_id: messageId,
      type,
      channel,
      code: code ?? null,
      reference: reference ?? null,
      message_at: sentAt,
      created_at: at,
    })
    .onConflict((conflict) => conflict.columns(['request_id', 'message_id', 'type']).doNothing())
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows !== 1n) return false;
  await announce(transaction, { accountId: request.account_id, requestId, types: [type], at, code });
  return true;
};

/** The delivery states of messages, for those that a gateway reported on. */
export const reachedBy = async (db: Kysely<Schema>, messageIds: readonly string[]): Promise<ReadonlyMap<string, DeliveryState>> => {
  const reached = new Map<string, DeliveryState>();
  if (messageIds.length === 0) return reached;
  for (const { message_id, type } of await db
    .selectFrom('notes')
    .select(['message_id', 'type'])
    .where('message_id', 'in', messageIds)
    .execute()) {
    const state = type.slice(prefix.length) as DeliveryState;
    const before = reached.get(message_id);
    if (before === undefined || rank[before] < rank[state]) reached.set(message_id, state);
  }
  return reached;
};

export const makeNotes = (db: Kysely<Schema>, announce: Announce) => ({
  /** A request's notes, oldest first; those of the same instant are in the order of delivery states. */
  of: async (requestId: string) => {
    const rows = await db.selectFrom('notes').selectAll().where('request_id', '=', requestId).execute();
    const notes = rows.map(({ type, created_at, channel, code }) => ({
      type,
      at: created_at,
      channel: (channel as Channel | null) ?? undefined,
      code: code ?? undefined,
    }));
    return notes.sort((a, b) => a.at - b.at || (rankOf(a.type) ?? 0) - (rankOf(b.type) ?? 0));
  },

  /**
   * Stores a receipt and announces it to the account. `false`: that state or a later one was already stored, or the
   * request is unknown.
   */
  receive: (receipt: Receipt): Promise<boolean> => db.transaction().execute((transaction) => keepReceipt(transaction, announce, receipt)),

  /**
   * Whether a pending request can no longer reach its customer: every message of the last sending has failed, none is
   * still to be delivered (apart from `besides`), and nobody has opened the link.
   */
  unreachable: ({ id, channel }: Pick<Request, 'channel' | 'id'>, besides = ''): Promise<boolean> =>
    db.transaction().execute(async (transaction) => {
      const pending = transaction.selectFrom('requests').select('sent_at').where('id', '=', id).where('state', '=', 'pending');
      const request = await pending.executeTakeFirst();
      if (!request) return false;
      const coming = transaction.selectFrom('deliveries').select('id').where('request_id', '=', id).where('announced', '=', 1);
      if (await coming.where('id', '<>', besides).limit(1).executeTakeFirst()) return false;
      const opened = transaction.selectFrom('events').select('seq').where('request_id', '=', id).where('type', '=', 'task.bootstrapped');
      if (await opened.limit(1).executeTakeFirst()) return false;
      const notes = await transaction
        .selectFrom('notes')
        .select(['message_id', 'type'])
        .where('request_id', '=', id)
        // A code requested on the page is sent through another channel than the request's own messages.
        .where('channel', '=', channel)
        .where('message_at', '>=', request.sent_at)
        .execute();
      const messages = new Set(notes.map(({ message_id }) => message_id));
      const failed = new Set(notes.filter(({ type }) => failing.some((one) => one === type)).map(({ message_id }) => message_id));
      return failed.size > 0 && failed.size === messages.size;
    }),
});
