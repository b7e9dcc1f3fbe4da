// The tables, as Kysely types. Instants are epoch milliseconds, structured values JSON text, flags 0 or 1: the same on SQLite and Postgres.

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
  told: number;
  created_at: number;
  deadline: number;
  traceparent: string | null;
}

/** Bot Framework state: conversation and user properties. */
export interface BotStateTable {
  key: string;
  value: string;
  etag: string;
}

/** A chat on our own Direct Line. `watermark` is the highest revision handed out. */
export interface ChatTable {
  id: string;
  user_id: string;
  watermark: number;
  /** 1 once the bot was told that the chat began. */
  started: number;
  created_at: number;
}

/** An activity of a chat. `position` orders the conversation; `revision` grows with every post and update, and is what a watermark counts. */
export interface ChatActivityTable {
  chat_id: string;
  activity_id: string;
  position: number;
  revision: number;
  activity: string;
  /** A second post under the same key in the same chat is dropped. */
  dedupe_key: string | null;
  /** 1 from the moment a customer's activity is kept until the bot's turn for it is over. */
  awaits_turn: number;
}

/** A file a customer uploaded in a chat. */
export interface ChatFileTable {
  id: string;
  chat_id: string;
  name: string;
  content_type: string;
  content: Uint8Array;
}

export interface Schema {
  interaction: InteractionTable;
  bot_state: BotStateTable;
  chat: ChatTable;
  chat_activity: ChatActivityTable;
  chat_file: ChatFileTable;
}
