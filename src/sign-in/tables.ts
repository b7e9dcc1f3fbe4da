// The tables for sign-ins: the same in each room that has such pages, under separate names.
import type { Generated } from 'kysely';
import { day, type RetentionRule } from '../platform/database/retention.ts';

/** The tables by content. Their real names begin with a prefix of the room. */
export interface SignInSchema {
  /** A session, under the SHA-256 of the browser's secret. */
  sessions: {
    token_hash: string;
    person: string;
    role: string;
    time_zone: string;
    created_at: number;
    expires_at: number;
    /** The person's name in audit trails. */
    subject: string;
    /** The address of the sign-in. */
    address: string;
    /** How long it may go without a visit, and when the last one was; null: until it expires. */
    idle_ms: number | null;
    seen_at: number | null;
    /** The person's verified e-mail address. Only the desk's sessions have one. */
    email: Generated<string | null>;
    /** How the provider used for the sign-in identifies it, sealed. */
    sealed: string | null;
    /** What is needed to ask that provider again, sealed; when it last confirmed their role, and when to ask next. */
    tokens: string | null;
    told_at: number | null;
    due_at: number | null;
    /** 1 while the provider does not answer. */
    silent: number;
  };
  /** A sign-in under way at an OpenID provider, under the SHA-256 of the state with which the browser returns. */
  sign_ins: {
    state_hash: string;
    browser_hash: string;
    sealed: string;
    created_at: number;
    expires_at: number;
  };
  /** Who looked at whose data, or did what. */
  accesses: {
    id: string;
    person: string;
    role: string;
    action: string;
    subject: string;
    address: string;
    created_at: number;
  };
}

/** The real names, for Kysely, under the names that have types. */
export const tablesOf = (prefix: string) => ({
  sessions: `${prefix}_sessions` as 'sessions',
  signIns: `${prefix}_sign_ins` as 'sign_ins',
  accesses: `${prefix}_accesses` as 'accesses',
});

/** Sessions and sign-ins are removed once they are over, and the log of accesses after so many days. */
export const signInRetention = (prefix: string, days: number): readonly RetentionRule[] => {
  const { accesses, sessions, signIns } = tablesOf(prefix);
  return [
    { table: accesses, age: 'created_at', after: days * day },
    { table: sessions, age: 'expires_at', after: 0 },
    { table: sessions, age: 'seen_at + idle_ms', after: 0 },
    { table: signIns, age: 'expires_at', after: 0 },
  ];
};
