// Groups concurrent writes to an embedded database into one commit: they wait for the disk once (decision 0064).
import { CompiledQuery, type DatabaseConnection, type Driver, type QueryResult, SelectQueryNode, type SqliteDatabase } from 'kysely';

/** The database, and whether a transaction is open: SQLite may end one on its own (sqlite.org/lang_transaction.html). */
export type EmbeddedConnection = SqliteDatabase & { readonly isTransaction: boolean };

/** Settles when an open transaction is committed. */
type Group = PromiseWithResolvers<void>;

/** Statements that cannot be part of a transaction. */
const standsAlone = /^\s*(?:pragma|vacuum)\b/i;

/** SQLite has rolled back the transaction that a statement belonged to. */
class TransactionLost extends Error {
  override readonly name = 'TransactionLost';
  readonly code = 'transaction_lost';
}

/**
 * One connection that its users have one after the other. Their writes go into one SQLite transaction, which is
 * committed when the event loop comes round; transactions have a savepoint each in it. No write is acknowledged before
 * that commit is on disk, and no read sees it earlier: a read among uncommitted writes waits with them. A part that fails
 * is rolled back alone; a commit that fails, fails for all of its parts.
 */
export class GroupingDriver implements Driver {
  readonly #database: EmbeddedConnection;
  readonly #wait: (commit: () => void) => void;
  readonly #connection: DatabaseConnection = {
    executeQuery: async (query) => this.#execute(query),
    streamQuery: () => {
      throw new Error('An embedded database streams nothing: its rows are in memory already.');
    },
  };
  readonly #queue: (() => void)[] = [];
  readonly init = async () => {};
  #busy = false;
  #group: Group | undefined;
  /** Whether the group is to be committed as soon as nobody uses the connection. */
  #due = false;
  /** What the user of the connection waits for. */
  #joined: Group | undefined;
  /** Whether the user has a transaction. */
  #isPart = false;

  /** `wait` calls back when it is time to commit. */
  constructor(database: EmbeddedConnection, wait: (commit: () => void) => void = setImmediate) {
    this.#database = database;
    this.#wait = wait;
  }

  /** Waits for the connection to be free, in order of arrival. */
  async acquireConnection(): Promise<DatabaseConnection> {
    if (this.#busy) await new Promise<void>((resolve) => this.#queue.push(resolve));
    this.#busy = true;
    return this.#connection;
  }

  /** Lets the next user have the connection, and waits for the commit. */
  async releaseConnection(): Promise<void> {
    const joined = this.#joined;
    this.#joined = undefined;
    this.#isPart = false;
    if (this.#due) this.#commit();
    const next = this.#queue.shift();
    if (next) next();
    else this.#busy = false;
    await joined?.promise;
  }

  async beginTransaction(): Promise<void> {
    this.#joined = this.#join();
    this.#run('savepoint part');
    this.#isPart = true;
  }

  async commitTransaction(): Promise<void> {
    this.#execute(CompiledQuery.raw('release part'));
  }

  async rollbackTransaction(): Promise<void> {
    if (this.#joined === this.#group) {
      this.#run('rollback to part');
      this.#run('release part');
    }
    this.#joined = undefined;
  }

  async destroy(): Promise<void> {
    await this.acquireConnection();
    this.#commit();
    this.#database.close();
  }

  #execute<Row>({ sql, parameters, query }: CompiledQuery): QueryResult<Row> {
    if (this.#isPart) {
      if (this.#joined !== this.#group) throw new TransactionLost('the transaction was undone');
    } else if (standsAlone.test(sql)) this.#commit();
    else this.#joined = SelectQueryNode.is(query) ? this.#group : this.#join();
    try {
      return this.#run(sql, parameters);
    } catch (fault) {
      if (!this.#isPart) this.#joined = undefined;
      throw fault;
    }
  }

  #join(): Group {
    if (this.#group) return this.#group;
    this.#run('begin');
    const group = Promise.withResolvers<void>();
    // When all of its parts were rolled back, nobody waits for it.
    group.promise.catch(() => {});
    this.#group = group;
    this.#wait(() => {
      this.#due ||= this.#group === group;
      if (this.#due && !this.#busy) this.#commit();
    });
    return group;
  }

  #commit(): void {
    try {
      if (this.#group) this.#run('commit');
      this.#end((group) => group.resolve());
    } catch (fault) {
      // A transaction that cannot be committed stays open until it is rolled back.
      if (this.#database.isTransaction) this.#run('rollback');
      this.#end((group) => group.reject(fault));
    }
  }

  #end(settle: (group: Group) => void): void {
    if (this.#group) settle(this.#group);
    this.#group = undefined;
    this.#due = false;
  }

  #run<Row>(sql: string, parameters: readonly unknown[] = []): QueryResult<Row> {
    try {
      const statement = this.#database.prepare(sql);
      if (statement.reader) return { rows: statement.all(parameters) as Row[] };
      const { changes, lastInsertRowid } = statement.run(parameters);
      return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
    } catch (fault) {
      // SQLite may have rolled it back, with everything that the others had written.
      if (!this.#database.isTransaction) this.#end((group) => group.reject(fault));
      throw fault;
    }
  }
}
