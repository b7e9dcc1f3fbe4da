// The interactions, kept.
import { type Kysely, type Selectable, sql, type UpdateObject } from 'kysely';
import { isAppId } from '../contract/index.ts';
import type { Intent, Interaction, State } from '../interactions/interaction.ts';
import type { InteractionStore } from '../interactions/ports.ts';
import { type Happening, next, statesBefore } from '../interactions/states.ts';
import type { InteractionTable, Schema } from './schema.ts';

export const makeInteractionStore = (db: Kysely<Schema>): InteractionStore => ({
  record: async (intent) => {
    await db.insertInto('interaction').values(toRow(intent)).execute();
    return { ...intent, state: 'intended', progress: {}, mistyped: 0, told: false };
  },

  get: async (id) => {
    const row = await db.selectFrom('interaction').selectAll().where('id', '=', id).executeTakeFirst();
    return row && fromRow(row);
  },

  // The state named in the WHERE clause is the fence: of two writers only the first finds its row.
  apply: async (id, happening) => {
    for (const before of statesBefore(happening.kind)) {
      const row = await db
        .updateTable('interaction')
        .set({ state: next(before, happening) as State, ...changes(happening) })
        .where('id', '=', id)
        .where('state', '=', before)
        .where('told', '=', 0)
        .returningAll()
        .executeTakeFirst();
      if (row) return fromRow(row);
    }
    return undefined;
  },

  advance: (id, step, at) =>
    db.transaction().execute(async (transaction) => {
      const row = await transaction
        .selectFrom('interaction')
        .select('progress')
        .where('id', '=', id)
        .where('state', '=', 'waiting')
        .executeTakeFirst();
      if (!row) return undefined;
      const progress = JSON.parse(row.progress);
      if (progress[step] !== undefined) return undefined;
      const changed = await transaction
        .updateTable('interaction')
        .set({ progress: JSON.stringify({ ...progress, [step]: at }) })
        .where('id', '=', id)
        .where('state', '=', 'waiting')
        .returningAll()
        .executeTakeFirst();
      return changed && fromRow(changed);
    }),

  unfinished: async () => (await db.selectFrom('interaction').selectAll().where('told', '=', 0).orderBy('id').execute()).map(fromRow),

  waitingIn: async (conversation) =>
    (
      await db
        .selectFrom('interaction')
        .selectAll()
        .where('conversation', '=', conversation)
        .where('state', '=', 'waiting')
        .orderBy('id')
        .execute()
    ).map(fromRow),
});

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
      return { told: 1, ws_token: null, address: '' };
    case 'unreachable':
      return { told: 1, ws_token: null };
    case 'lost':
      return {};
    default:
      return happening satisfies never;
  }
};

const toRow = (intent: Intent): InteractionTable => ({
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
});

const fromRow = (row: Selectable<InteractionTable>): Interaction => {
  if (!isAppId(row.app)) throw new Error(`interaction ${row.id} is of an app this version does not know`);
  return {
    id: row.id,
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
