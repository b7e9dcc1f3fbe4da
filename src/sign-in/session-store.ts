// Who is signed in at our pages, and the log of who looked at what there. Two rooms have such pages, each with separate
// tables and roles.
import { type Kysely, sql } from 'kysely';
import { type SignInSchema, tablesOf } from './tables.ts';

/** A person who is signed in, for a limited time. */
export interface Session<Role extends string = string> {
  /** The person's name in the access log. */
  readonly person: string;
  /** The person's name in audit trails, which identifies them. */
  readonly subject: string;
  /** Their e-mail address, if it is verified, where sessions have one. */
  readonly email?: string | undefined;
  readonly role: Role;
  /** An IANA time zone, from the browser. */
  readonly timeZone: string;
  readonly expiresAt: number;
  /** How the provider used for the sign-in identifies it, sealed. */
  readonly sealed?: string | undefined;
}

/** What an OpenID provider last said about a person who signed in there. */
export interface RoleCheck {
  /** The tokens for asking it again, sealed. */
  readonly tokens: string;
  /** When it last confirmed the role. */
  readonly confirmedAt: number;
  /** When it is to be asked again. */
  readonly dueAt: number;
  /** Whether it failed to answer when last asked. */
  readonly silent: boolean;
}

/** A session that a browser holds. */
export interface HeldSession<Role extends string = string> extends Session<Role> {
  /** Identifies the session, but signs nobody in. */
  readonly id: string;
  /** Left out: only the service vouches for the session, no provider. */
  readonly roleCheck?: RoleCheck | undefined;
}

/** A session that begins. `idleMs`: how long it may go without a visit; if left out, until it expires. */
export interface NewSession<Role extends string = string> extends Session<Role> {
  readonly roleCheck?: Pick<RoleCheck, 'dueAt' | 'tokens'> | undefined;
  readonly idleMs?: number | undefined;
  /** The address of the sign-in. */
  readonly address: string;
}

/** One look at customers' data, or one action. */
export interface AccessEntry<Role extends string = string> {
  readonly id: string;
  readonly person: string;
  /** `none`: a person who was turned away. */
  readonly role: Role | 'none';
  readonly action: string;
  /** The subject: a request, a customer, a filter; may be empty. */
  readonly subject: string;
  /** The client's address. */
  readonly address: string;
  readonly at: number;
}

export type SessionStore<Role extends string = string> = ReturnType<typeof makeSessionStore<Role>>;

/** The precision (ms) of idle times: a visit is recorded at most once in this time. */
const noticed = 60_000;

/**
 * @param prefix - of the table names
 * @param roleOf - converts a stored role; one that no longer exists counts as the lowest
 */
export const makeSessionStore = <Role extends string>(db: Kysely<SignInSchema>, prefix: string, roleOf: (stored: string) => Role) => {
  const { sessions, accesses } = tablesOf(prefix);
  /** Those that have neither expired nor been idle for too long. */
  const openAt = (at: number) =>
    db
      .selectFrom(sessions)
      .selectAll()
      .where('expires_at', '>', at)
      .where((eb) => eb.or([eb('idle_ms', 'is', null), sql<boolean>`seen_at + idle_ms > ${at}`]));
  return {
    /** Begins a session under the hash of its token. */
    begin: async (
      token_hash: string,
      { person, subject, role, timeZone: time_zone, email, expiresAt: expires_at, sealed, address, ...more }: NewSession<Role>,
      at: number,
    ): Promise<void> => {
      const { idleMs, roleCheck } = more;
      const row = {
        token_hash,
        person,
        subject,
        role,
        time_zone,
        created_at: at,
        expires_at,
        sealed: sealed ?? null,
        address,
        ...(email !== undefined && { email }),
        idle_ms: idleMs ?? null,
        seen_at: idleMs === undefined ? null : at,
        tokens: roleCheck?.tokens ?? null,
        told_at: roleCheck ? at : null,
        due_at: roleCheck?.dueAt ?? null,
        silent: 0,
      };
      await db.insertInto(sessions).values(row).execute();
    },
    /** The session, unless it has expired or was idle for too long. Counts as a visit, unless `visit` is false. */
    session: async (tokenHash: string, at: number, visit = true): Promise<HeldSession<Role> | undefined> => {
      const row = await openAt(at).where('token_hash', '=', tokenHash).executeTakeFirst();
      if (!row) return undefined;
      if (visit && row.seen_at !== null && row.seen_at + noticed <= at) {
        await db.updateTable(sessions).set({ seen_at: at }).where('token_hash', '=', tokenHash).execute();
      }
      const {
        person,
        subject,
        role,
        time_zone: timeZone,
        expires_at: expiresAt,
        sealed,
        tokens,
        told_at: confirmedAt,
        due_at: dueAt,
      } = row;
      const roleCheck = tokens !== null &&
        confirmedAt !== null &&
        dueAt !== null && { tokens, confirmedAt, dueAt, silent: row.silent === 1 };
      const own = { id: tokenHash, person, subject, role: roleOf(role), timeZone, expiresAt };
      return { ...own, ...(row.email && { email: row.email }), ...(sealed !== null && { sealed }), ...(roleCheck && { roleCheck }) };
    },
    /**
     * Postpones the next question to the provider. `false`: another process did so and is asking now, or the session has
     * ended.
     */
    claimRoleCheck: async (id: string, dueAt: number, until: number): Promise<boolean> => {
      const due = db.updateTable(sessions).set({ due_at: until }).where('token_hash', '=', id).where('due_at', '=', dueAt);
      return (await due.executeTakeFirst()).numUpdatedRows === 1n;
    },
    /** Stores the provider's latest answer. `false`: the session has ended. */
    storeRoleCheck: async (
      id: string,
      { role, tokens, confirmedAt: told_at, dueAt: due_at }: Omit<RoleCheck, 'silent'> & { readonly role: Role },
    ): Promise<boolean> => {
      const update = db.updateTable(sessions).set({ role, tokens, told_at, due_at, silent: 0 }).where('token_hash', '=', id);
      return (await update.executeTakeFirst()).numUpdatedRows === 1n;
    },
    /** Records that the provider did not answer, and when to ask again. */
    postponeRoleCheck: async (id: string, due_at: number): Promise<void> => {
      await db.updateTable(sessions).set({ due_at, silent: 1 }).where('token_hash', '=', id).execute();
    },
    end: async (tokenHash: string): Promise<void> => {
      await db.deleteFrom(sessions).where('token_hash', '=', tokenHash).execute();
    },
    /** Ends every session of a person, named as in audit trails. */
    endAll: async (subject: string): Promise<void> => {
      await db.deleteFrom(sessions).where('subject', '=', subject).execute();
    },
    /** The sessions that have not ended, newest first, as shown to others: an `id` signs nobody in. */
    open: async (at: number) => {
      const rows = await openAt(at).orderBy('created_at', 'desc').limit(200).execute();
      return rows.map(({ token_hash: id, person, subject, email, role, address, created_at: begunAt, seen_at }) => ({
        id,
        person,
        subject,
        ...(email && { email }),
        role: roleOf(role),
        address,
        begunAt,
        seenAt: seen_at ?? undefined,
      }));
    },
    record: async ({ at: created_at, ...access }: AccessEntry<Role>): Promise<void> => {
      await db
        .insertInto(accesses)
        .values({ ...access, created_at })
        .execute();
    },
    /** The newest accesses before one, newest first. */
    accesses: async (before: string | undefined, limit: number): Promise<AccessEntry<Role>[]> => {
      let newest = db.selectFrom(accesses).selectAll().orderBy('id', 'desc').limit(limit);
      if (before !== undefined) newest = newest.where('id', '<', before);
      return (await newest.execute()).map(({ created_at: at, role, ...row }) => ({
        ...row,
        role: role === 'none' ? ('none' as const) : roleOf(role),
        at,
      }));
    },
  };
};
