// Who is signed in at the desk, as rows, and the log of what they looked at.
import type { Database } from '../platform/database/database.ts';
import { makeSignIns } from '../sign-in/login-store.ts';
import { makeSessionStore } from '../sign-in/session-store.ts';
import { type SignInSchema, signInRetention } from '../sign-in/tables.ts';
import type { OwnedTables } from '../storage/index.ts';
import { people } from './migrations/0023-desk.ts';
import { agentsBySubject } from './migrations/0038-agents-by-subject.ts';

/** Permissions at the desk: to work in chats, or also to see how everybody works. */
export type DeskRole = 'agent' | 'supervisor';

const prefix = 'desk';

export const deskTables: OwnedTables = {
  migrations: (kind) => ({ '0023-desk': people(kind), '0038-agents-by-subject': agentsBySubject }),
  retention: (days) => signInRetention(prefix, days),
};

export const makeDeskStore = ({ db }: Database<SignInSchema>) => {
  const roleOf = (stored: string): DeskRole => (stored === 'supervisor' ? 'supervisor' : 'agent');
  return { sessions: makeSessionStore(db, prefix, roleOf), signIns: makeSignIns(db, prefix) };
};
