// One use of an app with one customer, from the intent to the delivered outcome: its data and its state machine.
import { type AppId, apps, type ResultRecord, type SendRequest } from '../contract/index.ts';

/**
 * The state of an interaction. `intended → waiting → decided → delivered`; or `refused` (the service said no); or
 * `unknown` (the service may have accepted it, so it is not sent again); or `undeliverable` (decided, but the chat is
 * gone).
 *
 * When the wait ends without a known outcome (decision 0016): `waiting → expired → unresolved → decided → delivered`.
 * `expired`: the chat has yet to be told. `unresolved`: it was told, and a late result is looked for; if none comes,
 * the interaction is `unknown`.
 */
export type State = (typeof states)[number];
const states = ['intended', 'waiting', 'expired', 'unresolved', 'decided', 'delivered', 'refused', 'unknown', 'undeliverable'] as const;
/** Whether a string names a state. */
export const isState = (value: string): value is State => (states as readonly string[]).includes(value);

/** The end of an interaction. `cancelled`: it was withdrawn, by our side or at the service. */
export interface Decision {
  readonly status: 'success' | 'failure' | 'timeout' | 'cancelled';
  /**
   * The source of the decision: the result record, an event whose result could not be read, a matching code, our
   * deadline, the customer, or the service, which withdrew the request itself.
   */
  readonly by: 'result' | 'event' | 'check' | 'deadline' | 'customer' | 'service';
  /** The result record, if it was read; once stored, only the stored part. */
  readonly result?: KeptResult;
  /** When the service's event reported the end, epoch milliseconds, if an event came first. */
  readonly heardAt?: number | undefined;
  /** It came after the chat was told that the outcome is unknown. */
  readonly late?: true;
}

export interface Outcome extends Decision {
  /** When it was decided, epoch milliseconds. */
  readonly at: number;
}

/** The steps seen on the customer's device so far, with the instant (epoch ms) each was first reported. */
export type DeviceStep = 'sent' | 'opened' | 'started';
export type Progress = { readonly [Name in DeviceStep]?: number };

/** The stored body of a send. A passkeys request's recipients are looked up when it is sent, and never stored. */
export type KnownRequest<Id extends AppId = AppId> = {
  [App in Id]: App extends 'passkeys' ? Omit<SendRequest<App>, 'recipients'> & Partial<SendRequest<App>> : SendRequest<App>;
}[Id];

/** Recorded before anything is sent. Instants are epoch milliseconds. */
export interface Intent<Id extends AppId = AppId> {
  /** A ULID, made here. It is also the idempotency key of the send. */
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
  /**
   * Its subject (the title of the document, product or form), for an outcome that is delivered after the chat's own
   * memory of it is gone.
   */
  readonly subject?: string | undefined;
  /** The person who asked for it on the customer's behalf, as the service is told: usually an e-mail address. */
  readonly agentId?: string | undefined;
  /** The chat must not learn whether its number and initials belong to a customer: see blind-lookup.ts. */
  readonly blindLookup?: true;
  readonly createdAt: number;
  /** When waiting ends at the latest: {@link margin} after the request itself should have ended. */
  readonly deadline: number;
  /**
   * The place of the turn that asked for it in its trace, so that later work joins that trace, also after a restart.
   */
  readonly traceparent?: string | undefined;
}

/**
 * Whether this is what somebody asks for under an id of their own; what is unset may be anything. A repeated id that means
 * something else must not be answered as started.
 * @param asked - `chosen`: the document, product or form
 */
export const isAsked = (
  { app, customerRef, phoneNumber, request }: Intent,
  asked: Pick<Intent, 'app'> & { readonly [Name in 'chosen' | 'customerRef' | 'phoneNumber']?: string | undefined },
): boolean => {
  const { documentId, formId, productId } = request as Readonly<Partial<Record<string, string>>>;
  const chosen = documentId ?? productId ?? formId;
  const isSame = (is: string | undefined, wanted: string | undefined) => wanted === undefined || is?.toLowerCase() === wanted.toLowerCase();
  return (
    app === asked.app &&
    isSame(phoneNumber, asked.phoneNumber) &&
    (asked.customerRef === undefined || customerRef === asked.customerRef) &&
    isSame(chosen, asked.chosen)
  );
};

/** How much longer (ms) we wait than a request is valid, so that the service's own result comes first. */
export const margin = 60_000;

/** This process's claim on an interaction, as of when it was read. A write succeeds only while the claim holds. */
export type Claim = Pick<Interaction, 'epoch' | 'id'>;

/** The epoch of an interaction that this process has not claimed. Nothing can be written under it. */
export const notClaimed = 0;

export interface Interaction extends Intent {
  /** Grows with each claim by another process; {@link notClaimed} where this process has no claim. */
  readonly epoch: number;
  readonly state: State;
  readonly requestId?: string;
  readonly wsToken?: string;
  readonly progress: Progress;
  /** Wrong passcodes since the code was last sent. */
  readonly mistyped: number;
  readonly outcome?: Outcome;
  /** Why it was refused, as a stable code. */
  readonly refusal?: string;
  /**
   * The chat has called it off, so only a success is still delivered. Stored where the chat may not see how it stands.
   */
  readonly cancelRequested?: true;
  /** Whether its ending was delivered. After an unknown one, a late outcome may follow. */
  readonly delivered: boolean;
}

/** The fields of every stored result. */
const common = ['accountId', 'app', 'customerRef', 'id', 'sessionRef', 'status', 'reason', 'timestamp'] as const;

/**
 * The part of a result that is stored with its interaction: what happened, and the identifiers at the service. Details
 * are read again when somebody may see them.
 */
export type KeptResult<Id extends AppId = AppId> = {
  [App in Id]: Pick<ResultRecord<App>, (typeof common)[number]> & Partial<ResultRecord<App>>;
}[Id];

/** A result without the fields that may not be stored (docs/decisions/0008). */
export const keptOf = (result: KeptResult): KeptResult => {
  const names: readonly string[] = [...common, ...apps[result.app].storedFields];
  return Object.fromEntries(Object.entries(result).filter(([name]) => names.includes(name))) as KeptResult;
};

export type Transition =
  /** `deadline`: when waiting ends, if the service said how long the request is valid. */
  | { readonly kind: 'accepted'; readonly requestId: string; readonly wsToken?: string; readonly deadline?: number }
  | { readonly kind: 'refused'; readonly refusal: string }
  | { readonly kind: 'lost' }
  /** The request was sent again. A new request replaces the old one, and wrong codes are counted from zero. */
  | { readonly kind: 'resent'; readonly requestId: string; readonly wsToken?: string; readonly deadline?: number }
  | { readonly kind: 'mistyped' }
  /** A wrong code, for an interaction whose state the chat may not see. */
  | { readonly kind: 'guessed' }
  | { readonly kind: 'decided'; readonly outcome: Outcome }
  /** Waiting ended without a known outcome: no result can be read, and the request cannot be withdrawn. */
  | { readonly kind: 'expired' }
  /** No late result came. */
  | { readonly kind: 'abandoned' }
  | { readonly kind: 'delivered' }
  | { readonly kind: 'unreachable' };

const transitions: Record<Transition['kind'], Partial<Record<State, State>>> = {
  accepted: { intended: 'waiting' },
  refused: { intended: 'refused' },
  lost: { intended: 'unknown' },
  resent: { waiting: 'waiting' },
  mistyped: { waiting: 'waiting' },
  guessed: { intended: 'intended', waiting: 'waiting', refused: 'refused', unknown: 'unknown', decided: 'decided', expired: 'expired' },
  decided: { waiting: 'decided', unresolved: 'decided' },
  expired: { waiting: 'expired' },
  abandoned: { unresolved: 'unknown' },
  // A refusal and an unknown outcome are delivered too, without a change of state. After an expiry, a late outcome may
  // follow.
  delivered: { decided: 'delivered', refused: 'refused', unknown: 'unknown', expired: 'unresolved' },
  unreachable: { decided: 'undeliverable', refused: 'refused', unknown: 'unknown', expired: 'undeliverable' },
};

/**
 * The state after a transition, or `undefined` for one that comes late, twice or out of order and changes nothing.
 * States only move forward.
 */
export const next = (state: State, transition: Transition): State | undefined => transitions[transition.kind][state];

/** The states that a transition can change. */
export const statesBefore = (kind: Transition['kind']) => Object.keys(transitions[kind]) as State[];
