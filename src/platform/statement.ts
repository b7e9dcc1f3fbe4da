// Statements that Kysely builds and compiles once, for the paths that every request takes.
import type { Compilable, CompiledQuery, Kysely, QueryResult } from 'kysely';

/** A statement that was compiled once. */
export interface Statement<Schema, Values extends object, Row> {
  /** Runs it with these values, inside a transaction or outside. */
  (db: Kysely<Schema>, values: Values): Promise<QueryResult<Row>>;
  /** The statement with these values, for {@link runAll}. */
  with(values: Values): BoundStatement<Schema, Row>;
}

/** A statement with its values. */
export type BoundStatement<Schema, Row = unknown> = (db: Kysely<Schema>) => CompiledQuery<Row>;

/** Runs statements one after the other on one connection: less work than running each on its own. */
export const runAll = <Schema>(
  db: Kysely<Schema>,
  statements: readonly BoundStatement<Schema>[],
): Promise<readonly QueryResult<unknown>[]> =>
  db.getExecutor().provideConnection(async (connection) => {
    const results = [];
    for (const bound of statements) results.push(await connection.executeQuery(bound(db)));
    return results;
  });

/**
 * A statement with placeholders, compiled when it first runs: once for each kind of database, and for each set of
 * properties. `build` receives a placeholder instead of each value, which it may only pass to Kysely as a value.
 * Constant values are written as they are.
 */
export const statement = <Schema, Values extends object, Row>(
  build: (db: Kysely<Schema>, values: Values) => Compilable<Row>,
): Statement<Schema, Values, Row> => {
  const compiled = new WeakMap<object, Compiled[]>();
  const bind = (db: Kysely<Schema>, values: Values): CompiledQuery<Row> => {
    // The database's own, and that of all its transactions.
    const { adapter } = db.getExecutor();
    const known = compiled.get(adapter) ?? [];
    const names = Object.keys(values);
    let found = known.find((one) => areSame(one.names, names));
    if (!found) {
      found = compile(build(db, placesFor<Values>(names)), names);
      compiled.set(adapter, [...known, found]);
    }
    const given = Object.values(values);
    const { fills, query } = found;
    const parameters = fills.map((fill, index) => (fill === undefined ? query.parameters[index] : given[fill]));
    return { ...query, parameters };
  };
  // Does what Kysely's executeQuery does, but skips plugins, which no database here has.
  const run = (db: Kysely<Schema>, values: Values) =>
    db.getExecutor().provideConnection((connection) => connection.executeQuery<Row>(bind(db, values)));
  return Object.assign(run, { with: (values: Values) => (db: Kysely<Schema>) => bind(db, values) });
};

interface Compiled {
  readonly names: readonly string[];
  readonly query: CompiledQuery<never>;
  /** For each parameter, the index of its value; `undefined` for a constant. */
  readonly fills: readonly (number | undefined)[];
}

/** Objects written at one place of the program have identical names: comparing them costs less than any key. */
const areSame = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((name, index) => name === other[index]);

const placesFor = <Values extends object>(names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, new Place(name)])) as Values;

const compile = <Row>(built: Compilable<Row>, names: readonly string[]): Compiled => {
  const query = built.compile() as CompiledQuery<never>;
  return {
    names,
    query,
    fills: query.parameters.map((parameter) => (parameter instanceof Place ? names.indexOf(parameter.name) : undefined)),
  };
};

/** A placeholder for a value. */
class Place {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}
