// Who is signed in at the desk, as rows, and the log of what they looked at.
import type { Database } from '../platform/database/database.ts';
import { makeSignIns, type SignIns } from '../platform/sign-in/login-store.ts';
import { makeSessionStore, type SessionStore } from '../platform/sign-in/session-store.ts';
import type { SignInSchema } from '../platform/sign-in/tables.ts';

/** Permissions at the desk: to work in chats, or also to see how everybody works. */
export type DeskRole = 'agent' | 'supervisor';

export interface DeskStore {
  readonly sessions: SessionStore<DeskRole>;
  readonly signIns: SignIns;
}

const prefix = 'desk';

export const makeDeskStore = ({ db }: Database<SignInSchema>): DeskStore => {
  const roleOf = (stored: string): DeskRole => (stored === 'supervisor' ? 'supervisor' : 'agent');
  return { sessions: makeSessionStore(db, { prefix, roleOf }), signIns: makeSignIns(db, prefix) };
};
