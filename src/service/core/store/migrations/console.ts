// The migrations of the console's tables.
import type { Migration } from 'kysely/migration';
import { addColumns, bigint, createIndex, createTable, integer, nullable, primaryKey, text, withDefault } from './tables.ts';

/** Sessions, the log of who viewed whose data, and the index for the charts. */
export const consoleTables: Migration = {
  up: async (db) => {
    await createTable(db, 'console_sessions', {
      token_hash: primaryKey,
      person: text,
      role: text,
      time_zone: text,
      created_at: bigint,
      expires_at: bigint,
    });
    await createIndex(db, 'console_sessions_over', 'console_sessions', ['expires_at']);

    await createTable(db, 'console_accesses', {
      id: primaryKey,
      person: text,
      role: text,
      action: text,
      subject: text,
      address: text,
      created_at: bigint,
    });

    // The index contains every counted column, so counting reads no request; pending requests are not in it.
    const counted = ['finished_at', 'account_id', 'app', 'state'];
    await createIndex(db, 'requests_finished', 'requests', counted, 'finished_at is not null');
  },
};

/** Signing in with an OpenID provider: sign-ins in progress, and what sessions store of the provider. */
export const signIn: Migration = {
  up: async (db) => {
    const signIns = { state_hash: primaryKey, browser_hash: text, sealed: text, created_at: bigint, expires_at: bigint };
    await createTable(db, 'console_sign_ins', signIns);
    await createIndex(db, 'console_sign_ins_over', 'console_sign_ins', ['expires_at']);
    // Existing sessions were started with a link.
    await addColumns(db, 'console_sessions', {
      subject: withDefault(text, 'sign-in link'),
      idle_ms: nullable(bigint),
      seen_at: nullable(bigint),
      sealed: nullable(text),
    });
  },
};

/** The address from which a user signed in. It is unknown for older sessions. */
export const sessionAddress: Migration = {
  up: (db) => addColumns(db, 'console_sessions', { address: withDefault(text, '') }),
};

/** What is needed to ask an OpenID provider whether a user still has their role, and when to ask again. */
export const standing: Migration = {
  up: async (db) => {
    const columns = { tokens: nullable(text), told_at: nullable(bigint), due_at: nullable(bigint), silent: withDefault(integer, 0) };
    await addColumns(db, 'console_sessions', columns);
    // Older sessions lack what is needed to ask the provider. Signing in again takes one click.
    await db.deleteFrom('console_sessions').where('idle_ms', 'is not', null).execute();
  },
};
