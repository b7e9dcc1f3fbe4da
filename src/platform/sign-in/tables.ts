// The tables of those who sign in: the same in each room that has such pages, under names of its own.

/** Somebody signed in, under the SHA-256 of what their browser holds. */
export interface SessionTable {
  token_hash: string;
  person: string;
  role: string;
  time_zone: string;
  created_at: number;
  expires_at: number;
  /** How audit trails name them. */
  subject: string;
  /** Where they signed in from. */
  address: string;
  /** How long it may go without a visit, and when the last one was; null where it may for as long as it lasts. */
  idle_ms: number | null;
  seen_at: number | null;
  /** What the provider that they signed in at knows them by, sealed. */
  sealed: string | null;
  /** What is needed to ask that provider again, sealed; when it last confirmed their role, and when to ask next. */
  tokens: string | null;
  told_at: number | null;
  due_at: number | null;
  /** 1 while it does not answer. */
  silent: number;
}

/** Somebody on their way here by an OpenID provider, under the SHA-256 of the state they come back with. */
export interface LoginTable {
  state_hash: string;
  browser_hash: string;
  sealed: string;
  created_at: number;
  expires_at: number;
}

/** Who looked at whose data, or did what. */
export interface AccessTable {
  id: string;
  person: string;
  role: string;
  action: string;
  subject: string;
  address: string;
  created_at: number;
}

/** The tables by what they hold. Their real names begin with a word of the room's own. */
export interface SignInSchema {
  sessions: SessionTable;
  sign_ins: LoginTable;
  accesses: AccessTable;
}

/** The real names: what Kysely is told, under the names that it has the types of. */
export const tablesOf = (prefix: string) => ({
  sessions: `${prefix}_sessions` as 'sessions',
  signIns: `${prefix}_sign_ins` as 'sign_ins',
  accesses: `${prefix}_accesses` as 'accesses',
});
