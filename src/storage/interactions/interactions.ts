// Interactions as rows, and the replica that has claimed each.
import { type ExpressionBuilder, type Kysely, type Selectable, sql } from 'kysely';
import { type Claim, type Interaction, type InteractionStore, LeaseLost, ratings, type State } from '../../interactions/index.ts';
import type { Bus } from '../../platform/database/bus.ts';
import { claimRows } from '../../platform/database/claim-rows.ts';
import type { Database } from '../../platform/database/database.ts';
import { prepareStatement } from '../../platform/database/prepared-statement.ts';
import { faultFields, type Log } from '../../platform/log.ts';
import type { RunningTurns } from '../chats/running-turns.ts';
import { ownedByTheDead, type Replica, releaseAll } from '../replica.ts';
import type { InteractionTable, Schema } from '../schema.ts';
import { makeMoves } from './interaction-moves.ts';
import { fromRow, toRow } from './interaction-rows.ts';
import { makeSentToNumber } from './sent-to-number.ts';

/** How many are claimed at once. */
const batch = 500;

/** The bus topic for the id of an interaction that another replica took over. */
const taken = 'taken';

/** `quarantined`: how many rows this process has found unreadable. */
export type KeptInteractions = InteractionStore & { quarantined(): number };

export const makeInteractionStore = (
  { db, kind, now }: Database<Schema>,
  replica: Replica,
  { bus, log, turns }: { readonly bus: Bus; readonly log: Log; readonly turns: Pick<RunningTurns, 'inConversation'> },
): KeptInteractions => {
  const unreadable = new Set<string>();
  /**
   * An unreadable row must not keep others from being worked on. It stays as it is. Once claimed, it stays with this
   * process until that ends, so that no other process runs into it; a version that can read it may claim it then.
   */
  const read = (row: Selectable<InteractionTable>): Interaction | undefined => {
    try {
      return fromRow(row, replica.id);
    } catch (fault) {
      if (!unreadable.has(row.id))
        log.error(
          { ...faultFields(fault), component: 'storage', interaction: row.id },
          'an interaction cannot be read; it is kept, and nobody works on it',
        );
      unreadable.add(row.id);
      return undefined;
    }
  };
  const readAll = (rows: readonly Selectable<InteractionTable>[]): Interaction[] => rows.flatMap((row) => read(row) ?? []);
  const select = () => db.selectFrom('interaction').selectAll();

  /** The fence: finds the row only under this very claim, in this state. */
  const claimed = ({ id, epoch }: Claim, state: State) =>
    db
      .updateTable('interaction')
      .where('id', '=', id)
      .where('owner', '=', replica.id)
      .where('epoch', '=', epoch)
      .where('state', '=', state);

  const move = makeMoves(db, replica.id);

  const claimedRow = ({ id, epoch }: Claim) =>
    db
      .selectFrom('interaction')
      .select(['state', 'progress'])
      .where('id', '=', id)
      .where('owner', '=', replica.id)
      .where('epoch', '=', epoch)
      .executeTakeFirst();

  const byId = prepareStatement(db, (from, { id }: Pick<Claim, 'id'>) => from.selectFrom('interaction').selectAll().where('id', '=', id));

  /**
   * Under a lapsed lease the row would count as abandoned while its request is being sent. Its columns have the types of
   * those of `first`.
   */
  const inserting = (first: InteractionTable) =>
    prepareStatement(db, (to, row: InteractionTable) =>
      to
        .insertInto('interaction')
        .columns(Object.keys(row) as (keyof InteractionTable)[])
        .expression(
          to
            .selectFrom('replica')
            .select(Object.entries(row).map(([column, value]) => typed(value, first[column as keyof InteractionTable]).as(column)))
            .where('replica.id', '=', replica.id)
            .where('lease_until', '>=', now),
        ),
    );
  let insert: ReturnType<typeof inserting> | undefined;

  const claimSome = () => {
    const free = db
      .selectFrom('interaction')
      .select('id')
      .where('told', '=', 0)
      .where(ownedByTheDead({ db, kind, now }))
      // A replica whose own lease has ended would claim the same rows again and again.
      .where(({ exists, selectFrom }) =>
        exists(selectFrom('replica as own').select('own.id').where('own.id', '=', replica.id).where('own.lease_until', '>=', now)),
      )
      // An intent's last owner may still be sending it, so it is left alone until that is impossible.
      .where(({ eb, or }) => or([eb('state', '<>', 'intended'), eb('created_at', '<=', sql<number>`${now} - ${replica.sendGrace}`)]))
      .limit(batch);
    return claimRows({ db, kind }, 'interaction', 'id', free, { owner: replica.id, epoch: sql<number>`epoch + 1` });
  };

  return {
    quarantined: () => unreadable.size,

    record: async (intent) => {
      const row = toRow(intent, replica.id);
      insert ??= inserting(row);
      const { numAffectedRows } = await insert(db, row);
      if (numAffectedRows !== 1n) throw new LeaseLost('this process is out of touch with the others');
      return { ...intent, epoch: row.epoch, state: 'intended', progress: {}, mistyped: 0, delivered: false };
    },

    get: async (id) => {
      const [row] = (await byId(db, { id })).rows;
      return row && read(row);
    },

    apply: async (interaction, transition) => {
      const row = await move(db, interaction, transition);
      return row && read(row);
    },

    markDelivered: async (interaction, kind) => {
      const mark = async (to: Kysely<Schema>) => void (await move(to, interaction, { kind }));
      const turn = turns.inConversation(interaction.conversation);
      if (turn) turn.note(mark);
      else await mark(db);
    },

    advance: async (interaction, step, at) => {
      for (;;) {
        const row = await claimedRow(interaction);
        const progress = row && JSON.parse(row.progress);
        if (row?.state !== 'waiting' || progress[step] !== undefined) return undefined;
        const changed = await claimed(interaction, 'waiting')
          .set({ progress: JSON.stringify({ ...progress, [step]: at }) })
          .where('progress', '=', row.progress)
          .returningAll()
          .executeTakeFirst();
        if (changed) return read(changed);
        // The row changed between the two statements: read again. There are only three steps.
      }
    },

    waitingIn: async (conversation) =>
      readAll(await select().where('conversation', '=', conversation).where(isOpen).orderBy('id').execute()),

    waitingFor: async (customerRef, limit) => {
      const open = select().where('customer_ref', '=', customerRef).where('alike', '=', 0);
      return readAll(await open.where('state', 'in', ['intended', 'waiting']).orderBy('id', 'desc').limit(limit).execute());
    },

    inConversation: async (conversation, limit) =>
      readAll(await select().where('conversation', '=', conversation).orderBy('id', 'desc').limit(limit).execute()),

    requestCancel: async (id) => {
      await db.updateTable('interaction').set({ cancel_requested: 1 }).where('id', '=', id).where('alike', '=', 1).execute();
    },

    rate: async (id, conversation, rating) => {
      const found = select().where('id', '=', id).where('conversation', '=', conversation);
      const row = await found.where('outcome', 'is not', null).executeTakeFirst();
      const rated = row && read(row);
      if (!row || !rated?.outcome) return undefined;
      const before = ratings.find((known) => known === row.rating);
      if (before !== rating) await db.updateTable('interaction').set({ rating }).where('id', '=', id).execute();
      return { app: rated.app, status: rated.outcome.status, ...(before && { before }) };
    },

    undeliverableTo: async (phoneNumber, limit) => {
      const all = select().where('phone_number', '=', phoneNumber).where('state', '=', 'undeliverable');
      return readAll(await all.where('mentioned', '=', 0).where('alike', '=', 0).orderBy('id', 'desc').limit(limit).execute());
    },

    mention: async (ids) => {
      if (ids.length > 0) await db.updateTable('interaction').set({ mentioned: 1 }).where('id', 'in', ids).execute();
    },

    ...makeSentToNumber(db),

    claim: async () => {
      for (;;) {
        const rows = await claimSome();
        const readable = readAll(rows);
        if (readable.length > 0 || rows.length === 0) return readable.sort((one, other) => (one.id < other.id ? -1 : 1));
      }
    },

    takeOver: async (id) => {
      const waiting = await select().where('id', '=', id).where(waits).executeTakeFirst();
      if (!waiting || waiting.owner === replica.id) return waiting && read(waiting);
      const row = await db
        .updateTable('interaction')
        .set({ owner: replica.id, epoch: sql<number>`epoch + 1` })
        .where('id', '=', id)
        .where(waits)
        .returningAll()
        .executeTakeFirst();
      if (row) bus.publish(taken, id);
      return row && read(row);
    },

    release: () => releaseAll(db, replica.id),

    follow: (listener) => {
      const unfollow = replica.follow(listener);
      const unsubscribe = bus.subscribe(taken, (id) => {
        if (id !== undefined) listener.taken(id);
      });
      return () => {
        unsubscribe();
        unfollow();
      };
    },
  };
};

/** It is waiting, or its chat sees it so (src/interactions/starting/blind-lookup.ts), and its request is no longer being sent. */
const waits = ({ and, eb, or }: ExpressionBuilder<Schema, 'interaction'>) =>
  or([eb('state', '=', 'waiting'), and([eb('alike', '=', 1), eb('told', '=', 0), eb('state', 'not in', ['intended', 'unresolved'])])]);

/** It is waiting, or its chat sees it so, and the chat has not called it off. */
const isOpen = ({ and, eb, or }: ExpressionBuilder<Schema, 'interaction'>) =>
  and([
    eb('cancel_requested', '=', 0),
    or([eb('state', '=', 'waiting'), and([eb('alike', '=', 1), eb('told', '=', 0), eb('state', '<>', 'unresolved')])]),
  ]);

/** A value in a SELECT, with the type that Postgres requires there. */
const typed = (value: string | number | null, like: typeof value) =>
  sql`cast(${value} as ${sql.raw(typeof like === 'number' ? 'bigint' : 'text')})`;
