// Handoffs of chats to people, as callers see them. Instants are epoch milliseconds.

/** `requested`: nobody has joined yet. `accepted`: a person is in the chat. */
export type HandoffState = 'requested' | 'accepted' | 'over';

/**
 * How it ended. `finished`: the person was done. `returned`: either side gave the chat back to the bot.
 * `withdrawn`: the customer did not want to wait. `failed`: the hub could not take it. `timed_out`: nobody joined in
 * time.
 */
export type HandoffEnding = 'finished' | 'returned' | 'withdrawn' | 'failed' | 'timed_out';

/** A person who works at a hub. */
export interface Agent {
  /** Identifies them at the hub. An address does not: anybody may claim it. */
  readonly id: string;
  /** Their e-mail address, if the hub has verified it. */
  readonly email?: string | undefined;
  /** The name shown to customers. */
  readonly name?: string | undefined;
}

/** A handoff, recorded before anybody is told of it. */
export interface NewHandoff {
  readonly id: string;
  /** The chat's name and address. Written once. */
  readonly conversation: string;
  readonly address: string;
  readonly hub: string;
  readonly reason: string;
  readonly app?: string | undefined;
  readonly language: string;
  /** It times out after this many milliseconds if nobody joins. Unset: it never does. */
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
  /** The person's classification of it. */
  readonly wrapUp?: string;
  /** The number of its last letter. */
  readonly letters: number;
  /** The verification status of the chat's user, as of the last letter that contained it. */
  readonly verification?: object;
  /** Something that the customer has said, in a few words and without numbers and addresses. */
  readonly said?: string;
  /** Its name at the hub, if the hub has one for it. */
  readonly place?: string;
  /** The number of the last entry of the hub's agents that has been carried out. */
  readonly seen?: number;
}

/** A message to the hub. A second one under the same key of a handoff is dropped. */
export interface LetterDraft {
  readonly type: string;
  readonly key: string;
  /** JSON. */
  readonly data: object;
  /** Its hub reads it here, so it needs no delivery. */
  readonly arrived?: true | undefined;
}

export interface HandoffFigures {
  readonly firstSaid?: number;
  readonly verified: boolean;
}

export interface Letter {
  readonly id: string;
  readonly handoffId: string;
  /** Its number among the letters of its handoff, from 1. */
  readonly number: number;
  readonly type: string;
  readonly data: object;
  readonly createdAt: number;
}

/** A letter that this process delivers; another process may do so once the claim has ended. */
export interface PendingLetter extends Letter {
  /** How often its delivery has failed. */
  readonly attempts: number;
  readonly claim: number;
}

/** The result of a delivery: arrived; to be tried `again` in that many milliseconds; or given up, with the reason. */
export type LetterFate =
  | { readonly arrived: true }
  | { readonly again: number }
  | { readonly givenUp: string }
  /** It was not tried to the end: it is due at once, and the attempt does not count. */
  | { readonly givenBack: true };

/** A handoff whose hub this process reads; another process may do so once the claim has ended. */
export interface PendingLook {
  readonly handoff: HandoffRecord;
  readonly claim: number;
  /** How many reads in a row found nothing. */
  readonly quiet: number;
}

/** When to read hubs for what their agents have done. */
export interface LookStore {
  /** Stores a handoff's name at the hub, which is read in that many milliseconds at the latest. */
  placed(id: string, place: string, ms: number): Promise<void>;
  /** The handoff of this name at a hub; of several, the newest. */
  at(hub: string, place: string): Promise<HandoffRecord | undefined>;
  /** Makes a read due now, since something may have happened, even after the handoff's end. `false`: there is none. */
  hint(hub: string, place: string): Promise<boolean>;
  /** Claims due reads: no other process gets them for that many milliseconds. */
  claimLooks(hub: string, ms: number, limit: number): Promise<PendingLook[]>;
  nextLook(hub: string): Promise<number | undefined>;
  /** Records up to which number the agents' entries have been carried out; never lowers it. */
  seen(id: string, upTo: number): Promise<void>;
  /**
   * Sets the next read: `again` in that many milliseconds; unset: at the next hint. Does nothing if a hint came
   * meanwhile.
   */
  settleLook(look: PendingLook, next: { readonly again?: number | undefined; readonly quiet: number }): Promise<void>;
}

export interface HandoffStore extends LookStore {
  /**
   * Records a handoff, with its first letter if its hub takes letters. If the chat has one that has not ended, returns
   * that one, and `added` is false.
   */
  add(handoff: NewHandoff, letter?: LetterDraft): Promise<{ readonly record: HandoffRecord; readonly added: boolean }>;
  get(id: string): Promise<HandoffRecord | undefined>;
  /** The handoff of a chat that has not ended. */
  openIn(conversation: string): Promise<HandoffRecord | undefined>;
  /** A hub's handoffs that have not ended, oldest first. */
  list(hub: string, limit: number): Promise<HandoffRecord[]>;
  /** A hub's handoffs that began after an instant (by the database's clock), ended or not, newest first. */
  since(hub: string, after: number, limit: number): Promise<HandoffRecord[]>;
  /** Counts the outcomes of apps that a hub was told of after an instant. */
  outcomes(hub: string, after: number): Promise<{ readonly app: string; readonly status: string; readonly count: number }[]>;
  /**
   * By the ids of a hub's handoffs, from letters after an instant: when an agent first wrote, and whether the customer
   * was verified at any time.
   */
  figures(hub: string, after: number): Promise<ReadonlyMap<string, HandoffFigures>>;
  /** Assigns it to a person, whoever had it before. `undefined`: it has ended, or does not exist. */
  take(id: string, agent: Agent): Promise<HandoffRecord | undefined>;
  /** Takes it from the person who has it: it waits again, for that many milliseconds. `undefined`: nobody has it. */
  release(id: string, dueIn: number): Promise<HandoffRecord | undefined>;
  /** Ends it, and informs the hub. `undefined`: it had ended already. */
  end(
    id: string,
    ending: HandoffEnding,
    more?: { readonly wrapUp?: string | undefined; readonly letter?: LetterDraft | undefined },
  ): Promise<HandoffRecord | undefined>;
  /** Adds a letter, even to a handoff that has ended. */
  tell(id: string, letter: LetterDraft): Promise<void>;
  /** All letters after a number, delivered or not. */
  letters(id: string, after: number, limit: number): Promise<Letter[]>;
  /** The handoffs that nobody joined in time. */
  overdue(limit: number): Promise<HandoffRecord[]>;
  /** Postpones the next look at an overdue handoff by that many milliseconds. */
  later(id: string, ms: number): Promise<void>;
  nextOverdue(): Promise<number | undefined>;
  /**
   * Claims due letters: no other process gets them for that many milliseconds. None comes before the earlier letters of
   * its handoff are settled.
   */
  claimLetters(hub: string, ms: number, limit: number): Promise<PendingLetter[]>;
  nextLetter(hub: string): Promise<number | undefined>;
  /** Records the result of a delivery. Does nothing if the claim has ended. */
  settleLetter(letter: PendingLetter, fate: LetterFate): Promise<void>;
}
