// The console's roles, sessions and sign-ins, and the log of who viewed what.
import type { Kysely } from 'kysely';
import { makeSignIns } from '../../sign-in/login-store.ts';
import { type HeldSession as Held, makeSessionStore, type Session, type SessionStore } from '../../sign-in/session-store.ts';
import { type SignInSchema, signInRetention } from '../../sign-in/tables.ts';
import type { Storage } from '../core/store/index.ts';

/** Permissions at the console: viewing only, or also acting. */
export const roles = ['viewer', 'operator'] as const;
export type Role = (typeof roles)[number];

export type ConsoleStore = SessionStore<Role>;
export type ConsoleSession = Session<Role>;
export type ConsoleSessionHeld = Held<Role>;

/** The prefix of the console's tables. */
const prefix = 'console';

const roleOf = (stored: string): Role => (stored === 'operator' ? 'operator' : 'viewer');

/** The console's sessions and access log, its sign-ins under way, and what is removed of them past its time. */
export const openConsoleStore = ({ database }: Pick<Storage, 'database'>) => {
  const db = database.db as unknown as Kysely<SignInSchema>;
  return {
    sessions: makeSessionStore(db, prefix, roleOf) satisfies ConsoleStore,
    signIns: makeSignIns(db, prefix),
    /** @param days - how long the access log is kept: a year, and some time for questions about it */
    retention: (days = 400) => signInRetention(prefix, days),
  };
};
