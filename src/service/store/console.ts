// Sessions of the console, and the log of who looked at what.
import type { Kysely } from 'kysely';
import type { Schema } from './schema.ts';

/** What somebody may do at the console: look, or also act. */
export const roles = ['viewer', 'operator'] as const;
export type Role = (typeof roles)[number];

/** Somebody who is signed in, for a while. */
export interface ConsoleSession {
  /** How the access log names them. */
  readonly person: string;
  readonly role: Role;
  /** An IANA time zone, the browser's own. */
  readonly timeZone: string;
  readonly expiresAt: number;
}

/** One look at customers' data, or one thing done. */
export interface Access {
  readonly id: string;
  readonly person: string;
  readonly role: Role;
  readonly action: string;
  /** What it was about: a request, a customer, a filter; may be empty. */
  readonly subject: string;
  /** Where it came from. */
  readonly address: string;
  readonly at: number;
}

export interface ConsoleStore {
  /** Begins a session under the hash of its token, and forgets those that are over. */
  begin(tokenHash: string, session: ConsoleSession, at: number): Promise<void>;
  session(tokenHash: string, at: number): Promise<ConsoleSession | undefined>;
  end(tokenHash: string): Promise<void>;
  record(access: Access): Promise<void>;
  /** The newest accesses before one, newest first. */
  accesses(before: string | undefined, limit: number): Promise<Access[]>;
}

const roleOf = (stored: string): Role => (stored === 'operator' ? 'operator' : 'viewer');

export const makeConsoleStore = (db: Kysely<Schema>): ConsoleStore => ({
  begin: async (token_hash, { person, role, timeZone: time_zone, expiresAt: expires_at }, at) => {
    await db.deleteFrom('console_sessions').where('expires_at', '<=', at).execute();
    await db.insertInto('console_sessions').values({ token_hash, person, role, time_zone, created_at: at, expires_at }).execute();
  },
  session: async (tokenHash, at) => {
    const found = db.selectFrom('console_sessions').selectAll().where('token_hash', '=', tokenHash).where('expires_at', '>', at);
    const row = await found.executeTakeFirst();
    return row && { person: row.person, role: roleOf(row.role), timeZone: row.time_zone, expiresAt: row.expires_at };
  },
  end: async (tokenHash) => {
    await db.deleteFrom('console_sessions').where('token_hash', '=', tokenHash).execute();
  },
  record: async ({ at: created_at, ...access }) => {
    await db
      .insertInto('console_accesses')
      .values({ ...access, created_at })
      .execute();
  },
  accesses: async (before, limit) => {
    let newest = db.selectFrom('console_accesses').selectAll().orderBy('id', 'desc').limit(limit);
    if (before !== undefined) newest = newest.where('id', '<', before);
    return (await newest.execute()).map(({ created_at: at, role, ...row }) => ({ ...row, role: roleOf(role), at }));
  },
});
