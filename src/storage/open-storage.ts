// The bot's durable state: one database, opened and brought up to date, and the repositories over it.
import { join } from 'node:path';
import { makeBus } from '../platform/database/bus.ts';
import type { Database } from '../platform/database/database.ts';
import { openDatabase } from '../platform/database/open-database.ts';
import { makePostgresBus } from '../platform/database/postgres-bus.ts';
import { purge, type Removed } from '../platform/database/retention.ts';
import { type Log, makeLog } from '../platform/log.ts';
import { newUlid } from '../platform/secrets/new-id.ts';
import { makeBotStateStore } from './chats/bot-state.ts';
import { makeChatRows } from './chats/chat-rows.ts';
import { makeChatStore } from './chats/chats.ts';
import { makeRunningTurns } from './chats/running-turns.ts';
import { makeTurnLeases } from './chats/turn-leases.ts';
import { coreTables } from './core-tables.ts';
import { makeErasure } from './erasure.ts';
import { makeInteractionStore } from './interactions/interactions.ts';
import { newest } from './migrations/index.ts';
import { migrationsOf, type OwnedTables } from './owned-tables.ts';
import { makeSoleReplica, proveAble } from './replica.ts';
import type { Schema } from './schema.ts';
import { joinReplicas, type LeaseTiming } from './shared-replica.ts';

/** Makes a store on tables that the core does not know. */
// biome-ignore lint/suspicious/noExplicitAny: its tables are its own.
export type StoreMaker<Store> = (database: Database<any>) => Store;

export type Storage = Awaited<ReturnType<typeof openStorage>>;

export interface StorageOptions {
  /** A Postgres address, used instead of the embedded database. */
  readonly url?: string | undefined;
  readonly log?: Log;
  /** How long a lease lasts, between several replicas. */
  readonly timing?: LeaseTiming;
  /** The tables of capabilities, in the order of their list. Unset: the core's alone. */
  readonly tables?: readonly OwnedTables[];
}

/**
 * Opens the database at `url`, else the embedded one under `dataDir`, else (`undefined`) one in memory.
 * @throws {SettingsError} when it cannot be used.
 */
export const openStorage = async (
  dataDir: string | undefined,
  { url, log = makeLog('silent'), timing, tables = [] }: StorageOptions = {},
) => {
  const file = dataDir === undefined ? ':memory:' : join(dataDir, 'bot.db');
  const owners = [coreTables, ...tables];
  const database = await openDatabase<Schema>({ file, url, log, newest }, migrationsOf(owners));
  const id = newUlid();
  const bus = database.kind === 'postgres' ? makePostgresBus(database, id, 'countersign_bot', log) : makeBus();
  const closeAll = async () => {
    await bus.close();
    await database.close();
  };
  const replica = await (database.kind === 'sqlite' ? makeSoleReplica(database, id) : joinReplicas(database, bus, id, log, timing)).catch(
    async (fault: unknown) => {
      await closeAll();
      throw fault;
    },
  );
  const rows = makeChatRows(database);
  const turns = makeRunningTurns(database, rows);
  const stores = new Map<unknown, unknown>();
  return {
    interactions: makeInteractionStore(database, replica, { bus, log, turns }),
    botState: makeBotStateStore(
      database,
      turns,
      owners.flatMap(({ addressed = [] }) => addressed),
    ),
    /** The conversations with a running turn, among several processes; `undefined` for a single process. */
    turnLeases: database.kind === 'postgres' ? makeTurnLeases(database) : undefined,
    chats: makeChatStore(database, rows, turns),
    /** A capability's own store on the same database; the same one at every call. */
    of: <Store>(make: StoreMaker<Store>): Store => {
      const store = (stores.get(make) ?? make(database)) as Store;
      stores.set(make, store);
      return store;
    },
    /**
     * Removes delivered interactions, chats with their files, and the bot's state of chats once they are `days` old, with
     * what capabilities store about them; short-lived rows after an hour or a day.
     */
    purge: (days: number, stop: AbortSignal): Promise<Removed> => {
      const rules = owners.flatMap(({ retention }) => retention?.(days, database.kind) ?? []);
      return purge(database, database.now, rules, stop);
    },
    /** Erases one customer. */
    erasure: makeErasure(database, owners),
    /** Signals to and from every process on this database. */
    bus,
    /** The time that every process on this database shares. */
    clock: replica.clock,
    /** Resolves when a write succeeds. Cached for a second: every check writes to the disk, and anybody can ask for one. */
    ping: once(1000, () => proveAble(database, id)),
    /** Whether this process may work on interactions, as far as it knows: its lease is not lost. */
    hasLease: replica.hasLease,
    /** Releases all claims, so that others can claim at once, and closes. */
    close: async (): Promise<void> => {
      await replica.leave();
      await closeAll();
    },
  };
};

/** The same answer for all callers within that many milliseconds. */
const once = (ms: number, ask: () => Promise<void>): (() => Promise<void>) => {
  let last: { readonly at: number; readonly answer: Promise<void> } | undefined;
  return () => {
    const at = performance.now();
    if (!last || at - last.at >= ms) last = { at, answer: ask() };
    return last.answer;
  };
};
