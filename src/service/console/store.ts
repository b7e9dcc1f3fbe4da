// The console's roles and sessions, and the log of who viewed what.
import type { Kysely } from 'kysely';
import { type HeldSession as Held, makeSessionStore, type Session, type SessionStore } from '../../platform/sign-in/session-store.ts';
import type { SignInSchema } from '../../platform/sign-in/tables.ts';
import type { Schema } from '../core/store/schema.ts';

/** Permissions at the console: viewing only, or also acting. */
export const roles = ['viewer', 'operator'] as const;
export type Role = (typeof roles)[number];

export type ConsoleStore = SessionStore<Role>;
export type ConsoleSession = Session<Role>;
export type ConsoleSessionHeld = Held<Role>;

/** The prefix of the console's tables. */
export const consolePrefix = 'console';

const roleOf = (stored: string): Role => (stored === 'operator' ? 'operator' : 'viewer');

export const makeConsoleStore = (db: Kysely<Schema>): ConsoleStore =>
  makeSessionStore(db as unknown as Kysely<SignInSchema>, { prefix: consolePrefix, roleOf });
