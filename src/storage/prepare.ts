// Prepares the statements that every turn runs, with the types of their database.
import type { Compilable, Kysely } from 'kysely';
import { type Statement, statement } from '../platform/statement.ts';

/** A {@link statement} for this database. */
export const prepare = <Schema, Values extends object, Row>(
  _db: Kysely<Schema>,
  build: (db: Kysely<Schema>, values: Values) => Compilable<Row>,
): Statement<Schema, Values, Row> => statement(build);
