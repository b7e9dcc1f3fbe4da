// Statements that run with every turn, put together once: building the text of one costs more than running it.
import type { Compilable, Kysely, QueryResult } from 'kysely';

/** Runs the statement with these values, in a transaction or outside one. */
export type Prepared<Schema, Values extends object, Row> = (db: Kysely<Schema>, values: Values) => Promise<QueryResult<Row>>;

/**
 * A statement with places for values, compiled when it is first run. `build` is called once, with a place for whatever property it reads: it may
 * hand them on to Kysely as values and do nothing else with them. What has the same value every time is written as it is.
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

/** Stands for a value until there is one. */
class Place {
  readonly name: PropertyKey;
  constructor(name: PropertyKey) {
    this.name = name;
  }
}
