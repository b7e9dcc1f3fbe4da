// The service's durable state: one database, opened and brought up to date, and the repositories over it.
import { join } from 'node:path';
import type { Migrations } from '../../platform/database.ts';
import type { Log } from '../../platform/log.ts';
import { openDatabase } from '../../platform/open-database.ts';
import { makeAnnounce, type Subscribers } from './announcements.ts';
import { type Changes, makeChanges } from './changes.ts';
import { type Checkouts, makeCheckouts } from './checkouts.ts';
import { type Deliveries, makeDeliveries } from './deliveries.ts';
import { first } from './migrations/0001-first.ts';
import { passkeys } from './migrations/0002-passkeys.ts';
import { documentsAndPayments } from './migrations/0003-documents-and-payments.ts';
import { delivery } from './migrations/0004-delivery.ts';
import { makeNotes, type Notes } from './notes.ts';
import { makeOutboxStore, type OutboxStore } from './outbox.ts';
import { makePasscodes, type Passcodes } from './passcodes.ts';
import { makePasskeys, type Passkeys } from './passkeys.ts';
import { makePhoneProofs, type PhoneProofs } from './phone-proofs.ts';
import { makeRequests, type Requests } from './requests.ts';
import { makeSandboxStore, type SandboxStore } from './sandbox.ts';
import type { Schema } from './schema.ts';
import { makeSignedDocuments, type SignedDocuments } from './signed-documents.ts';
import { type Effect, undoable } from './undoable.ts';
import { makeWebhooks, type Webhooks } from './webhooks.ts';

export interface Storage {
  /** Reading requests and their events, and accepting new ones. */
  readonly requests: Requests;
  /** Everything that may happen to a pending request, each as one atomic step. */
  readonly changes: Changes;
  readonly deliveries: Deliveries;
  readonly notes: Notes;
  readonly webhooks: Webhooks;
  readonly outbox: OutboxStore;
  readonly passcodes: Passcodes;
  readonly passkeys: Passkeys;
  readonly phoneProofs: PhoneProofs;
  readonly checkouts: Checkouts;
  readonly sandbox: SandboxStore;
  readonly signedDocuments: SignedDocuments;
  /** Stores what belongs together, apart from any request's ending. `false`: a part refused, and nothing was stored. */
  apply(effect: Effect): Promise<boolean>;
  /** Resolves when the database answers. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

const migrations: Migrations = () => ({
  '0001-first': first,
  '0002-passkeys': passkeys,
  '0003-documents-and-payments': documentsAndPayments,
  '0004-delivery': delivery,
});

/**
 * Opens `service.db` under `dataDir`. What happens to requests is stored for the endpoints among `subscribers` as well.
 * @throws {SettingsError} when it cannot be used.
 */
export const openStorage = async (
  dataDir: string,
  newId: (now: number) => string,
  log: Log,
  subscribers: Subscribers = () => [],
): Promise<Storage> => {
  const announce = makeAnnounce(subscribers, newId);
  const { db, close } = await openDatabase<Schema>({ file: join(dataDir, 'service.db'), log }, migrations);
  return {
    requests: makeRequests(db, announce),
    changes: makeChanges(db, newId, announce),
    deliveries: makeDeliveries(db),
    notes: makeNotes(db, announce),
    webhooks: makeWebhooks(db),
    outbox: makeOutboxStore(db),
    passcodes: makePasscodes(db),
    passkeys: makePasskeys(db),
    phoneProofs: makePhoneProofs(db),
    checkouts: makeCheckouts(db),
    sandbox: makeSandboxStore(db),
    signedDocuments: makeSignedDocuments(db),
    apply: (effect) => undoable(db, effect),
    ping: async () => {
      await db.selectFrom('requests').select('id').limit(1).execute();
    },
    close,
  };
};
