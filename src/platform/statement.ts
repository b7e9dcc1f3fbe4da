// Statements that Kysely builds and compiles once, for the paths that every request takes.
import type { Compilable, CompiledQuery, Kysely, QueryResult } from 'kysely';

/** Runs the statement with these values, inside a transaction or outside. */
export type Statement<Schema, Values extends object, Row> = (db: Kysely<Schema>, values: Values) => Promise<QueryResult<Row>>;

/**
 * A statement with placeholders, compiled when it first runs: once for each kind of database, and for each set of
 * properties. `build` receives a placeholder instead of each value, which it may only pass to Kysely as a value.
 * Constant values are written as they are.
 */
export const statement = <Schema, Values extends object, Row>(
  build: (db: Kysely<Schema>, values: Values) => Compilable<Row>,
): Statement<Schema, Values, Row> => {
  const compiled = new WeakMap<object, Compiled[]>();
  return (db, values) => {
    const executor = db.getExecutor();
    // The database's own, and that of all its transactions.
    const { adapter } = executor;
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
    // Does what Kysely's executeQuery does, but skips plugins, which no database here has.
    return executor.provideConnection((connection) => connection.executeQuery<Row>({ ...query, parameters }));
  };
};

interface Compiled {
  readonly names: readonly string[];
  readonly query: CompiledQuery;
  /** For each parameter, the index of its value; `undefined` for a constant. */
  readonly fills: readonly (number | undefined)[];
}

/** Objects written at one place of the program have identical names: comparing them costs less than any key. */
const areSame = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((name, index) => name === other[index]);

const placesFor = <Values extends object>(names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, new Place(name)])) as Values;

const compile = <Row>(built: Compilable<Row>, names: readonly string[]): Compiled => {
  const query = built.compile();
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
