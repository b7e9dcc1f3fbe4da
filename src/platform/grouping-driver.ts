// Groups concurrent writes to an embedded database into one commit, so that they wait for the disk once (decision
// 0064).
import { type CompiledQuery, type DatabaseConnection, type Driver, type QueryResult, SelectQueryNode, type SqliteDatabase } from 'kysely';

/** The database, with the state that the driver needs to know. */
export interface EmbeddedConnection extends SqliteDatabase {
  /**
   * Whether a transaction is open. SQLite ends one on its own where it cannot go on (sqlite.org/lang_transaction.html,
   * section 2.4).
   */
  readonly isTransaction: boolean;
}

/** Statements that cannot be part of a transaction. */
const standsAlone = /^\s*(?:pragma|vacuum)\b/i;

/** The waiters for one commit. */
interface Group {
  readonly settled: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (fault: unknown) => void;
}

/** SQLite has rolled back the transaction that a statement belonged to. */
class TransactionLost extends Error {
  override readonly name = 'TransactionLost';
  readonly code = 'transaction_lost';
}

/**
 * One connection with many users: transactions and single statements run one after the other, each alone. Their writes
 * go into one SQLite transaction, which is committed when the event loop comes round; transactions that join it have a
 * savepoint each. No write is acknowledged before that commit is on disk, and no read sees it earlier: a read among
 * uncommitted writes waits with them. A part that fails is rolled back alone; a commit that fails, fails for all of its
 * parts.
 */
export class GroupingDriver implements Driver {
  readonly #database: EmbeddedConnection;
  readonly #wait: (commit: () => void) => void;
  readonly #queue: (() => void)[] = [];
  /** To be used again: Kysely remembers each that it has seen. */
  readonly #released: Connection[] = [];
  #busy = false;
  #group: Group | undefined;
  #due = false;

  /** `wait` calls back when it is time to commit. */
  constructor(database: EmbeddedConnection, wait: (commit: () => void) => void = setImmediate) {
    this.#database = database;
    this.#wait = wait;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<Connection> {
    return this.#released.pop() ?? new Connection(this);
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    this.#released.push(connection as Connection);
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await this.#enter();
    try {
      const part = connection as Connection;
      part.first = !this.#group;
      const group = this.#join();
      if (!part.first) this.#command('savepoint part');
      part.group = group;
    } catch (fault) {
      this.#leave();
      throw fault;
    }
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    const part = connection as Connection;
    const group = this.#groupOf(part);
    if (!part.first) this.#command('release part');
    part.group = undefined;
    this.#leave();
    await group.settled;
  }

  /** Rolls a part back. A part whose commit failed has left already, and is rolled back. */
  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    const part = connection as Connection;
    const { group, first } = part;
    if (!group) return;
    part.group = undefined;
    try {
      if (group !== this.#group) return;
      if (first) {
        // Nobody else is in the group yet, and whoever comes next begins another.
        this.#group = undefined;
        this.#due = false;
        this.#command('rollback');
        return;
      }
      this.#command('rollback to part');
      this.#command('release part');
    } finally {
      this.#leave();
    }
  }

  async destroy(): Promise<void> {
    await this.#enter();
    if (this.#group) this.#commit(this.#group);
    this.#database.close();
    this.#leave();
  }

  /** Runs a statement: within the connection's transaction, else alone. */
  async execute<Row>(connection: Connection, query: CompiledQuery): Promise<QueryResult<Row>> {
    if (connection.group) {
      this.#groupOf(connection);
      return this.#run(query);
    }
    await this.#enter();
    let group: Group | undefined;
    let result: QueryResult<Row>;
    try {
      if (standsAlone.test(query.sql)) {
        if (this.#group) this.#commit(this.#group);
        return this.#run(query);
      }
      group = SelectQueryNode.is(query.query) ? this.#group : this.#join();
      result = this.#run(query);
    } finally {
      this.#leave();
    }
    await group?.settled;
    return result;
  }

  #groupOf({ group }: Connection): Group {
    if (!group || group !== this.#group) throw new TransactionLost('the transaction was undone');
    return group;
  }

  #join(): Group {
    if (this.#group) return this.#group;
    this.#command('begin');
    const { promise: settled, resolve, reject } = Promise.withResolvers<void>();
    // The waiters learn of it. When all of its parts were rolled back, there are none.
    settled.catch(() => {});
    const group: Group = { settled, resolve, reject };
    this.#group = group;
    this.#wait(() => {
      if (this.#group !== group) return;
      if (this.#busy) this.#due = true;
      else this.#commit(group);
    });
    return group;
  }

  #commit(group: Group): void {
    this.#group = undefined;
    this.#due = false;
    try {
      this.#command('commit');
      group.resolve();
    } catch (fault) {
      this.#undo();
      group.reject(fault);
    }
  }

  /** A transaction that cannot be committed stays open until it is rolled back. */
  #undo(): void {
    if (this.#database.isTransaction) this.#command('rollback');
  }

  #run<Row>({ sql, parameters }: Pick<CompiledQuery, 'parameters' | 'sql'>): QueryResult<Row> {
    try {
      const statement = this.#database.prepare(sql);
      if (statement.reader) return { rows: statement.all(parameters) as Row[] };
      const { changes, lastInsertRowid } = statement.run(parameters);
      return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
    } catch (fault) {
      const group = this.#group;
      // SQLite rolled it back, with everything that the others had written.
      if (group && !this.#database.isTransaction) {
        this.#group = undefined;
        this.#due = false;
        group.reject(fault);
      }
      throw fault;
    }
  }

  #command(sql: string): void {
    this.#run({ sql, parameters: [] });
  }

  /** Waits for the database to be free, in order of arrival. */
  #enter(): Promise<void> | undefined {
    if (this.#busy) return new Promise((resolve) => this.#queue.push(resolve));
    this.#busy = true;
    return undefined;
  }

  #leave(): void {
    if (this.#due && this.#group) this.#commit(this.#group);
    const next = this.#queue.shift();
    if (next) next();
    else this.#busy = false;
  }
}

/** One of Kysely's connections. */
class Connection implements DatabaseConnection {
  readonly #driver: GroupingDriver;
  /** The group that its transaction is part of, while it has one. */
  group: Group | undefined;
  /** Whether its transaction began the group: then it needs no savepoint, since undoing it undoes the group. */
  first = false;

  constructor(driver: GroupingDriver) {
    this.#driver = driver;
  }

  executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.#driver.execute(this, query);
  }

  /** All at once: the rows are in memory already. */
  async *streamQuery<Row>(query: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    yield await this.#driver.execute(this, query);
  }
}
