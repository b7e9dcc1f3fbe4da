// The versions of flows, and the conversations in them.
import { sql } from 'kysely';
import type { Database } from '../../platform/database/database.ts';
import { day } from '../../platform/database/retention.ts';
import type { Schema as CoreSchema, OwnedTables, StateItem } from '../../storage/index.ts';
import { flowVersions } from './migrations/0020-flow-versions.ts';

/** A version of a flow that conversations began with. */
export interface FlowVersionTable {
  version: string;
  flow: string;
  body: string;
  /** When a conversation last began with it, to the hour. */
  begun_at: number;
}

/** The core's states of chats, beside the versions. */
export interface FlowSchema extends Pick<CoreSchema, 'bot_state'> {
  flow_version: FlowVersionTable;
}

export const flowTables: OwnedTables = {
  migrations: () => ({ '0020-flow-versions': flowVersions }),
  // Conversations in a version of a flow finish in it.
  retention: (days) => [
    {
      table: 'flow_version',
      age: 'begun_at',
      after: days * day,
      only: `not exists (select 1 from bot_state where value like '%' || flow_version.version || '%')`,
      batch: 50,
    },
  ],
};

/** A version of a flow, as it is stored. */
export interface KeptVersion {
  readonly version: string;
  readonly flow: string;
  /** The texts of the flow and of those that it runs, as JSON. */
  readonly body: string;
}

export type FlowVersions = ReturnType<typeof makeFlowVersions>;

/** The start of a version is recorded at most once in this time (ms), since its age counts in days. */
const notedEvery = 3_600_000;

export const makeFlowVersions = ({ db, kind, now }: Pick<Database<FlowSchema>, 'db' | 'kind' | 'now'>) => ({
  /** Stores the version, unless it is stored already, and records that a conversation begins it now. */
  keep: async ({ version, flow, body }: KeptVersion): Promise<void> => {
    await db
      .insertInto('flow_version')
      .values({ version, flow, body, begun_at: now })
      .onConflict((conflict) =>
        conflict
          .column('version')
          .doUpdateSet({ begun_at: now })
          .where('flow_version.begun_at', '<', sql<number>`${now} - cast(${notedEvery} as bigint)`),
      )
      .execute();
  },

  read: async (version: string): Promise<KeptVersion | undefined> => {
    const row = await db.selectFrom('flow_version').select(['version', 'flow', 'body']).where('version', '=', version).executeTakeFirst();
    return row && { ...row };
  },

  /** All stored versions, the most recently begun first, with the time of that (epoch ms). */
  list: async (): Promise<(KeptVersion & { readonly begunAt: number })[]> => {
    const rows = await db.selectFrom('flow_version').selectAll().orderBy('begun_at', 'desc').execute();
    return rows.map(({ begun_at: begunAt, ...row }) => ({ ...row, begunAt: Number(begunAt) }));
  },

  /** The states that contain `named`, by key: those of conversations in a flow, or in one version of it. */
  statesIn: async (named: string): Promise<Readonly<Record<string, StateItem>>> => {
    const holds = kind === 'postgres' ? sql<boolean>`strpos(value, ${named}) > 0` : sql<boolean>`instr(value, ${named}) > 0`;
    const rows = await db.selectFrom('bot_state').select(['key', 'value', 'etag']).where(holds).execute();
    return Object.fromEntries(rows.map(({ key, value: json, etag }) => [key, { json, etag }]));
  },
});
