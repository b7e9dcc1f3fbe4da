// Handoffs of chats to people, as rows: each with the ordered events that inform its hub.
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import { claimRows, laterBy } from '../../platform/database/claim-rows.ts';
import type { Database } from '../../platform/database/database.ts';
import { prepareStatement } from '../../platform/database/prepared-statement.ts';
import type { Settlement } from '../../platform/retry-queue.ts';
import { newUlid } from '../../platform/secrets/new-id.ts';
import type { Agent, HandoffEnding, HandoffRecord, HubEventDraft } from '../record.ts';
import type { ClaimedHandoff } from './handoff-rows.ts';
import { asHubEvent, asRecord } from './handoff-rows.ts';
import { saidIn } from './handoff-said.ts';
import { hubEvents } from './hub-events.ts';
import { hubPolls } from './hub-polls.ts';
import type { HandoffSchema, HandoffTable } from './tables.ts';

export type HandoffStore = ReturnType<typeof makeHandoffStore>;

export const makeHandoffStore = (database: Database<HandoffSchema>) => {
  const { db, kind, now } = database;
  const later = laterBy(now);
  /** Adds an event, unless one of that key exists. The row lock of the handoff keeps the numbers in order. */
  const addEvent = async (
    transaction: Transaction<HandoffSchema>,
    handoffId: string,
    hub: string,
    { arrived, data, key, type }: HubEventDraft,
  ) => {
    const known = await transaction
      .selectFrom('handoff_letter')
      .select('id')
      .where('handoff_id', '=', handoffId)
      .where('key', '=', key)
      .executeTakeFirst();
    if (known) return;
    const { letters: number } = await transaction
      .updateTable('handoff')
      .set({ letters: sql<number>`letters + 1`, ...standingIn(data), ...saidIn(type, data) })
      .where('id', '=', handoffId)
      .returning('letters')
      .executeTakeFirstOrThrow();
    const event = { id: newUlid(), handoff_id: handoffId, hub, number, type, key, data: JSON.stringify(data), attempts: 0, given_up: null };
    await transaction
      .insertInto('handoff_letter')
      .values({ ...event, created_at: now, due_at: arrived ? null : now })
      .execute();
  };

  /** Run in every turn. */
  const open = prepareStatement(db, (from, { conversation }: { readonly conversation: string }) =>
    from.selectFrom('handoff').selectAll().where('conversation', '=', conversation).where('ended_at', 'is', null),
  );
  const openIn = async (from: Kysely<HandoffSchema>, conversation: string): Promise<Selectable<HandoffTable> | undefined> =>
    (await open(from, { conversation })).rows[0];

  return {
    ...hubPolls(database),
    ...hubEvents(database),

    /**
     * Records a handoff, with its first event if its hub takes events. If the chat has one that has not ended, returns
     * that one, and `added` is false. It times out after `dueIn` milliseconds if nobody joins; unset: it never does.
     */
    add: (draft: Omit<HandoffRecord, 'createdAt' | 'events' | 'state'> & { readonly dueIn?: number | undefined }, event?: HubEventDraft) =>
      db.transaction().execute(async (transaction) => {
        const { app, dueIn } = draft;
        const { numInsertedOrUpdatedRows } = await transaction
          .insertInto('handoff')
          .values({
            ...{ id: draft.id, conversation: draft.conversation, address: draft.address, hub: draft.hub, state: 'requested' },
            ...{ reason: draft.reason, app: app ?? null, language: draft.language, agent: null, created_at: now },
            ...{ due_at: dueIn === undefined ? null : later(dueIn), accepted_at: null, ended_at: null },
            ...{ ending: null, wrap_up: null, letters: 0 },
          })
          .onConflict((conflict) => conflict.column('conversation').where('ended_at', 'is', null).doNothing())
          .executeTakeFirstOrThrow();
        const added = numInsertedOrUpdatedRows === 1n;
        if (added && event) await addEvent(transaction, draft.id, draft.hub, event);
        const row = await openIn(transaction, draft.conversation);
        return { record: asRecord(row as Selectable<HandoffTable>), added };
      }),

    get: async (id: string) => {
      const row = await db.selectFrom('handoff').selectAll().where('id', '=', id).executeTakeFirst();
      return row && asRecord(row);
    },

    /** The handoff of a chat that has not ended. */
    openIn: async (conversation: string) => {
      const row = await openIn(db, conversation);
      return row && asRecord(row);
    },

    /** A hub's handoffs that have not ended, oldest first. */
    list: async (hub: string, limit: number) => {
      const open = db.selectFrom('handoff').selectAll().where('hub', '=', hub).where('ended_at', 'is', null);
      return (await open.orderBy('created_at').orderBy('id').limit(limit).execute()).map(asRecord);
    },

    /** A hub's handoffs that began after an instant (by the database's clock), ended or not, newest first. */
    since: async (hub: string, after: number, limit: number) => {
      const all = db.selectFrom('handoff').selectAll().where('hub', '=', hub).where('created_at', '>', after);
      return (await all.orderBy('created_at', 'desc').limit(limit).execute()).map(asRecord);
    },

    /** Counts the outcomes of apps that a hub was told of after an instant. */
    outcomes: async (hub: string, after: number) => {
      const told = db.selectFrom('handoff_letter').select('data').where('hub', '=', hub).where('type', '=', 'outcome');
      const counts = new Map<string, { readonly app: string; readonly status: string; count: number }>();
      for (const { data } of await told.where('created_at', '>', after).execute()) {
        const { app, status } = JSON.parse(data).outcome as { app: string; status: string };
        const counted = counts.get(`${app} ${status}`) ?? { app, status, count: 0 };
        counted.count += 1;
        counts.set(`${app} ${status}`, counted);
      }
      return [...counts.values()];
    },

    /**
     * By the ids of a hub's handoffs, from events after an instant: when an agent first wrote, and whether the customer
     * was verified at any time.
     */
    figures: async (hub: string, after: number) => {
      const state = kind === 'postgres' ? sql<string>`data::json->'verification'->>'state'` : sql<string>`data->'$.verification'->>'state'`;
      const first = sql<number | null>`min(case when type = 'said' then created_at end)`;
      // Events that report a change of the verification; a message of a verified customer comes after one.
      const verified = sql<number>`max(case when type in ('requested', 'outcome', 'verification') and ${state} = 'verified' then 1 else 0 end)`;
      const all = db.selectFrom('handoff_letter').where('hub', '=', hub).where('created_at', '>', after).groupBy('handoff_id');
      const rows = await all.select(['handoff_id', first.as('first'), verified.as('verified')]).execute();
      return new Map(
        rows.map((row) => [row.handoff_id, { ...(row.first !== null && { firstSaid: Number(row.first) }), verified: row.verified === 1 }]),
      );
    },

    /** Assigns it to a person, whoever had it before. `undefined`: it has ended, or does not exist. */
    take: (id: string, agent: Agent) =>
      db.transaction().execute(async (transaction) => {
        const row = await transaction
          .updateTable('handoff')
          .set({ state: 'accepted', agent: JSON.stringify(agent), accepted_at: sql<number>`coalesce(accepted_at, ${now})`, due_at: null })
          .where('id', '=', id)
          .where('ended_at', 'is', null)
          .returningAll()
          .executeTakeFirst();
        return row && asRecord(row);
      }),

    /** Takes it from the person who has it: it waits again, for that many milliseconds. `undefined`: nobody has it. */
    release: async (id: string, dueIn: number) => {
      const row = await db
        .updateTable('handoff')
        .set({ state: 'requested', agent: null, due_at: later(dueIn) })
        .where('id', '=', id)
        .where('state', '=', 'accepted')
        .returningAll()
        .executeTakeFirst();
      return row && asRecord(row);
    },

    /** Ends it, and informs the hub. `undefined`: it had ended already. */
    end: (
      id: string,
      ending: HandoffEnding,
      { wrapUp, event }: { readonly wrapUp?: string | undefined; readonly event?: HubEventDraft | undefined } = {},
    ) =>
      db.transaction().execute(async (transaction) => {
        const row = await transaction
          .updateTable('handoff')
          .set({ state: 'over', ended_at: now, due_at: null, ending, wrap_up: wrapUp ?? null })
          .where('id', '=', id)
          .where('ended_at', 'is', null)
          .returningAll()
          .executeTakeFirst();
        if (!row) return undefined;
        if (event) await addEvent(transaction, id, row.hub, event);
        return asRecord(row);
      }),

    /** Adds an event, even to a handoff that has ended. */
    tell: (id: string, event: HubEventDraft) =>
      db.transaction().execute(async (transaction) => {
        const row = await transaction.selectFrom('handoff').select('hub').where('id', '=', id).executeTakeFirst();
        if (row) await addEvent(transaction, id, row.hub, event);
      }),

    /** All events after a number, delivered or not. */
    events: async (id: string, after: number, limit: number) => {
      const all = db.selectFrom('handoff_letter').selectAll().where('handoff_id', '=', id).where('number', '>', after);
      return (await all.orderBy('number').limit(limit).execute()).map(asHubEvent);
    },

    /** Claims handoffs that nobody joined in time. */
    claimOverdue: async (ms: number, limit: number): Promise<ClaimedHandoff[]> => {
      const late = db.selectFrom('handoff').select('id').where('due_at', '<=', now).orderBy('due_at').limit(limit);
      const rows = await claimRows(database, 'handoff', 'id', late, { due_at: later(ms) });
      return rows.map((row) => ({ handoff: asRecord(row), claim: row.due_at as number, attempts: 0 }));
    },

    settleOverdue: async ({ handoff, claim }: ClaimedHandoff, fate: Settlement) => {
      // Whoever carried it out has ended the handoff.
      if (!('again' in fate)) return;
      await db
        .updateTable('handoff')
        .set({ due_at: later(fate.again) })
        .where('id', '=', handoff.id)
        .where('due_at', '=', claim)
        .execute();
    },

    nextOverdue: async () => {
      const next = db.selectFrom('handoff').select('due_at').where('due_at', 'is not', null).orderBy('due_at').limit(1);
      return (await next.executeTakeFirst())?.due_at ?? undefined;
    },
  };
};

/** The verification status that an event contains. */
const standingIn = (data: object) => {
  const { verification } = data as { verification?: unknown };
  return verification === undefined ? {} : { verification: JSON.stringify(verification) };
};
