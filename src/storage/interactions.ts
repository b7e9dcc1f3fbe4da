// The interactions, kept, and who holds them.
import { type Selectable, sql, type UpdateObject } from 'kysely';
import { isAppId } from '../contract/index.ts';
import { type Held, type Intent, type Interaction, notHeld, type State } from '../interactions/interaction.ts';
import { type InteractionStore, LeaseLost } from '../interactions/ports.ts';
import { type Happening, next, statesBefore } from '../interactions/states.ts';
import type { Bus } from '../platform/bus.ts';
import type { Database } from '../platform/database.ts';
import { nobody, type Replica, releaseAll } from './replica.ts';
import type { InteractionTable, Schema } from './schema.ts';

/** How many are claimed at once. */
const batch = 500;

/** The topic under which the id of an interaction that changed hands is told. */
const taken = 'taken';

export const makeInteractionStore = ({ db, kind, now }: Database<Schema>, replica: Replica, bus: Bus): InteractionStore => {
  const read = (row: Selectable<InteractionTable>) => fromRow(row, replica.id);
  /** The fence: a row in another's hands, or in ours again after it was in another's, is not found. */
  const held = ({ id, epoch }: Held, state: State) =>
    db
      .updateTable('interaction')
      .where('id', '=', id)
      .where('owner', '=', replica.id)
      .where('epoch', '=', epoch)
      .where('state', '=', state);

  const heldRow = ({ id, epoch }: Held) =>
    db
      .selectFrom('interaction')
      .select(['state', 'progress'])
      .where('id', '=', id)
      .where('owner', '=', replica.id)
      .where('epoch', '=', epoch)
      .executeTakeFirst();

  const dead = db.selectFrom('replica').select('replica.id').where('lease_until', '<', now);
  // As an array, found first whatever Postgres believes of the tables: it would rather look up the owner of every row that waits.
  const ownedByTheDead = kind === 'postgres' ? sql<boolean>`owner = any(array(${dead}))` : sql<boolean>`owner in (${dead})`;

  return {
    record: async (intent) => {
      const row = toRow(intent, replica.id);
      // A row under a lease that has ended would be taken for abandoned while its request is being sent.
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('interaction')
        .columns(Object.keys(row) as (keyof InteractionTable)[])
        .expression(
          db
            .selectFrom('replica')
            .select(Object.entries(row).map(([column, value]) => typed(value).as(column)))
            .where('replica.id', '=', replica.id)
            .where('lease_until', '>=', now),
        )
        .executeTakeFirstOrThrow();
      if (numInsertedOrUpdatedRows !== 1n) throw new LeaseLost('this process is out of touch with the others');
      return { ...intent, epoch: row.epoch, state: 'intended', progress: {}, mistyped: 0, told: false };
    },

    get: async (id) => {
      const row = await db.selectFrom('interaction').selectAll().where('id', '=', id).executeTakeFirst();
      return row && read(row);
    },

    // The state named in the WHERE clause decides between two writers too: only the first finds its row.
    apply: async (interaction, happening) => {
      for (const before of statesBefore(happening.kind)) {
        const row = await held(interaction, before)
          .set({ state: next(before, happening) as State, ...changes(happening) })
          .where('told', '=', 0)
          .returningAll()
          .executeTakeFirst();
        if (row) return read(row);
      }
      return undefined;
    },

    advance: async (interaction, step, at) => {
      for (;;) {
        const row = await heldRow(interaction);
        const progress = row && JSON.parse(row.progress);
        if (row?.state !== 'waiting' || progress[step] !== undefined) return undefined;
        const changed = await held(interaction, 'waiting')
          .set({ progress: JSON.stringify({ ...progress, [step]: at }) })
          .where('progress', '=', row.progress)
          .returningAll()
          .executeTakeFirst();
        if (changed) return read(changed);
        // Another step was noted, or something else happened, between the two statements: looked at again, and there are only three steps.
      }
    },

    waitingIn: async (conversation) =>
      (
        await db
          .selectFrom('interaction')
          .selectAll()
          .where('conversation', '=', conversation)
          .where('state', '=', 'waiting')
          .orderBy('id')
          .execute()
      ).map(read),

    claim: async () => {
      const rows = await db
        .with('free', (free) => {
          const found = free
            .selectFrom('interaction')
            .select('id')
            .where('told', '=', 0)
            .where(ownedByTheDead)
            // Whose own lease has ended would take the same ones again and again.
            .where(({ exists, selectFrom }) =>
              exists(selectFrom('replica as own').select('own.id').where('own.id', '=', replica.id).where('own.lease_until', '>=', now)),
            )
            // An intent may be on its way still, sent by whoever held it: it is left alone until it cannot be.
            .where(({ eb, or }) => or([eb('state', '<>', 'intended'), eb('created_at', '<=', sql<number>`${now} - ${replica.sendGrace}`)]))
            .limit(batch);
          return kind === 'postgres' ? found.forUpdate().skipLocked() : found;
        })
        .updateTable('interaction')
        .set({ owner: replica.id, epoch: sql<number>`epoch + 1` })
        .where('id', 'in', (free) => free.selectFrom('free').select('free.id'))
        .returningAll()
        .execute();
      return rows.map(read).sort((one, other) => (one.id < other.id ? -1 : 1));
    },

    takeOver: async (id) => {
      const waiting = await db.selectFrom('interaction').selectAll().where('id', '=', id).where('state', '=', 'waiting').executeTakeFirst();
      if (!waiting || waiting.owner === replica.id) return waiting && read(waiting);
      const row = await db
        .updateTable('interaction')
        .set({ owner: replica.id, epoch: sql<number>`epoch + 1` })
        .where('id', '=', id)
        .where('state', '=', 'waiting')
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

/** A value in a SELECT, of which Postgres must be told the type. */
const typed = (value: string | number | null) => sql`cast(${value} as ${sql.raw(typeof value === 'number' ? 'bigint' : 'text')})`;

/** What a happening writes beside the state. Once told, the token and the address serve nothing any more, so they go. */
const changes = (happening: Happening): UpdateObject<Schema, 'interaction'> => {
  switch (happening.kind) {
    case 'accepted':
      return { request_id: happening.requestId, ws_token: happening.wsToken ?? null };
    case 'resent':
      return { request_id: happening.requestId, ws_token: happening.wsToken ?? null, mistyped: 0 };
    case 'mistyped':
      return { mistyped: sql<number>`mistyped + 1` };
    case 'refused':
      return { refusal: happening.refusal };
    case 'decided':
      return { outcome: JSON.stringify(happening.outcome) };
    case 'told':
      return { told: 1, ws_token: null, address: '', owner: nobody };
    case 'unreachable':
      return { told: 1, ws_token: null, owner: nobody };
    case 'lost':
      return {};
    default:
      return happening satisfies never;
  }
};

const toRow = (intent: Intent, owner: string): InteractionTable => ({
  id: intent.id,
  app: intent.app,
  state: 'intended',
  conversation: intent.conversation,
  address: intent.address,
  session_ref: intent.sessionRef,
  customer_ref: intent.customerRef,
  phone_number: intent.phoneNumber,
  request: JSON.stringify(intent.request),
  request_id: null,
  ws_token: null,
  progress: '{}',
  mistyped: 0,
  outcome: null,
  refusal: null,
  told: 0,
  created_at: intent.createdAt,
  deadline: intent.deadline,
  traceparent: intent.traceparent ?? null,
  owner,
  epoch: 1,
});

const fromRow = (row: Selectable<InteractionTable>, replicaId: string): Interaction => {
  if (!isAppId(row.app)) throw new Error(`interaction ${row.id} is of an app this version does not know`);
  return {
    id: row.id,
    epoch: row.owner === replicaId ? row.epoch : notHeld,
    app: row.app,
    state: row.state as State,
    conversation: row.conversation,
    address: row.address,
    sessionRef: row.session_ref,
    customerRef: row.customer_ref,
    phoneNumber: row.phone_number,
    request: JSON.parse(row.request),
    ...(row.request_id !== null && { requestId: row.request_id }),
    ...(row.ws_token !== null && { wsToken: row.ws_token }),
    progress: JSON.parse(row.progress),
    mistyped: row.mistyped,
    ...(row.outcome !== null && { outcome: JSON.parse(row.outcome) }),
    ...(row.refusal !== null && { refusal: row.refusal }),
    told: row.told === 1,
    createdAt: row.created_at,
    deadline: row.deadline,
    ...(row.traceparent !== null && { traceparent: row.traceparent }),
  };
};
