// Statements that Kysely builds and compiles once, for the ways that every request takes.
import type { Compilable, CompiledQuery, Kysely, QueryResult } from 'kysely';

/** Runs the statement with these values, inside a transaction or outside. */
export type Statement<Schema, Values extends object, Row> = (db: Kysely<Schema>, values: Values) => Promise<QueryResult<Row>>;

/**
 * A statement with placeholders, compiled when it first runs: once for each kind of database, and for each set of
 * properties that it is given. `build` is given a placeholder in the place of every value; it may pass them to Kysely as
 * values and do nothing else with them. Constant values are written as they are.
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
    // What Kysely's own executeQuery does, without a look at plugins, which no database here has.
    return executor.provideConnection((connection) => connection.executeQuery<Row>({ ...query, parameters }));
  };
};

interface Compiled {
  readonly names: readonly string[];
  readonly query: CompiledQuery;
  /** Which of the values a parameter is, by its place; `undefined` for a constant. */
  readonly fills: readonly (number | undefined)[];
}

/** Objects written at one place of the program have the very same names: comparing them costs less than any key. */
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
