// The room's ports: what it needs from storage, from the chats, and from a source of the service's events.
import type { ServiceClient } from '../client/index.ts';
import type { AppId, EventFrame, EventType } from '../contract/index.ts';
import type { KeptRate, Limit } from '../platform/limits.ts';
import type { Log } from '../platform/log.ts';
import type { Tracing } from '../platform/telemetry.ts';
import type { Clock } from '../platform/time/clock.ts';
import type { Claim, Decision, DeviceStep, Intent, Interaction, Transition } from './interaction.ts';
import type { DownReason } from './socket/service-connection.ts';

/** What the whole room works with. */
export interface InteractionsContext {
  readonly client: ServiceClient;
  readonly store: InteractionStore;
  readonly events: EventSource;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly random: () => number;
  /**
   * How long (ms) to wait for an interaction of each app if the service does not say how long its requests are valid.
   */
  readonly outcomeTimeouts: Readonly<Record<AppId, number>>;
  /** Whether the service honours the idempotency key, so that an intent that may have been sent can be sent again. */
  readonly idempotent: boolean;
  /** The language (BCP 47) of the chat that an address names, for what a crash left to be sent. */
  readonly languageOf?: (address: string) => string | undefined;
  /** How many requests may be sent to the customer of one typed number, over all chats, in a blind look-up. */
  readonly sendsToNumber: readonly KeptRate[];
  /** Counts requests for one typed number from one origin, hit or miss, in this process. */
  readonly fromOrigin: Limit;
  readonly log: Log;
  readonly tracing?: Tracing;
}

/** A customer's rating of an outcome. */
export const ratings = ['like', 'dislike'] as const;
export type Rating = (typeof ratings)[number];

/** An interaction whose ending was delivered, in the form that its chat has it. */
export type DeliveredRef = Claim & Pick<Interaction, 'conversation'>;

/**
 * Durable interactions, shared by the processes (replicas) that use the database. One process at a time has claimed an
 * interaction, and only that process may write it. Recording an intent claims it; a claim lasts until another process
 * takes the interaction over or the claimant's lease ends. Promises resolve only after the write is on disk.
 */
export interface InteractionStore {
  /** Records an intent durably. @throws {LeaseLost} when this process has no lease to claim it under. */
  record(intent: Intent): Promise<Interaction>;
  /** Finds an interaction. `undefined`: it does not exist, or cannot be read. */
  get(id: string): Promise<Interaction | undefined>;
  /** Applies a transition if the state allows it and the claim holds; `undefined`: nothing changed. */
  apply(claim: Claim, transition: Transition): Promise<Interaction | undefined>;
  /**
   * Records that its ending was delivered, or cannot be. If the turn that delivers it gathers its writes, this is
   * stored with them: all or nothing.
   */
  markDelivered(interaction: DeliveredRef, kind: 'delivered' | 'unreachable'): Promise<void>;
  /**
   * Records a step the first time it is reported, while the interaction waits and the claim holds; `undefined`: nothing
   * changed.
   */
  advance(claim: Claim, step: DeviceStep, at: number): Promise<Interaction | undefined>;
  /**
   * The interactions of one chat that still wait for their outcome, oldest first. Those whose progress the chat may not
   * see count as waiting from the beginning until the outcome is delivered or they are called off.
   */
  waitingIn(conversation: string): Promise<Interaction[]>;
  /** A customer's newest interactions that wait for an outcome, in any chat. Omits those whose existence nobody may learn. */
  waitingFor(customerRef: string, limit: number): Promise<Interaction[]>;
  /** The newest interactions of a conversation, in any state, newest first. */
  inConversation(conversation: string, limit: number): Promise<Interaction[]>;
  /** Records that the chat calls off an interaction whose state it may not see, whichever process has claimed it. */
  requestCancel(id: string): Promise<void>;
  /**
   * Stores the customer's rating of an outcome of this conversation in place of the one before, and returns what was
   * rated. `undefined`: the conversation has no such outcome.
   */
  rate(
    id: string,
    conversation: string,
    rating: Rating,
  ): Promise<{ readonly app: AppId; readonly status: Decision['status']; readonly before?: Rating } | undefined>;
  /**
   * A phone number's newest interactions whose outcome could not be delivered to their chat, and that have not been
   * mentioned in another chat since. Omits those whose existence nobody may learn.
   */
  undeliverableTo(phoneNumber: string, limit: number): Promise<Interaction[]>;
  /** Records that they were mentioned in another chat, so that they are not mentioned again. */
  mention(ids: readonly string[]): Promise<void>;
  /**
   * How many interactions whose state the chat may not see were sent to the customer of a phone number after an instant:
   * `limit` at most.
   */
  sentTo(phoneNumber: string, after: number, limit: number): Promise<number>;
  /**
   * Whether such an interaction with this customer, started after an instant, was a success: in this conversation, or at
   * least in another.
   */
  succeededFor(phoneNumber: string, customerRef: string, conversation: string, after: number): Promise<'customer' | 'session' | undefined>;
  /** Claims some unfinished, unclaimed interactions. Empty: there are no more. */
  claim(): Promise<Interaction[]>;
  /**
   * Claims a waiting interaction, even from another process, because its customer is here. If the chat may not see its
   * progress, it counts as waiting from the decision whether to send it until its outcome is delivered. `undefined`: it
   * is not waiting.
   */
  takeOver(id: string): Promise<Interaction | undefined>;
  /** Releases all claims of this process. */
  release(): Promise<void>;
  /** Listens until the returned function is called. */
  follow(listener: {
    /** All claims are lost: this process could not renew its lease in time. */
    lost(): void;
    /** There may be something to {@link InteractionStore.claim}. Called once at the beginning, and now and then. */
    free(): void;
    /** Another process has taken this one over. A hint: without it, writes under the old claim simply change nothing. */
    taken(id: string): void;
  }): () => void;
}

/** This process has no lease, so it may start nothing: other processes would treat it as abandoned. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
  readonly code = 'lease_lost';
}

/**
 * Delivers news to the chat, and continues it. May be repeated after a crash; where it can, the chat's side drops what
 * it has already shown. `outcome`: how the interaction ended (decided, refused, unknown or expired); one that is
 * `delivered` already is not shown again. `progress`: the steps so far, best effort: a failure costs only a stale card.
 * @throws an error that may say whether it is `final` (delivery can never succeed), after how many milliseconds it may
 * succeed (`retryAfter`), and the HTTP `status`
 */
export type Notify = (interaction: Interaction, kind: 'outcome' | 'progress') => Promise<void>;

/** Delivers the news of interactions whose address it owns. */
export interface AddressOwner {
  owns(address: { readonly [field: string]: unknown }): boolean;
  readonly notify: Notify;
}

/** Delivers through the first of the owners whose address it is, else through `chats`. */
export const notifyByAddress =
  (owners: readonly AddressOwner[], chats: Notify): Notify =>
  async (interaction, kind) => {
    const address = JSON.parse(interaction.address);
    const { notify } = owners.find(({ owns }) => owns(address)) ?? { notify: chats };
    await notify(interaction, kind);
  };

/** The event that a proactive turn brings into a chat. */
export interface News {
  /** `still`: nothing has happened for a while. */
  readonly kind: 'outcome' | 'progress' | 'still';
  readonly interaction: Interaction;
}

/** A subscription to the events of one request. Events are hints of what happens, never the truth. */
export interface EventsRequest {
  /** The token of the send. It is sent in the first frame only: never in the address, never in a log. */
  readonly wsToken: string;
  /** The token's request, which distinguishes the frames of a shared socket. Without it the socket is not shared. */
  readonly requestId?: string | undefined;
  /** The token was sent: the moment to read the result once. Called once, before any event. */
  onUp(): void;
  /** An event whose type is known. Others are ignored. */
  onEvent(type: EventType, frame: EventFrame): void;
  /** Called for an unreadable frame. It may have been the final one, so the result is read. */
  onMalformed?(): void;
  /** The socket is down. Called once, and the last call; never called when this side closed it. */
  onDown(reason: DownReason): void;
}

/** Listens for one token. It does not reconnect: the caller decides when to try again. Never throws. */
export type EventSource = (request: EventsRequest) => { close(): void };
