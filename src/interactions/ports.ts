// The ports of this room: what it needs from storage, from the chats, and of the service's events.
import type { EventFrame, EventType } from '../contract/index.ts';
import type { Claim, Intent, Interaction, Step, Transition } from './interaction.ts';
import type { DownReason } from './service-connection.ts';

/**
 * Durable interactions, shared by the processes (replicas) that use the database. One process at a time has claimed an
 * interaction, and only that one may write it. Recording is claiming; a claim lasts until another process takes the
 * interaction over or the claimant's lease ends. Promises resolve only after the write is on disk.
 */
export interface InteractionStore {
  /** Records an intent durably. @throws {LeaseLost} when this process has no lease to claim it under. */
  record(intent: Intent): Promise<Interaction>;
  /** `undefined`: there is none, or none that can be read. */
  get(id: string): Promise<Interaction | undefined>;
  /** Applies a transition where the state allows it and the claim holds; `undefined`: it changed nothing. */
  apply(claim: Claim, transition: Transition): Promise<Interaction | undefined>;
  /** Records a step, the first time, while it waits and the claim holds; `undefined`: it was known, or came too late. */
  advance(claim: Claim, step: Step, at: number): Promise<Interaction | undefined>;
  /**
   * The interactions of one chat that still wait for their outcome, oldest first. Those whose chat may not see how they
   * stand wait until their outcome is delivered.
   */
  waitingIn(conversation: string): Promise<Interaction[]>;
  /**
   * When interactions whose chat may not see how they stand were begun for a phone number, whatever became of them: after
   * an instant, newest first.
   */
  startedFor(phoneNumber: string, after: number, limit: number): Promise<readonly number[]>;
  /** Claims some that are not over and that nobody has claimed. Empty: there are no more. */
  claim(): Promise<Interaction[]>;
  /**
   * Claims one that waits, as {@link waitingIn} has it, also from another process: its customer is here. `undefined`: it
   * does not wait.
   */
  takeOver(id: string): Promise<Interaction | undefined>;
  /** Releases all claims of this process. */
  release(): Promise<void>;
  /** Listens until the returned function is called. */
  follow(listener: ClaimListener): () => void;
}

/** Hears what happens to claims. */
export interface ClaimListener {
  /** All claims are lost: this process could not renew its lease in time. */
  lost(): void;
  /** There may be something to {@link InteractionStore.claim}. Called once at the beginning, and now and then. */
  free(): void;
  /** Another process has taken this one over. A hint: without it, writes under the old claim simply change nothing. */
  taken(id: string): void;
}

/** This process has no lease, so it may start nothing: other processes would take it for abandoned. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
  readonly code = 'lease_lost';
}

/** What a fault of delivery may say beside its code. */
export interface DeliveryFault {
  /** Delivery can never succeed. */
  readonly final?: unknown;
  /** Milliseconds after which it may succeed. */
  readonly retryAfter?: unknown;
  /** The HTTP status. */
  readonly status?: unknown;
}

/** Delivers to the chat. Both calls may be repeated after a crash; the chat's side drops what it has already shown where it can. */
export interface Notifier {
  /**
   * Delivers how an interaction ended (decided, refused, unknown or expired), and goes on with the chat. What is
   * `delivered` already is not shown again.
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

/** Events are hints of what happens, never the truth. */
export interface EventsRequest {
  /** The token of the send. It is sent in the first frame only: never in the address, never in a log. */
  readonly wsToken: string;
  /** The request it was given for, by which the frames of a shared socket are told apart; without it the socket is not shared. */
  readonly requestId?: string | undefined;
  /** The token was sent: the moment to read the result once. Called once, before any event. */
  onUp(): void;
  /** An event whose type is known. Others are ignored. */
  onEvent(type: EventType, frame: EventFrame): void;
  /** A frame came that cannot be read. It may have been the one that mattered, so the result is read. */
  onMalformed?(): void;
  /** The socket is gone. Called once, and nothing is called after it; not at all when this side closed it. */
  onDown(reason: DownReason): void;
}

/** Listens for one token. It does not reconnect: the caller decides when to try again. Never throws. */
export type EventSource = (request: EventsRequest) => { close(): void };
