// Statements that are compiled once: building those of every turn and every send again and again would take a fifth of
// its CPU time (decision 0185).
import type { Compilable, CompiledQuery, Kysely, QueryResult } from 'kysely';

/**
 * A statement of this database, compiled when it first runs, and once more for each other set of properties. It runs
 * inside a transaction or outside. `build` receives a placeholder instead of each value, which it may only pass to
 * Kysely as a value. Constant values are written as they are.
 */
export const prepareStatement = <Schema, Values extends object, Row>(
  db: Kysely<Schema>,
  build: (db: Kysely<Schema>, values: Values) => Compilable<Row>,
): ((to: Kysely<Schema>, values: Values) => Promise<QueryResult<Row>>) => {
  const compiled = new Map<string, CompiledQuery<Row>>();
  return (to, values) => {
    const names = Object.keys(values);
    const shape = names.join();
    let query = compiled.get(shape);
    if (!query) {
      query = build(db, Object.fromEntries(names.map((name) => [name, new Placeholder(name)])) as Values).compile();
      compiled.set(shape, query);
    }
    const given = values as Readonly<Record<string, unknown>>;
    const parameters = query.parameters.map((parameter) => (parameter instanceof Placeholder ? given[parameter.name] : parameter));
    return to.executeQuery({ ...query, parameters });
  };
};

/** A placeholder for a value. */
class Placeholder {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}
