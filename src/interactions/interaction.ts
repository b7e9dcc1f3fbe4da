// One use of an app with one customer, from the intent to the delivered outcome.
import type { AppId, SendRequest } from '../contract/index.ts';
import type { KeptResult } from './kept-result.ts';

/**
 * Where an interaction stands. `intended → waiting → decided → delivered`; or `refused` (the service said no); or
 * `unknown` (it cannot be known whether the service accepted it, so nothing is sent again); or `undeliverable` (decided,
 * but the chat is gone).
 *
 * When the wait ends with the outcome unknown (decision 0016): `waiting → expired → unresolved → decided → delivered`.
 * `expired`: that the outcome is unknown is to be delivered. `unresolved`: it was, and a late result is looked for; when
 * none comes, the interaction is `unknown`.
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
  /** It came after it was delivered that the outcome is unknown. */
  readonly late?: true;
}

/** A decision, as it was stored. */
export interface Outcome extends Decision {
  /** When it was decided, epoch milliseconds. */
  readonly at: number;
}

/** The steps seen on the customer's device so far, each with the instant (epoch ms) it was first heard of. */
export type Step = 'sent' | 'opened' | 'started';
export type Progress = { readonly [Name in Step]?: number };

/** The body of a send as far as it is stored. A passkeys request's recipients are looked up when it is sent, and never stored. */
export type KnownRequest<Id extends AppId = AppId> = {
  [App in Id]: App extends 'passkeys' ? Omit<SendRequest<App>, 'recipients'> & Partial<SendRequest<App>> : SendRequest<App>;
}[Id];

/** What is recorded before anything is sent. Instants are epoch milliseconds. */
export interface Intent<Id extends AppId = AppId> {
  /** A ULID, made here; it is also the idempotency key of the send. */
  readonly id: string;
  readonly app: Id;
  /** The chat it belongs to. Opaque here. */
  readonly conversation: string;
  /** Where its outcome is delivered. Opaque here; written once, never changed. */
  readonly address: string;
  readonly sessionRef: string;
  readonly customerRef: string;
  readonly phoneNumber: string;
  readonly request: KnownRequest<Id>;
  /** What it is about (title of the document, product or form), for an outcome that is delivered when nothing else remembers it. */
  readonly subject?: string | undefined;
  /** The person who asked for it in the customer's stead, as the service is told: an e-mail address, as a rule. */
  readonly agentId?: string | undefined;
  /** Its chat must not learn whether its number and initials are a customer's: see alike.ts. */
  readonly alike?: true;
  readonly createdAt: number;
  /** When waiting ends in any case: {@link margin} after the request itself is expected to end. */
  readonly deadline: number;
  /** The place in the trace of the turn that asked for it, so that what follows joins that trace, also after a restart. */
  readonly traceparent?: string | undefined;
}

/** How much longer (ms) we wait than a request is good, so that the service's own word comes first. */
export const margin = 60_000;

/** This process's claim on an interaction, as it was when it was read. A write succeeds only while the claim holds. */
export interface Claim {
  readonly id: string;
  /** Grows with each claim by another process; {@link notClaimed} where another process, or none, has it. */
  readonly epoch: number;
}

/** The epoch of what this process has not claimed: nothing can be written under it. */
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
  /** Whether its ending was delivered; after an unknown one, a late outcome may follow. */
  readonly delivered: boolean;
}
