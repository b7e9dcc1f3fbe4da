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
  const compiled = new WeakMap<object, Map<string, Compiled<Row>>>();
  return (db, values) => {
    // The database's own, and that of all its transactions.
    const { adapter } = db.getExecutor();
    const known = compiled.get(adapter) ?? new Map<string, Compiled<Row>>();
    const names = Object.keys(values);
    const shape = names.join();
    const { query, fills } = known.get(shape) ?? compile(build(db, placesFor<Values>(names)));
    known.set(shape, { query, fills });
    compiled.set(adapter, known);
    const given = values as Readonly<Record<string, unknown>>;
    const parameters = query.parameters.map((parameter, index) => {
      const name = fills[index];
      return name === undefined ? parameter : given[name];
    });
    return db.executeQuery<Row>({ ...query, parameters });
  };
};

interface Compiled<Row> {
  readonly query: CompiledQuery<Row>;
  /** The property whose value a parameter is; `undefined` for a constant. */
  readonly fills: readonly (string | undefined)[];
}

const placesFor = <Values extends object>(names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, new Place(name)])) as Values;

const compile = <Row>(built: Compilable<Row>): Compiled<Row> => {
  const query = built.compile();
  return { query, fills: query.parameters.map((parameter) => (parameter instanceof Place ? parameter.name : undefined)) };
};

/** A placeholder for a value. */
class Place {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}
