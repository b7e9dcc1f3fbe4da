import type { Generated } from 'kysely';
import type { AccessTable, LoginTable, SessionTable } from '../platform/sign-in/tables.ts';
// The tables, as Kysely types. Instants are epoch milliseconds, structured values JSON text, flags 0 or 1: the same on
// SQLite and Postgres.

export interface InteractionTable {
  id: string;
  app: string;
  state: string;
  conversation: string;
  address: string;
  session_ref: string;
  customer_ref: string;
  phone_number: string;
  request: string;
  request_id: string | null;
  ws_token: string | null;
  progress: string;
  mistyped: number;
  outcome: string | null;
  refusal: string | null;
  /** 1 once nothing is left to deliver. */
  told: number;
  created_at: number;
  deadline: number;
  traceparent: string | null;
  subject: string | null;
  /** 1 where the chat may not see how it stands. */
  alike: number;
  /** 1 once the chat, which may not see how it stands, has called it off. */
  cancel_requested: number;
  /** The replica that has claimed it; '' for none. */
  owner: string;
  /** Grows with every change of owner. Work begun under an older one cannot write any more. */
  epoch: number;
  /** Whoever asked for it in the customer's stead. */
  agent_id: string | null;
  /** What the customer thought of its outcome: like or dislike. */
  rating: string | null;
  /** 1 once its undeliverable outcome was mentioned in a later call. */
  mentioned: number;
}

/**
 * A process that works on interactions until its lease ends, unless it is renewed. The one named '' stands for none.
 */
export interface ReplicaTable {
  id: string;
  lease_until: number;
  /** Its advisory lock while it lives (Postgres). */
  lock_key: number;
  /** When its readiness was last checked. */
  seen_at: Generated<number>;
}

/** A turn that is running in a conversation (Postgres only). */
export interface TurnLeaseTable {
  key: string;
  /** New for each turn. */
  holder: string;
  lease_until: number;
}

/** Bot Framework state: conversation and user properties. */
export interface BotStateTable {
  key: string;
  value: string;
  etag: string;
  saved_at: number;
  /** What the desk may know of a chat that runs with the bot; JSON. Null: it is nothing to be taken over. */
  running: Generated<string | null>;
}

/** The answer to the first delivery of an activity. */
export interface AnswerTable {
  /** Identifies the activity. */
  delivery: string;
  /** The conversation's key in {@link BotStateTable}. */
  state_key: string;
  answer: string;
  created_at: number;
}

/** A chat on our own Direct Line. `watermark` is the highest revision handed out. */
export interface ChatTable {
  id: string;
  /** What its activities are stored under. */
  number: number;
  user_id: string;
  watermark: number;
  /** 1 once the bot was told that the chat began. */
  started: number;
  created_at: number;
  /** When something was last said in it, to the hour. */
  active_at: number;
  /** Bytes of everything that was ever said in it. */
  bytes: Generated<number>;
  /** When the customer ended it. */
  ended_at: number | null;
  /** Of a call: up to which position its gateway has taken what the bot said. */
  taken_to: Generated<number>;
  /** Of a call: when its gateway was heard of last. */
  heard_at: number | null;
  /** How what is said in it names both sides; JSON. */
  sides: string | null;
}

/**
 * An activity of a chat. `position` orders the conversation; `revision` grows with every post and update, and is what a
 * watermark counts.
 */
export interface ChatActivityTable {
  chat_number: number;
  activity_id: string;
  position: number;
  revision: number;
  /** Whose usual fields are left out of it: `user` or `bot`. */
  said_by: string | null;
  /** Its time, which is left out of it. */
  said_at: number | null;
  /** The bytes of the whole. */
  size: number;
  /** JSON of what is stored nowhere else. */
  activity: string;
  /** A digest of its key: another post under the same one in the same chat is dropped. */
  dedupe_key: string | null;
  /** 1 from when a customer's activity is stored until the bot's turn for it is over. */
  awaits_turn: number;
}

/** The cards of an activity, and what else only programs read of it: deflated JSON. */
export interface ChatCardTable {
  chat_number: number;
  position: number;
  card: Uint8Array;
}

/** A file a customer uploaded in a chat. */
export interface ChatFileTable {
  id: string;
  chat_id: string;
  name: string;
  content_type: string;
  content: Uint8Array;
}

/** A version of a flow that conversations began with. */
export interface FlowVersionTable {
  version: string;
  flow: string;
  body: string;
  /** When it was begun last, to the hour. */
  begun_at: number;
}

/** A person who was asked for in a chat. */
export interface HandoffTable {
  id: string;
  conversation: string;
  address: string;
  hub: string;
  state: string;
  reason: string;
  app: string | null;
  language: string;
  /** JSON. */
  agent: string | null;
  created_at: number;
  /** When nobody has come in time; null once somebody has, or where none is set. */
  due_at: number | null;
  accepted_at: number | null;
  ended_at: number | null;
  ending: string | null;
  wrap_up: string | null;
  /** How many letters it has had. */
  letters: number;
  /** How whoever writes in the chat stood when a letter last said so; JSON. */
  verification: Generated<string | null>;
  /** The number that was given in the chat, masked. */
  caller: Generated<string | null>;
  /** What the hub knows it by. */
  place: Generated<string | null>;
  /** The last of what its agents wrote that has been carried out. */
  seen: Generated<number | null>;
  /** When the hub is read again; null: when something hints at it. */
  look_at: Generated<number | null>;
  quiet: Generated<number | null>;
}

/** What a hub is told of a handoff. */
export interface HandoffLetterTable {
  id: string;
  handoff_id: string;
  hub: string;
  number: number;
  type: string;
  key: string;
  data: string;
  created_at: number;
  attempts: number;
  /** When it is brought next; null once it has arrived or is given up. */
  due_at: number | null;
  given_up: string | null;
}

/** Where a program wants to be told of outcomes. */
export interface OutcomeHookTable {
  id: string;
  program: string;
  url: string;
  created_at: number;
}

/** An outcome that a hook has yet to be told: only what it is of, since the rest is read when it is told. */
export interface OutcomeLetterTable {
  id: string;
  hook_id: string;
  subject: string;
  attempts: number;
  due_at: number;
}

export interface Schema {
  interaction: InteractionTable;
  replica: ReplicaTable;
  turn_lease: TurnLeaseTable;
  bot_state: BotStateTable;
  answer: AnswerTable;
  chat: ChatTable;
  chat_activity: ChatActivityTable;
  chat_card: ChatCardTable;
  chat_file: ChatFileTable;
  flow_version: FlowVersionTable;
  handoff: HandoffTable;
  handoff_letter: HandoffLetterTable;
  outcome_hook: OutcomeHookTable;
  outcome_letter: OutcomeLetterTable;
  desk_sessions: SessionTable;
  desk_sign_ins: LoginTable;
  desk_accesses: AccessTable;
}
