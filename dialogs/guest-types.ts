// What the apps' dialogs in somebody else's bot are begun with, and what they end with.
import type { AppId } from '../src/contract/index.ts';
import type { Escalation } from '../src/handoff/index.ts';
import type { KeptResult } from '../src/interactions/index.ts';
import type { Dialog } from './sdk.ts';

/** What every app's dialog may start with. A value given here is not asked for. */
export interface CallerOptions {
  /** The customer's number, E.164. The host vouches for it: its customers are offered, masked. */
  readonly phoneNumber?: string;
  /** A customer of that number, by the service's identifier. */
  readonly customerRef?: string;
}

/** What is sent, for the apps that have a choice. Anything missing, or no longer offered, is chosen in the chat. */
interface ChoiceOptions {
  readonly 'document-signature': {
    readonly documentId?: string;
    /** The document's blanks, filled in as they are sent. Without them the customer is asked. */
    readonly variables?: Readonly<Record<string, string>>;
  };
  readonly payments: { readonly productId?: string };
  readonly 'e-form': { readonly formId?: string };
}

/** What each app's dialog may be begun with. */
export type GuestOptions = {
  readonly [Id in AppId]: CallerOptions & (Id extends keyof ChoiceOptions ? ChoiceOptions[Id] : unknown);
};

/** What every outcome of a request that was made says. */
interface Requested<Id extends AppId> {
  /** The app that was used in the end: a customer who cannot use one may be led to another. */
  readonly app: Id;
  /** Names the interaction, for `result`. */
  readonly interactionId: string;
  /** By the service's identifier; empty where nobody may learn whose number it was. */
  readonly customerRef: string;
}

/**
 * What an app's dialog ends with. The customer has been told already.
 * - `success`, `failure`, `timeout`, `cancelled`: how the request ended.
 * - `unknown`: nobody can tell. It may have been sent, or may end later; then the chat hears of it.
 * - `refused`: the service did not take it.
 * - `left`: the customer went away from it, or chose nothing, before anything was sent.
 * - `agent`: they want a person.
 */
export type GuestOutcome<Id extends AppId = AppId> =
  | (Requested<Id> & {
      readonly status: 'success' | 'failure' | 'timeout' | 'cancelled';
      readonly requestId?: string;
      /** Whether the chat is verified for this customer now. */
      readonly verified: boolean;
      /** What is kept of the result, which never holds answers, links or receipts. */
      readonly result?: KeptResult;
      /** What the customer wanted after an ending that was no success. */
      readonly then?: 'left' | 'agent';
    })
  | (Requested<Id> & { readonly status: 'unknown'; readonly then?: 'left' | 'agent' })
  | (Requested<Id> & { readonly status: 'refused'; readonly code?: string; readonly then?: 'left' | 'agent' })
  | { readonly status: 'left'; readonly app: Id; readonly why: 'cancel' | 'menu' | 'restart' | 'shared' }
  | { readonly status: 'agent'; readonly app: Id; readonly reason: Escalation['reason'] };

/** What a flow's dialog may be begun with: who it is about, and its inputs by name (`needs`). */
export interface GuestFlowOptions extends CallerOptions {
  readonly inputs?: Readonly<Record<string, string | number | boolean>>;
}

/**
 * What a flow's dialog ends with: how the flow ended and its outputs (`gives`), as far as they have values.
 * - `agent`: it has brought in a person, or the customer wants one.
 * - `left`: the customer went away from it. Then there are no outputs.
 */
export type GuestFlowOutcome =
  | {
      readonly status: 'success' | 'failure' | 'timeout' | 'cancelled' | 'agent';
      readonly flow: string;
      readonly gives: Readonly<Record<string, string | number | boolean>>;
    }
  | { readonly status: 'left'; readonly flow: string; readonly why: 'cancel' | 'menu' | 'restart' | 'shared' };

/** The five apps as dialogs, by identifier. */
export type GuestDialogs = { readonly [Id in AppId]: Dialog<GuestOptions[Id]> };
