// The chats of our own Direct Line, as their users see them: the port to chats.ts.

export interface Chat {
  readonly id: string;
  readonly userId: string;
  /** The highest revision so far; 0 in a new chat. No position is ever above it. */
  readonly watermark: number;
  /** Whether the bot was told that the chat began. */
  readonly started: boolean;
  /** Whether the customer ended it: nobody can speak or listen in it any more. */
  readonly ended?: true;
  /** Of a call: the position up to which its gateway has taken the bot's messages. */
  readonly takenTo: number;
  /** Of a call: when its gateway was last heard of, epoch milliseconds. */
  readonly heardAt?: number;
}

/** How much a chat may contain before it accepts no more. */
export interface ChatBounds {
  readonly bytes: number;
  /** Posts and updates. */
  readonly revisions: number;
}

/** A stored activity: JSON with an `id`. */
export type StoredActivity = { readonly id: string; readonly [field: string]: unknown };

/** An activity with its place in the conversation, which an update does not change. */
export interface PlacedActivity {
  readonly position: number;
  readonly activity: StoredActivity;
}

/** What was stored in one step: everything that changed in a chat between two of its watermarks. */
export interface StoredPart {
  readonly since: number;
  readonly watermark: number;
  /** In the order of the conversation. */
  readonly activities: readonly PlacedActivity[];
}

/** The files customers upload. */
export interface ChatFile {
  readonly name: string;
  readonly contentType: string;
  readonly content: Uint8Array;
}

export interface AppendOptions {
  /** An activity under a key that the chat has seen is not added. */
  readonly dedupeKey?: string | undefined;
  /** The bot's turn for this activity is yet to come; {@link ChatStore.settle} marks it as done. */
  readonly awaitsTurn?: boolean;
  /** A chat that contains more accepts no more. Unset: no limit. */
  readonly bounds?: ChatBounds | undefined;
}

/**
 * The result of an append: the new activity's id, or the id of the first one under the same key, and whether that one
 * still awaits its turn.
 */
export interface Appended {
  readonly id: string;
  readonly added: boolean;
  readonly awaitsTurn: boolean;
  /** The chat is full: nothing was added, and `id` is unused. */
  readonly full?: true;
  /** What was added, if it is stored. */
  readonly stored?: StoredPart;
}

/** The event that begins a turn. */
export interface TurnDelivery {
  /** The key of its conversation's state, which interactions use as well to name their conversation. */
  readonly stateKey: string;
  /** In our own Direct Line: the chat, and the activity in it. */
  readonly own?: { readonly chatId: string; readonly activityId: string };
  /** The interaction whose outcome it brings, if no activity began the turn. */
  readonly news?: string;
}

/** The turn of an activity, whose writes are gathered. */
export interface GatherOptions {
  readonly chat: Chat;
  readonly activityId: string;
  /** The activity was stored before, so its turn may have begun already. */
  readonly again: boolean;
  /** The activity tells the bot that the chat began, and is not stored: settling it marks the chat as started. */
  readonly begins?: boolean | undefined;
  /** Called when what the bot said or changed is stored. */
  readonly onStored?: (part: StoredPart) => void;
}

/** A running turn of a chat. */
export interface TurnInChat extends Pick<GatherOptions, 'activityId' | 'begins' | 'chat'> {
  /** Sets how stored activities are shown, unless whoever began the turn shows them. */
  showBy(show: (part: StoredPart) => void): void;
}

export interface GatheredTurn {
  /** Whether it is stored that the activity has had its turn. */
  readonly settled: boolean;
  /** Writes what is left, and stops gathering. */
  end(): Promise<void>;
}

/** Which part of a conversation to read. */
export interface PageRequest {
  /** Only changes after this watermark. */
  readonly since: number;
  /** Only activities after this position. */
  readonly after: number;
  readonly limit: number;
  /** Bytes of activities; a larger activity comes alone. Unset: no limit. */
  readonly bytes?: number;
}

/** A part of a conversation. */
export interface ChatPage {
  readonly activities: PlacedActivity[];
  /** The chat's watermark at that moment. */
  readonly watermark: number;
  /** Whether there is more to read. */
  readonly more: boolean;
}

export interface ChatStore {
  /** Opens a chat; repeating it changes nothing. Returns the chat as it is. */
  open(id: string, userId: string, at: number): Promise<Chat>;
  get(id: string): Promise<Chat | undefined>;
  /** Ends a user's chat for good, even one that was never opened. Another user's chat stays as it is. */
  end(id: string, userId: string): Promise<void>;
  /** Records that the bot was told about the chat. */
  start(id: string): Promise<void>;
  /** Records that a call's gateway was heard of. */
  hear(id: string, at: number): Promise<void>;
  /**
   * Records that a call's gateway takes the messages from one position up to another. `false`: another request has
   * taken from there.
   */
  takeOn(id: string, from: number, to: number): Promise<boolean>;
  /** Adds an activity at the end. `undefined`: the chat does not exist. */
  append(chatId: string, activity: StoredActivity, options?: AppendOptions): Promise<Appended | undefined>;
  /**
   * Gathers the writes of the bot's turn for an activity, from the reading of its state until {@link GatheredTurn.end}.
   * What it says and changes in the chat is stored in one transaction with its state (`BotStateStore.write`), which
   * settles the activity too. In a turn that takes long, what was said is stored earlier.
   */
  gather(turn: GatherOptions): GatheredTurn;
  /** The turn whose writes are gathered in this chat. */
  turnIn(chatId: string): TurnInChat | undefined;
  /** Records that the bot's turn for an activity is done. */
  settle(chatId: string, activityId: string): Promise<void>;
  /** Whether the activity exists. */
  has(chatId: string, activityId: string): Promise<boolean>;
  /** A customer's activity that still awaits its turn. */
  awaiting(chatId: string, activityId: string): Promise<StoredActivity | undefined>;
  /** All of them in a chat, oldest first. */
  awaitingIn(chatId: string): Promise<StoredActivity[]>;
  /**
   * Replaces an activity in place by the result of `change`; for watermarks it counts as new. `false`: there is no such
   * id, or `change` returned `undefined`. In a turn whose writes are gathered, it is stored with them.
   */
  replace(chatId: string, activityId: string, change: (before: StoredActivity) => StoredActivity | undefined): Promise<boolean>;
  /** Like {@link ChatStore.replace}; afterwards no file of an embedded database contains the replaced content. */
  takeBack: ChatStore['replace'];
  /**
   * A part of the conversation in its order, and the chat's watermark at that moment: a reader of every page up to the
   * end has seen everything up to that watermark. `undefined`: the chat does not exist, or was ended.
   */
  page(chatId: string, request: PageRequest): Promise<ChatPage | undefined>;
  /** The watermarks of those of the chats that exist, by id. */
  watermarks(ids: readonly string[]): Promise<ReadonlyMap<string, number>>;
  keepFile(chatId: string, id: string, file: ChatFile): Promise<void>;
  file(chatId: string, id: string): Promise<ChatFile | undefined>;
  countFiles(chatId: string): Promise<number>;
}
