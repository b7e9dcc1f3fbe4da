// What the life of an interaction needs from outside this room.
import type { Claim, Intent, Interaction, Step } from './interaction.ts';
import type { Transition } from './states.ts';

/**
 * Durable interactions, shared by the processes (replicas) that use the database. Each is held by one of them at a time, which alone may write
 * it; whoever records or claims it holds it, until it is taken over or the holder's lease ends. Every promise resolves only after what it wrote is
 * on disk.
 */
export interface InteractionStore {
  /** Records an intent; from here on it cannot be forgotten. @throws {LeaseLost} when this process could not hold it. */
  record(intent: Intent): Promise<Interaction>;
  /** `undefined`: there is none, or none that can be read. */
  get(id: string): Promise<Interaction | undefined>;
  /** Applies a transition if the interaction's state allows it and it is held here; answers the new row, or `undefined` when it changed nothing. */
  apply(claim: Claim, transition: Transition): Promise<Interaction | undefined>;
  /** Notes a step the first time it is heard of while waiting and held here; `undefined` when it was known or comes too late. */
  advance(claim: Claim, step: Step, at: number): Promise<Interaction | undefined>;
  /** The interactions of one chat that still wait for their outcome, oldest first; of those whose chat may not see how they stand, all that are not told. */
  waitingIn(conversation: string): Promise<Interaction[]>;
  /** When interactions whose chat may not see how they stand were begun for a phone number, whatever became of them: after an instant, newest first. */
  startedFor(phoneNumber: string, after: number, limit: number): Promise<readonly number[]>;
  /** Takes hold of some that are not over and that nobody holds. None: there are no more. */
  claim(): Promise<Interaction[]>;
  /** Takes hold of one that waits, as {@link waitingIn} counts it, whoever holds it: its customer is here. `undefined`: it does not wait (any more). */
  takeOver(id: string): Promise<Interaction | undefined>;
  /** Lets go of everything that is held here, for others to claim. */
  release(): Promise<void>;
  /** Listens until the returned function is called. */
  follow(listener: ClaimListener): () => void;
}

/** What may happen to what a process holds. */
export interface ClaimListener {
  /** Nothing is held here any more: this process was out of touch for too long. */
  lost(): void;
  /** There may be something to {@link InteractionStore.claim}. Called once at the beginning, and every now and then. */
  free(): void;
  /** This one changed hands: it may not be held here any more. A hint: whoever misses it finds that it can write nothing. */
  taken(id: string): void;
}

/** This process is out of touch with the others, so it may begin nothing that they would take for abandoned. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
  readonly code = 'lease_lost';
}

/** What a chat's fault may say beside its code. */
export interface DeliveryFault {
  /** It will never work. */
  readonly final?: unknown;
  /** It may work after so many milliseconds. */
  readonly retryAfter?: unknown;
  /** The HTTP status. */
  readonly status?: unknown;
}

/** Tells the chat. Both calls may be repeated after a crash; the chat's side drops what it has already shown where it can. */
export interface Notifier {
  /**
   * Tells how an interaction ended (decided, refused, unknown or expired), and goes on with the chat. An interaction that is
   * `told` already is not told again.
   * @throws a {@link DeliveryFault}.
   */
  outcome(interaction: Interaction): Promise<void>;
  /** Shows the steps so far. Best effort: a failure costs only a stale card. */
  progress(interaction: Interaction): Promise<void>;
}

/** What a proactive turn brings into a chat. */
export interface News {
  readonly kind: 'outcome' | 'progress';
  readonly interaction: Interaction;
}
