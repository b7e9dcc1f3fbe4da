// The core's tables, as Kysely types. Instants are epoch milliseconds, structured values JSON text, flags 0 or 1: the same
// on SQLite and Postgres.
import type { Generated } from 'kysely';

/** The core's tables; capabilities have their own beside them. */
export interface Schema {
  interaction: {
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
    /** 1 once there is nothing left to deliver. */
    told: number;
    created_at: number;
    deadline: number;
    traceparent: string | null;
    subject: string | null;
    /** 1 if the chat may not see its progress. */
    alike: number;
    /** 1 once a chat that may not see its progress has called it off. */
    cancel_requested: number;
    /** The replica that has claimed it; '' for none. */
    owner: string;
    /** Grows with every change of owner. Work begun under an older epoch can no longer write. */
    epoch: number;
    /** The agent who asked for it on the customer's behalf. */
    agent_id: string | null;
    /** The customer's rating of its outcome: like or dislike. */
    rating: string | null;
    /** 1 once its undeliverable outcome was mentioned in a later call. */
    mentioned: number;
  };
  /** A process that works on interactions until its lease ends without renewal. The name '' stands for none. */
  replica: {
    id: string;
    lease_until: number;
    /** Its advisory lock while it lives (Postgres). */
    lock_key: number;
    /** When its readiness was last checked. */
    seen_at: Generated<number>;
  };
  /** A turn that is running in a conversation (Postgres only). */
  turn_lease: {
    key: string;
    /** New for each turn. */
    holder: string;
    lease_until: number;
  };
  /** Bot Framework state: conversation and user properties. */
  bot_state: {
    key: string;
    value: string;
    etag: string;
    saved_at: number;
    /** What the desk may know about a chat in progress with the bot; JSON. Null: the chat cannot be taken over. */
    running: Generated<string | null>;
  };
  /** The answer to the first delivery of an activity. */
  answer: {
    /** Identifies the activity. */
    delivery: string;
    /** The conversation's key in `bot_state`. */
    state_key: string;
    answer: string;
    created_at: number;
  };
  /** A chat on our own Direct Line. `watermark` is the highest revision handed out. */
  chat: {
    id: string;
    /** The key under which its activities are stored. */
    number: number;
    user_id: string;
    watermark: number;
    /** 1 once the bot was told that the chat began. */
    started: number;
    created_at: number;
    /** When something was last said in it, to the hour. */
    active_at: number;
    /** Total bytes of everything ever said in it. */
    bytes: Generated<number>;
    /** When the customer ended it. */
    ended_at: number | null;
    /** Of a call: the position up to which its gateway has taken the bot's messages. */
    taken_to: Generated<number>;
    /** Of a call: when its gateway was last heard of. */
    heard_at: number | null;
  };
  /**
   * An activity of a chat. `position` orders the conversation; `revision` grows with every post and update, and is what a
   * watermark counts.
   */
  chat_activity: {
    chat_number: number;
    activity_id: string;
    position: number;
    revision: number;
    /** JSON. */
    activity: string;
    /** A digest of its key: another post under the same one in the same chat is dropped. */
    dedupe_key: string | null;
    /** 1 from the storing of a customer's activity until the bot's turn for it is over. */
    awaits_turn: number;
  };
  /** A file a customer uploaded in a chat. */
  chat_file: {
    id: string;
    chat_id: string;
    name: string;
    content_type: string;
    content: Uint8Array;
  };
}

export type InteractionTable = Schema['interaction'];
