// Who is signed in at pages of ours, and the log of who looked at what there. Two rooms have such pages, each with
// tables and roles of its own.
import { type Kysely, sql } from 'kysely';
import { encodeTime } from 'ulid';
import { type SignInSchema, tablesOf } from './tables.ts';

/** Somebody who is signed in, for a while. */
export interface Session<Role extends string = string> {
  /** How the access log names them. */
  readonly person: string;
  /** How audit trails name them. */
  readonly subject: string;
  readonly role: Role;
  /** An IANA time zone, the browser's own. */
  readonly timeZone: string;
  readonly expiresAt: number;
  /** What the provider that they signed in at knows them by, sealed. */
  readonly sealed?: string | undefined;
}

/** What an OpenID provider last said about somebody who signed in there. */
export interface Standing {
  /** What it can be asked with again, sealed. */
  readonly tokens: string;
  /** When it last told their role. */
  readonly toldAt: number;
  /** When it is to be asked again. */
  readonly dueAt: number;
  /** Whether it did not answer when it was last asked. */
  readonly silent: boolean;
}

/** A session that a browser holds. */
export interface HeldSession<Role extends string = string> extends Session<Role> {
  /** Names it; nobody is signed in by it. */
  readonly id: string;
  /** Left out: no provider vouches for it, only the service. */
  readonly standing?: Standing | undefined;
}

/** A session that begins. `idleMs`: how long it may go without a visit; left out, for as long as it lasts. */
export interface NewSession<Role extends string = string> extends Session<Role> {
  readonly standing?: Pick<Standing, 'dueAt' | 'tokens'> | undefined;
  readonly idleMs?: number | undefined;
  /** Where it was begun from. */
  readonly address: string;
}

/** A session as it is told to others. */
export interface OpenSession<Role extends string = string> extends Pick<NewSession<Role>, 'address' | 'person' | 'role' | 'subject'> {
  /** Names it; nobody is signed in by it. */
  readonly id: string;
  readonly begunAt: number;
  readonly seenAt: number | undefined;
}

/** One look at customers' data, or one thing done. */
export interface AccessEntry<Role extends string = string> {
  readonly id: string;
  readonly person: string;
  /** `none`: somebody who was turned away. */
  readonly role: Role | 'none';
  readonly action: string;
  /** What it was about: a request, a customer, a filter; may be empty. */
  readonly subject: string;
  /** Where it came from. */
  readonly address: string;
  readonly at: number;
}

export interface SessionStore<Role extends string = string> {
  /** Begins a session under the hash of its token. */
  begin(tokenHash: string, session: NewSession<Role>, at: number): Promise<void>;
  /** The session, unless it has expired or was idle for too long. Counts as a visit. */
  session(tokenHash: string, at: number): Promise<HeldSession<Role> | undefined>;
  /**
   * Postpones the next question to the provider. `false`: another process did, and asks it now, or the session is over.
   */
  claimStanding(id: string, dueAt: number, until: number): Promise<boolean>;
  /** Keeps what the provider has just told. `false`: the session is over. */
  tell(id: string, told: Omit<Standing, 'silent'> & { readonly role: Role }): Promise<boolean>;
  /** Keeps that the provider did not answer, and when it is to be asked again. */
  silence(id: string, dueAt: number): Promise<void>;
  end(tokenHash: string): Promise<void>;
  /** Ends every session of a person, by how audit trails name them. */
  endAll(subject: string): Promise<void>;
  /** The sessions that are not over, the newest first. */
  open(at: number): Promise<OpenSession<Role>[]>;
  /** Forgets the sessions that are over. */
  forget(at: number): Promise<void>;
  record(access: AccessEntry<Role>): Promise<void>;
  /** The newest accesses before one, newest first. */
  accesses(before: string | undefined, limit: number): Promise<AccessEntry<Role>[]>;
  /** Forgets accesses from before an instant, up to a limit. Answers how many. */
  forgetAccesses(before: number, limit: number): Promise<number>;
}

/** How precise (ms) idle times are: a visit is written down at most once in this time. */
const noticed = 60_000;

export interface SessionStoreOptions<Role extends string> {
  /** What the names of the tables begin with. */
  readonly prefix: string;
  /** A stored role; one that is not known any more counts as the least. */
  readonly roleOf: (stored: string) => Role;
}

export const makeSessionStore = <Role extends string>(
  db: Kysely<SignInSchema>,
  { prefix, roleOf }: SessionStoreOptions<Role>,
): SessionStore<Role> => {
  const { sessions, accesses } = tablesOf(prefix);
  return {
    begin: async (
      token_hash,
      { person, subject, role, timeZone: time_zone, expiresAt: expires_at, sealed = null, address, ...more },
      at,
    ) => {
      const { idleMs, standing } = more;
      const idle = idleMs === undefined ? { idle_ms: null, seen_at: null } : { idle_ms: idleMs, seen_at: at };
      const kept = standing
        ? { tokens: standing.tokens, told_at: at, due_at: standing.dueAt }
        : { tokens: null, told_at: null, due_at: null };
      const row = {
        token_hash,
        person,
        subject,
        role,
        time_zone,
        created_at: at,
        expires_at,
        sealed,
        address,
        ...idle,
        ...kept,
        silent: 0,
      };
      await db.insertInto(sessions).values(row).execute();
    },
    session: async (tokenHash, at) => {
      const found = db.selectFrom(sessions).selectAll().where('token_hash', '=', tokenHash).where('expires_at', '>', at);
      const row = await found.where((eb) => eb.or([eb('idle_ms', 'is', null), sql<boolean>`seen_at + idle_ms > ${at}`])).executeTakeFirst();
      if (!row) return undefined;
      if (row.seen_at !== null && row.seen_at + noticed <= at) {
        await db.updateTable(sessions).set({ seen_at: at }).where('token_hash', '=', tokenHash).execute();
      }
      const { person, subject, role, time_zone: timeZone, expires_at: expiresAt, sealed, tokens, told_at: toldAt, due_at: dueAt } = row;
      const standing = tokens !== null && toldAt !== null && dueAt !== null && { tokens, toldAt, dueAt, silent: row.silent === 1 };
      const own = { id: tokenHash, person, subject, role: roleOf(role), timeZone, expiresAt };
      return { ...own, ...(sealed !== null && { sealed }), ...(standing && { standing }) };
    },
    claimStanding: async (id, dueAt, until) => {
      const due = db.updateTable(sessions).set({ due_at: until }).where('token_hash', '=', id).where('due_at', '=', dueAt);
      return (await due.executeTakeFirst()).numUpdatedRows === 1n;
    },
    tell: async (id, { role, tokens, toldAt: told_at, dueAt: due_at }) => {
      const update = db.updateTable(sessions).set({ role, tokens, told_at, due_at, silent: 0 }).where('token_hash', '=', id);
      return (await update.executeTakeFirst()).numUpdatedRows === 1n;
    },
    silence: async (id, due_at) => {
      await db.updateTable(sessions).set({ due_at, silent: 1 }).where('token_hash', '=', id).execute();
    },
    end: async (tokenHash) => {
      await db.deleteFrom(sessions).where('token_hash', '=', tokenHash).execute();
    },
    endAll: async (subject) => {
      await db.deleteFrom(sessions).where('subject', '=', subject).execute();
    },
    open: async (at) => {
      const found = db.selectFrom(sessions).selectAll().where('expires_at', '>', at).orderBy('created_at', 'desc').limit(200);
      const rows = await found.where((eb) => eb.or([eb('idle_ms', 'is', null), sql<boolean>`seen_at + idle_ms > ${at}`])).execute();
      return rows.map(({ token_hash: id, person, subject, role, address, created_at: begunAt, seen_at }) => ({
        id,
        person,
        subject,
        role: roleOf(role),
        address,
        begunAt,
        seenAt: seen_at ?? undefined,
      }));
    },
    forget: async (at) => {
      const over = db.deleteFrom(sessions);
      await over.where((eb) => eb.or([eb('expires_at', '<=', at), sql<boolean>`seen_at + idle_ms <= ${at}`])).execute();
    },
    record: async ({ at: created_at, ...access }) => {
      await db
        .insertInto(accesses)
        .values({ ...access, created_at })
        .execute();
    },
    accesses: async (before, limit) => {
      let newest = db.selectFrom(accesses).selectAll().orderBy('id', 'desc').limit(limit);
      if (before !== undefined) newest = newest.where('id', '<', before);
      return (await newest.execute()).map(({ created_at: at, role, ...row }) => ({
        ...row,
        role: role === 'none' ? ('none' as const) : roleOf(role),
        at,
      }));
    },
    forgetAccesses: async (before, limit) => {
      // Identifiers begin with the time they were made at, so that the oldest stand at the beginning of the primary
      // key.
      const oldest = db
        .selectFrom(accesses)
        .select('id')
        .where('id', '<', encodeTime(Math.max(0, before)))
        .orderBy('id')
        .limit(limit);
      const { numDeletedRows } = await db.deleteFrom(accesses).where('id', 'in', oldest).executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
};
