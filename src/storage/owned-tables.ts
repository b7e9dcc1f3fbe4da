// Tables belong to the core or to a capability: with them, each says how they are made, when their rows are removed, and
// which are about a customer.
import type { RawBuilder } from 'kysely';
import type { DatabaseKind, Migrations } from '../platform/database/database.ts';
import type { CustomerRows } from '../platform/database/erasure.ts';
import type { RetentionRule } from '../platform/database/retention.ts';

/** Tables that belong together. */
export interface OwnedTables {
  /** They run in the order of their names among those of all owners, but an owner's may also follow later. */
  readonly migrations: Migrations;
  /** When rows are removed, after those of the owners before; chats are kept for `days`. Unset: they stay. */
  readonly retention?: (days: number, kind: DatabaseKind) => readonly RetentionRule[];
  /**
   * Tables with an `id`, the key of a chat (`conversation`) and its `address` as JSON, which changes when a channel moves
   * the chat: in the rows for which a condition (SQL) holds. Unset: none.
   */
  readonly addressed?: readonly { readonly table: string; readonly only: string }[];
  /** What is removed with chats, given the list of their keys in `bot_state`. Unset: nothing. */
  readonly erasure?: (keys: RawBuilder<unknown>) => readonly CustomerRows[];
}

/** The migrations of all owners. */
export const migrationsOf =
  (owners: readonly OwnedTables[]): Migrations =>
  (kind) =>
    Object.assign({}, ...owners.map(({ migrations }) => migrations(kind)));
