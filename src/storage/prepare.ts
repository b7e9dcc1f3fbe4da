// Statements that Kysely compiles once, for the ways that every turn takes.
import type { Compilable, Kysely, QueryResult } from 'kysely';

/** Runs the statement with these values, inside a transaction or outside. */
type Prepared<Schema, Values extends object, Row> = (db: Kysely<Schema>, values: Values) => Promise<QueryResult<Row>>;

/**
 * A statement with placeholders, compiled when it first runs. `build` is called once, with a placeholder for every
 * property that it reads; it may pass them to Kysely as values and do nothing else with them. Constant values are
 * written as they are.
 */
export const prepare = <Schema, Values extends object, Row>(
  db: Kysely<Schema>,
  build: (db: Kysely<Schema>, values: Values) => Compilable<Row>,
): Prepared<Schema, Values, Row> => {
  const places = new Proxy({}, { get: (_, name) => new Place(name) }) as Values;
  const compile = () => {
    const query = build(db, places).compile();
    return { query, fills: query.parameters.map((parameter) => (parameter instanceof Place ? parameter.name : undefined)) };
  };
  let compiled: ReturnType<typeof compile> | undefined;
  return (executor, values) => {
    compiled ??= compile();
    const { query, fills } = compiled;
    const given = values as Record<PropertyKey, unknown>;
    const parameters = query.parameters.map((parameter, index) => {
      const name = fills[index];
      return name === undefined ? parameter : given[name];
    });
    return executor.executeQuery<Row>({ ...query, parameters });
  };
};

/** A placeholder for a value. */
class Place {
  readonly name: PropertyKey;
  constructor(name: PropertyKey) {
    this.name = name;
  }
}
