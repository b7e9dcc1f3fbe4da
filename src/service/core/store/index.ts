// The service's persistent state: opens and migrates its one database, and makes the repositories on it.

import { join } from 'node:path';
import type { Transaction } from 'kysely';
import { type Bus, makeBus } from '../../../platform/database/bus.ts';
import type { Database, Migrations } from '../../../platform/database/database.ts';
import { openDatabase } from '../../../platform/database/open-database.ts';
import { makePostgresBus } from '../../../platform/database/postgres-bus.ts';
import type { Log } from '../../../platform/log.ts';
import { newUlid } from '../../../platform/secrets/new-id.ts';
import { systemClock } from '../../../platform/time/clock.ts';
import type { Act } from '../audit/actions.ts';
import { makeTrail } from '../audit/trail.ts';
import { makeQuotas, type StoredQuota } from '../limits/stored-quotas.ts';
import type { Seal } from '../secrets/seal.ts';
import { makeChanges } from './changes.ts';
import { makeErasure, type OwnRows } from './erasure.ts';
import { type Held, makeLease } from './lease.ts';
import { first } from './migrations/0001-first.ts';
import { passkeys } from './migrations/0002-passkeys.ts';
import { documentsAndPayments } from './migrations/0003-documents-and-payments.ts';
import { delivery } from './migrations/0004-delivery.ts';
import { audit } from './migrations/0006-audit.ts';
import { sealResults } from './migrations/0010-sealed-results.ts';
import { sealDetails } from './migrations/0013-sealed-details.ts';
import { hashNetworks, hashQuotas } from './migrations/0014-quota-digests.ts';
import { consoleTables, sessionAddress, signIn, standing } from './migrations/console.ts';
import { formerLinks, retention } from './migrations/requests.ts';
import { type Announce, makeNotes } from './notes.ts';
import { makeRequests } from './requests.ts';
import { makeRetention } from './retention.ts';
import type { Schema } from './schema.ts';
import { makeSealCheck } from './seal-check.ts';
import { makeSealedColumns, type SealedColumns } from './sealed-columns.ts';
import { keepClock } from './shared-clock.ts';
import { type Effect, undoable } from './undoable.ts';

export type Storage = Awaited<ReturnType<typeof openStorage>>;

/** By name, in order. Missing numbers were never used: databases know migrations by name, so gaps stay. */
const migrationsWith =
  ({ details, results }: SealedColumns, seal: Seal): Migrations =>
  () => ({
    '0001-first': first,
    '0002-passkeys': passkeys,
    '0003-documents-and-payments': documentsAndPayments,
    '0004-delivery': delivery,
    '0006-audit': audit,
    '0007-console': consoleTables,
    '0008-sign-in': signIn,
    '0009-retention': retention,
    '0010-sealed-results': sealResults(results),
    '0011-session-address': sessionAddress,
    '0012-standing': standing,
    '0013-sealed-details': sealDetails(details),
    '0014-quota-digests': hashQuotas(seal),
    '0015-former-links': formerLinks,
    '0017-network-digests': hashNetworks(seal),
  });

/** The service's schema: the bot may have its tables in the same Postgres database. */
const schema = 'countersign_service';

/** Opens the database at `url`, or else `service.db` in `dataDir`. @throws {SettingsError} if it cannot be used. */
export const openStorage = async (options: {
  /** The folder of the embedded database. */
  readonly dataDir: string;
  /** A Postgres address, used instead of the folder. Its setting is SERVICE_DATABASE_URL. */
  readonly url: string | undefined;
  readonly newId: (now: number) => string;
  /** Protects customers' data from readers of the database, and seals the ends of audit trails. */
  readonly seal: Seal;
  readonly log: Log;
  /** What the other parts of the service store about customers. Unset: nothing. */
  readonly parts?: readonly OwnRows[] | undefined;
  /** Called in the transaction of everything that happens to a request. Unset: nobody is interested. */
  readonly announce?: Announce | undefined;
  /** Whether to refuse a database written with another pepper, before changing anything in it. */
  readonly sameSeal?: boolean;
}) => {
  const { dataDir, url, newId, seal, log, parts = [], announce = async () => {}, sameSeal = false } = options;
  const sealed = makeSealedColumns(seal);
  const { details, results } = sealed;
  const before = sameSeal
    ? makeSealCheck(seal, url === undefined ? { setting: 'DATA_DIR' } : { setting: 'SERVICE_PEPPER', schema })
    : undefined;
  const place = { file: join(dataDir, 'service.db'), url, setting: 'SERVICE_DATABASE_URL', schema, before, log } as const;
  const database = await openDatabase<Schema>(place, migrationsWith(sealed, seal));
  const { db } = database;
  const { bus, clock, leave } = await joining(database, log).catch(async (fault: unknown) => {
    await database.close();
    throw fault;
  });
  const quotas = makeQuotas(db);
  const trail = makeTrail(database, seal.endOfTrail, results);
  const hold = makeLease(database.kind);
  return {
    /** The database itself, for the stores of the other parts. */
    database,
    /** Whether other processes may use the same database. */
    shared: database.kind === 'postgres',
    /** Messages to and from every process on this database. */
    bus,
    /** The time, the same for every process on this database. */
    clock,
    /** Reads requests and their events, and accepts new requests. */
    requests: makeRequests(database, trail, announce, sealed),
    /** All changes of pending requests, each an atomic step. */
    changes: makeChanges(database, trail, newId, announce, results),
    notes: makeNotes(db, announce),
    erasure: makeErasure(database, trail, details, parts),
    retention: makeRetention(database, trail, parts),
    /** Takes several points of a quota at once, or none if fewer are left. */
    takeShare: (quota: StoredQuota, share: number, at: number) => quotas.takeShare(db, quota, share, at),
    trail,
    /**
     * Stores an effect on a request that does not end it, together with its audit trail entry. `false`: the effect
     * refused, and nothing was stored.
     */
    apply: (
      requestId: string,
      { facts, ...act }: Act,
      effect: (transaction: Transaction<Schema>, request: Held) => ReturnType<Effect>,
      at: number,
    ): Promise<boolean> =>
      undoable(db, async (transaction) => {
        const request = await hold(transaction, requestId);
        const done = request && (await effect(transaction, request));
        if (!request || !done) return false;
        await trail.append(transaction, requestId, request, [{ ...act, facts: { ...facts, ...(done !== true && done) } }], at);
        return true;
      }),
    /** Resolves when the database answers. */
    ping: async (): Promise<void> => {
      await db.selectFrom('requests').select('id').limit(1).execute();
    },
    close: async (): Promise<void> => {
      await leave();
      await database.close();
    },
  };
};

/** Connects this process to the others on its database, if there are any. */
const joining = async (database: Database<Schema>, log: Log) => {
  const kept = database.kind === 'postgres' ? await keepClock(database, log) : undefined;
  const bus: Bus = database.kind === 'postgres' ? makePostgresBus(database, newUlid(), schema, log) : makeBus();
  const leave = async () => void (await Promise.all([kept?.stop(), bus.close()]));
  return { bus, clock: kept?.clock ?? systemClock, leave };
};
