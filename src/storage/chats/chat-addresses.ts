// The addresses of chats, as stored with what is still to be said in them.
import type { Kysely } from 'kysely';
import type { Schema } from '../schema.ts';

/** What addresses need to know of the table of handoffs, which belongs to their capability. */
type WithHandoffs = { handoff: { id: string; conversation: string; address: string; ended_at: number | null } };

/** An address with another service URL. */
const moved = (address: string, serviceUrl: string): string => JSON.stringify({ ...JSON.parse(address), serviceUrl });

/**
 * Replaces the service URL in the addresses of a conversation's interactions and of its open handoff: a channel may
 * move a conversation, and messages then go where its last activity came from.
 */
export const moveAddresses = async (db: Kysely<Schema>, conversation: string, serviceUrl: string): Promise<void> => {
  const waiting = db
    .selectFrom('interaction')
    .select(['id', 'address'])
    .where('conversation', '=', conversation)
    .where('address', '<>', '');
  for (const { address, id } of await waiting.execute())
    await db
      .updateTable('interaction')
      .set({ address: moved(address, serviceUrl) })
      .where('id', '=', id)
      // A delivery clears it.
      .where('address', '=', address)
      .execute();
  const handoffs = db.withTables<WithHandoffs>();
  const open = handoffs
    .selectFrom('handoff')
    .select(['id', 'address'])
    .where('conversation', '=', conversation)
    .where('ended_at', 'is', null);
  for (const { address, id } of await open.execute())
    await handoffs
      .updateTable('handoff')
      .set({ address: moved(address, serviceUrl) })
      .where('id', '=', id)
      .execute();
};
