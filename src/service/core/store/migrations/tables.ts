// How migrations write tables: by column, with its type and what applies to it. A released migration never changes, so
// these columns do not either.
import { type ColumnDefinitionBuilder, type CreateTableBuilder, type Kysely, sql } from 'kysely';

type Column = readonly [type: 'bigint' | 'integer' | 'text', build: (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder];

const required = (type: Column[0]): Column => [type, (column) => column.notNull()];
export const text = required('text');
export const integer = required('integer');
export const bigint = required('bigint');
export const nullable = ([type]: Column): Column => [type, (column) => column];
export const unique = ([type, build]: Column): Column => [type, (column) => build(column).unique()];
export const withDefault = ([type, build]: Column, value: number | string): Column => [type, (column) => build(column).defaultTo(value)];
export const primaryKey: Column = ['text', (column) => column.primaryKey()];
/** The request of a row, which is deleted with it. */
export const ofRequest = ([type, build]: Column): Column => [type, (column) => build(column).references('requests.id').onDelete('cascade')];

type Tables = Pick<Kysely<unknown>, 'schema'>;
type Columns = Readonly<Record<string, Column>>;

/** @param key - a primary key of several columns, with the name of its constraint */
export const createTable = async (db: Tables, table: string, columns: Columns, key?: readonly [name: string, columns: string[]]) => {
  let creating: CreateTableBuilder<string, string> = db.schema.createTable(table);
  for (const [name, column] of Object.entries(columns)) creating = creating.addColumn(name, ...column);
  await (key ? creating.addPrimaryKeyConstraint(...key) : creating).execute();
};

export const addColumns = async (db: Tables, table: string, columns: Columns) => {
  for (const [name, column] of Object.entries(columns))
    await db.schema
      .alterTable(table)
      .addColumn(name, ...column)
      .execute();
};

/** @param where - a condition, for an index of some rows only */
export const createIndex = async (db: Tables, name: string, table: string, columns: readonly string[], where?: string) => {
  const creating = db.schema
    .createIndex(name)
    .on(table)
    .columns(columns.map((column) => sql.ref(column)));
  await (where === undefined ? creating : creating.where(sql.raw<boolean>(where))).execute();
};
