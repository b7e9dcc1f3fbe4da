// The room's ports: what it needs from storage, from the chats, and from a source of the service's events.
import type { AppId, EventFrame, EventType } from '../contract/index.ts';
import type { Claim, Decision, DeviceStep, Intent, Interaction, Transition } from './interaction.ts';
import type { DownReason } from './service-connection.ts';

/** What a customer can think of an outcome. */
export const ratings = ['like', 'dislike'] as const;
export type Rating = (typeof ratings)[number];

/** An outcome that a customer thought something of. */
export interface Rated {
  readonly app: AppId;
  readonly status: Decision['status'];
  /** What they thought of it until now. */
  readonly before?: Rating;
}

/** An interaction as its chat was told of it. */
export type Told = Claim & Pick<Interaction, 'conversation'>;

/**
 * Durable interactions, shared by the processes (replicas) that use the database. One process at a time has claimed an
 * interaction, and only that process may write it. Recording an intent claims it; a claim lasts until another process
 * takes the interaction over or the claimant's lease ends. Promises resolve only after the write is on disk.
 */
export interface InteractionStore {
  /** Records an intent durably. @throws {LeaseLost} when this process has no lease to claim it under. */
  record(intent: Intent): Promise<Interaction>;
  /** `undefined`: it does not exist, or cannot be read. */
  get(id: string): Promise<Interaction | undefined>;
  /** Applies a transition if the state allows it and the claim holds; `undefined`: nothing changed. */
  apply(claim: Claim, transition: Transition): Promise<Interaction | undefined>;
  /**
   * Applies that its ending was delivered, or cannot be. Where the turn that delivers it gathers its writes, that is
   * stored with them: either all of it lasts or nothing.
   */
  tell(interaction: Told, kind: 'delivered' | 'unreachable'): Promise<void>;
  /**
   * Records a step the first time it is reported, while the interaction waits and the claim holds; `undefined`: nothing
   * changed.
   */
  advance(claim: Claim, step: DeviceStep, at: number): Promise<Interaction | undefined>;
  /**
   * The interactions of one chat that still wait for their outcome, oldest first. Where the chat may not see how they
   * stand, they wait from the beginning until the outcome is delivered or they are called off.
   */
  waitingIn(conversation: string): Promise<Interaction[]>;
  /** The newest of a conversation, whatever became of them, newest first. */
  inConversation(conversation: string, limit: number): Promise<Interaction[]>;
  /** Notes that the chat calls off an interaction whose state it may not see, whoever has claimed it. */
  requestCancel(id: string): Promise<void>;
  /**
   * Keeps what the customer thought of an outcome of this conversation, in place of what they thought before; answers
   * what it was an outcome of. `undefined`: the conversation has no such outcome.
   */
  rate(id: string, conversation: string, rating: Rating): Promise<Rated | undefined>;
  /**
   * Of a phone number, the newest whose outcome its chat could not be told, and that were not mentioned in another
   * since. Those of which nobody may learn that they exist are left out.
   */
  undeliverableTo(phoneNumber: string, limit: number): Promise<Interaction[]>;
  /** Notes that they were mentioned in another chat, where they will not be again. */
  mention(ids: readonly string[]): Promise<void>;
  /**
   * When interactions whose state the chat may not see were started for a phone number, whatever became of them: after
   * an instant, newest first.
   */
  startedFor(phoneNumber: string, after: number, limit: number): Promise<readonly number[]>;
  /** Claims some that are unfinished and unclaimed. Empty: there are no more. */
  claim(): Promise<Interaction[]>;
  /**
   * Claims one that waits, even from another process, because its customer is here. Where the chat may not see how it
   * stands, it waits from when it is decided whether it was sent until its outcome is delivered. `undefined`: it does
   * not wait.
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

/** This process has no lease, so it may start nothing: other processes would treat it as abandoned. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
  readonly code = 'lease_lost';
}

/** Fields that a fault of delivery may have beside its code. */
export interface DeliveryFault {
  /** Delivery can never succeed. */
  readonly final?: unknown;
  /** Milliseconds after which it may succeed. */
  readonly retryAfter?: unknown;
  /** The HTTP status. */
  readonly status?: unknown;
}

/**
 * Delivers to the chat. Both calls may be repeated after a crash; the chat's side drops what it has already shown where
 * it can.
 */
export interface Notifier {
  /**
   * Delivers how an interaction ended (decided, refused, unknown or expired), and continues the chat. An ending that is
   * `delivered` already is not shown again.
   * @throws a {@link DeliveryFault}
   */
  outcome(interaction: Interaction): Promise<void>;
  /** Shows the steps so far. Best effort: a failure costs only a stale card. */
  progress(interaction: Interaction): Promise<void>;
}

/** The news that a proactive turn brings into a chat. */
export interface News {
  /** `still`: nothing has happened for a while. */
  readonly kind: 'outcome' | 'progress' | 'still';
  readonly interaction: Interaction;
}

/** A subscription to the events of one request. Events are hints of what happens, never the truth. */
export interface EventsRequest {
  /** The token of the send. It is sent in the first frame only: never in the address, never in a log. */
  readonly wsToken: string;
  /**
   * The request of the token, by which the frames of a shared socket are told apart. Without it the socket is not
   * shared.
   */
  readonly requestId?: string | undefined;
  /** The token was sent: the moment to read the result once. Called once, before any event. */
  onUp(): void;
  /** An event whose type is known. Others are ignored. */
  onEvent(type: EventType, frame: EventFrame): void;
  /** A frame came that cannot be read. It may have been the final one, so the result is read. */
  onMalformed?(): void;
  /** The socket is down. Called once, and the last call; never called when this side closed it. */
  onDown(reason: DownReason): void;
}

/** Listens for one token. It does not reconnect: the caller decides when to try again. Never throws. */
export type EventSource = (request: EventsRequest) => { close(): void };
