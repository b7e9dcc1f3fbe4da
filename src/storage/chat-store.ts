// What is kept of chats on our own Direct Line, as those who use it see it.

export interface Chat {
  readonly id: string;
  readonly userId: string;
  /** The highest revision so far; 0 in a new chat. No position is ever above it. */
  readonly watermark: number;
  /** Whether the bot was told that the chat began. */
  readonly started: boolean;
  /** Whether the customer ended it: nobody can speak or listen in it any more. */
  readonly ended?: true;
}

/** How much a chat may hold before nothing is added to it. */
export interface ChatBounds {
  readonly bytes: number;
  /** Posts and updates. */
  readonly revisions: number;
}

/** An activity as it is kept: JSON with an `id` of its own. */
export type StoredActivity = { readonly id: string; readonly [field: string]: unknown };

/** An activity with its place in the conversation, which an update does not change. */
export interface PlacedActivity {
  readonly position: number;
  readonly activity: StoredActivity;
}

/** The files customers upload. */
export interface ChatFile {
  readonly name: string;
  readonly contentType: string;
  readonly content: Uint8Array;
}

export interface AppendOptions {
  /** A second activity under a key that the chat has seen is not added. */
  readonly dedupeKey?: string | undefined;
  /** The bot has yet to take its turn for this activity; {@link ChatStore.settle} says when it did. */
  readonly awaitsTurn?: boolean;
  /** A chat that holds more takes no more. Unset: it takes everything. */
  readonly bounds?: ChatBounds | undefined;
}

/** What became of an append: the new activity's id, or the first one's under the same key, and whether that one still awaits its turn. */
export interface Appended {
  readonly id: string;
  readonly added: boolean;
  readonly awaitsTurn: boolean;
  /** The chat has its fill: nothing was added, and `id` names nothing. */
  readonly full?: true;
}

/** Which part of a conversation to read. */
export interface PageRequest {
  /** Only what changed after this watermark. */
  readonly since: number;
  /** Only what stands after this position. */
  readonly after: number;
  readonly limit: number;
  /** Bytes of activities; one that has more comes alone. Unset: as many as there are. */
  readonly bytes?: number;
}

/** A part of a conversation. */
export interface ChatPage {
  readonly activities: PlacedActivity[];
  /** The chat's watermark at that moment. */
  readonly watermark: number;
  /** Whether there is more of what was asked for. */
  readonly more: boolean;
}

export interface ChatStore {
  /** Opens a chat; doing so again changes nothing. Answers the chat as it is. */
  open(id: string, userId: string, at: number): Promise<Chat>;
  get(id: string): Promise<Chat | undefined>;
  /** Ends a user's chat for good, also one that was never opened. Another user's stays as it is. */
  end(id: string, userId: string): Promise<void>;
  /** Notes that the bot was told of the chat. */
  start(id: string): Promise<void>;
  /** Adds an activity at the end. `undefined`: there is no such chat. */
  append(chatId: string, activity: StoredActivity, options?: AppendOptions): Promise<Appended | undefined>;
  /** Notes that the bot took its turn for an activity. */
  settle(chatId: string, activityId: string): Promise<void>;
  activity(chatId: string, activityId: string): Promise<StoredActivity | undefined>;
  /** An activity that still awaits its turn. */
  awaiting(chatId: string, activityId: string): Promise<StoredActivity | undefined>;
  /**
   * Replaces an activity in its place by what `change` makes of it; it counts as new for watermarks.
   * `false`: there is none of that id, or `change` answered `undefined`.
   */
  replace(chatId: string, activityId: string, change: (before: StoredActivity) => StoredActivity | undefined): Promise<boolean>;
  /** As {@link ChatStore.replace}, and what stood there before can be read in no file of an embedded database any more. */
  takeBack: ChatStore['replace'];
  /**
   * A part of the conversation in its order, and the chat's watermark at that moment: whoever has read every page up to the end
   * has seen everything up to that watermark. `undefined`: there is no such chat, or it was ended.
   */
  page(chatId: string, request: PageRequest): Promise<ChatPage | undefined>;
  /** The watermarks of those chats that are there, by id. */
  watermarks(ids: readonly string[]): Promise<ReadonlyMap<string, number>>;
  keepFile(chatId: string, id: string, file: ChatFile): Promise<void>;
  file(chatId: string, id: string): Promise<ChatFile | undefined>;
  countFiles(chatId: string): Promise<number>;
}
