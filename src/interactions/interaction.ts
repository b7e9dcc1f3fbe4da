// One use of an app with one customer, from the intent to the outcome that was told.
import type { AppId, SendRequest } from '../contract/index.ts';
import type { KeptResult } from './kept-result.ts';

/**
 * Where an interaction stands. `intended → waiting → decided → delivered`; or `refused` (the service said no); or `unknown` (it cannot be
 * known whether the service took it, so nothing is sent again); or `undeliverable` (decided, but the chat is gone; kept for the desk).
 *
 * A wait whose end cannot be known goes another way (decision 0016): `waiting → expired → unresolved → decided → delivered`. `expired`: the customer
 * is to be told that the end is unknown. `unresolved`: they were told, and the result is looked for a while longer, as a late outcome; when none
 * comes it is `unknown`.
 */
export type State = (typeof states)[number];
const states = ['intended', 'waiting', 'expired', 'unresolved', 'decided', 'delivered', 'refused', 'unknown', 'undeliverable'] as const;
/** Whether a string names a state. */
export const isState = (value: string): value is State => (states as readonly string[]).includes(value);

/** What ends an interaction. `cancelled`: it was withdrawn, by our side or at the service. */
export interface Decision {
  readonly status: 'success' | 'failure' | 'timeout' | 'cancelled';
  /**
   * What it was decided by: the result record, an event whose result could not be read, a matching code, our deadline, the customer, or the
   * service, which withdrew the request by itself.
   */
  readonly by: 'result' | 'event' | 'check' | 'deadline' | 'customer' | 'service';
  /** The result record, when it was read; once stored, what is kept of it. */
  readonly result?: KeptResult;
  /** When the service's event said that it is over, epoch milliseconds, where one came first. */
  readonly heardAt?: number | undefined;
  /** It came after the customer had been told that the end is unknown. */
  readonly late?: true;
}

/** What an interaction came to. */
export interface Outcome extends Decision {
  /** When it was decided, epoch milliseconds. */
  readonly at: number;
}

/** The steps seen on the customer's device so far, each with the instant (epoch ms) it was first heard of. */
export type Step = 'sent' | 'opened' | 'started';
export type Progress = { readonly [Name in Step]?: number };

/** The body of a send as far as it is recorded: whom a passkeys request goes to is looked up when it is sent, and never kept. */
export type KnownRequest<Id extends AppId = AppId> = {
  [App in Id]: App extends 'passkeys' ? Omit<SendRequest<App>, 'recipients'> & Partial<SendRequest<App>> : SendRequest<App>;
}[Id];

/** What is recorded before anything is sent. Instants are epoch milliseconds. */
export interface Intent<Id extends AppId = AppId> {
  /** A ULID, made here; it is also the idempotency key of the send. */
  readonly id: string;
  readonly app: Id;
  /** Names the chat it belongs to. Opaque here. */
  readonly conversation: string;
  /** Where its outcome is told. Opaque here; written once, never changed. */
  readonly address: string;
  readonly sessionRef: string;
  readonly customerRef: string;
  readonly phoneNumber: string;
  readonly request: KnownRequest<Id>;
  /** What it is about (title of the document, product or form), for an ending that is told when nothing else remembers it. */
  readonly subject?: string | undefined;
  /** Its chat must not learn whether its number and initials are a customer's: see alike.ts. */
  readonly alike?: true;
  readonly createdAt: number;
  /** When waiting ends, whatever the service says or does not say: {@link margin} after the request ends by itself, as far as is known. */
  readonly deadline: number;
  /** The place in the trace of the turn that asked for it, so that what follows joins that trace, also after a restart. */
  readonly traceparent?: string | undefined;
}

/** How much longer (ms) we wait than a request is good for, so that the service's own word comes first. */
export const margin = 60_000;

/** An interaction as it was when it was read. A write is made on it only if it has not changed hands since. */
export interface Claim {
  readonly id: string;
  /** Grows each time another process takes the interaction over; {@link notClaimed} where another process (or none) holds it. */
  readonly epoch: number;
}

/** The epoch of what is not held by this process: nothing can be written under it. */
export const notClaimed = 0;

export interface Interaction extends Intent, Claim {
  readonly state: State;
  readonly requestId?: string;
  readonly wsToken?: string;
  readonly progress: Progress;
  /** Wrong passcodes since the code was last sent. */
  readonly mistyped: number;
  readonly outcome?: Outcome;
  /** Why it was refused, as the service's stable code. */
  readonly refusal?: string;
  /** Whether the customer has been told how it ended; of an end that was unknown, a late outcome may follow. */
  readonly delivered: boolean;
}
