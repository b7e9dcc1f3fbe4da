// What is kept of people in chats, as those who use it see it. Instants are epoch milliseconds.

/** `requested`: nobody has come yet. `accepted`: a person is on. */
export type HandoffState = 'requested' | 'accepted' | 'over';

/**
 * How it ended. `finished`: the person was done. `returned`: one of the two sides gave the chat back to the bot.
 * `withdrawn`: the customer did not want to wait. `failed`: the hub could not take it. `timed_out`: nobody came in
 * time.
 */
export type HandoffEnding = 'finished' | 'returned' | 'withdrawn' | 'failed' | 'timed_out';

/** A person who works at a hub. */
export interface Agent {
  /** Their e-mail address, or whatever the hub knows them by. */
  readonly id: string;
  /** What customers are told. */
  readonly name?: string | undefined;
}

/** What is recorded before anybody is told. */
export interface NewHandoff {
  readonly id: string;
  /** The chat: its name, and where it is reached. Written once. */
  readonly conversation: string;
  readonly address: string;
  readonly hub: string;
  readonly reason: string;
  readonly app?: string | undefined;
  readonly language: string;
  /** The number that was given in the chat, masked. */
  readonly caller?: string | undefined;
  /** After so many milliseconds nobody came. Unset: it waits until somebody does. */
  readonly dueIn?: number | undefined;
}

export interface HandoffRecord extends Omit<NewHandoff, 'dueIn'> {
  readonly state: HandoffState;
  readonly agent?: Agent;
  readonly createdAt: number;
  readonly dueAt?: number;
  readonly acceptedAt?: number;
  readonly endedAt?: number;
  readonly ending?: HandoffEnding;
  /** How the person filed it. */
  readonly wrapUp?: string;
  /** The number of its last letter. */
  readonly letters: number;
  /** How whoever writes in the chat stood when a letter last said so. */
  readonly verification?: object;
  /** What the hub knows it by, where it has a name of its own there. */
  readonly place?: string;
  /** The last of what its agents wrote there that has been carried out. */
  readonly seen?: number;
}

/** Something that the hub is to be told. A second one under the same key of a handoff is dropped. */
export interface LetterDraft {
  readonly type: string;
  readonly key: string;
  /** JSON. */
  readonly data: object;
  /** Its hub reads it where it is kept: nobody has to bring it. */
  readonly arrived?: true | undefined;
}

export interface Letter {
  readonly id: string;
  readonly handoffId: string;
  /** Its place among those of its handoff, from 1. */
  readonly number: number;
  readonly type: string;
  readonly data: object;
  readonly createdAt: number;
}

/** A letter that this process brings; another may once its claim is over. */
export interface PendingLetter extends Letter {
  /** How often bringing it has failed. */
  readonly attempts: number;
  readonly claim: number;
}

/** What became of bringing a letter; `again` in so many milliseconds, or given up, and on what. */
export type LetterFate = { readonly arrived: true } | { readonly again: number } | { readonly givenUp: string };

/** A handoff whose hub this process reads; another may once its claim is over. */
export interface PendingLook {
  readonly handoff: HandoffRecord;
  readonly claim: number;
  /** How often nothing was found since something last was. */
  readonly quiet: number;
}

/** When hubs are read for what their agents have done. */
export interface LookStore {
  /** Keeps what the hub knows a handoff by, which is looked at in so many milliseconds at the latest. */
  placed(id: string, place: string, ms: number): Promise<void>;
  /** The handoff that a hub knows by this name. */
  at(hub: string, place: string): Promise<HandoffRecord | undefined>;
  /** Something may have happened there: it is looked at now, also when it is over. `false`: there is none. */
  hint(hub: string, place: string): Promise<boolean>;
  /** Those whose time has come; nobody else gets them for so many milliseconds. */
  claimLooks(hub: string, ms: number, limit: number): Promise<PendingLook[]>;
  nextLook(hub: string): Promise<number | undefined>;
  /** Keeps that what its agents wrote has been carried out, up to a number; never one that is smaller than before. */
  seen(id: string, upTo: number): Promise<void>;
  /** `again` in so many milliseconds; unset: when something hints at it. Does nothing where a hint came meanwhile. */
  settleLook(look: PendingLook, next: { readonly again?: number | undefined; readonly quiet: number }): Promise<void>;
}

export interface HandoffStore extends LookStore {
  /**
   * Records a handoff, with its first letter where its hub takes letters. Where the chat has one that is not over, that
   * is answered, and nothing `added`.
   */
  add(handoff: NewHandoff, letter?: LetterDraft): Promise<{ readonly record: HandoffRecord; readonly added: boolean }>;
  get(id: string): Promise<HandoffRecord | undefined>;
  /** The one of a chat that is not over. */
  openIn(conversation: string): Promise<HandoffRecord | undefined>;
  /** Those of a hub that are not over, the oldest first. */
  list(hub: string, limit: number): Promise<HandoffRecord[]>;
  /** Those of a hub that began after an instant of the database's, over or not, the newest first. */
  since(hub: string, after: number, limit: number): Promise<HandoffRecord[]>;
  /** How uses of apps ended that a hub was told of after an instant. */
  outcomes(hub: string, after: number): Promise<{ readonly app: string; readonly status: string; readonly count: number }[]>;
  /** A person takes it, from whoever has it. `undefined`: it is over, or there is none. */
  take(id: string, agent: Agent): Promise<HandoffRecord | undefined>;
  /** Ends it, and tells the hub. `undefined`: it was over. */
  end(
    id: string,
    ending: HandoffEnding,
    more?: { readonly wrapUp?: string | undefined; readonly letter?: LetterDraft | undefined },
  ): Promise<HandoffRecord | undefined>;
  /** Adds a letter, also to one that is over. */
  tell(id: string, letter: LetterDraft): Promise<void>;
  /** Everything that the hub was or is to be told, after a number. */
  letters(id: string, after: number, limit: number): Promise<Letter[]>;
  /** Those for which nobody came in time. */
  overdue(limit: number): Promise<HandoffRecord[]>;
  /** Looks at an overdue one again in so many milliseconds. */
  later(id: string, ms: number): Promise<void>;
  nextOverdue(): Promise<number | undefined>;
  /**
   * Letters whose time has come, none before an earlier one of its handoff is over; nobody else gets them for so many
   * milliseconds.
   */
  claimLetters(hub: string, ms: number, limit: number): Promise<PendingLetter[]>;
  nextLetter(hub: string): Promise<number | undefined>;
  /** Notes what became of one. Does nothing where the claim is over. */
  settleLetter(letter: PendingLetter, fate: LetterFate): Promise<void>;
}
