// The inputs and results of the apps' dialogs in other bots. Types alone: the package declares them, and what this file
// imported would be declared with them.
import type { AppId } from '../../src/contract/index.ts';
import type { KeptResult } from '../../src/interactions/index.ts';
import type { Escalation } from '../escalation/case.ts';
import type { Dialog } from '../sdk.ts';

/** What every app's dialog may start with. A value given here is not asked for. */
export interface CallerOptions {
  /** The customer's number, E.164. The host vouches for it: its customers are offered, masked. */
  readonly phoneNumber?: string;
  /** A customer of that number, by the service's identifier. */
  readonly customerRef?: string;
  /** Only for this customer: the app ends, as `left`, if somebody else is named in the chat. */
  readonly bound?: true;
}

/** The choice, for the apps that have one. If missing or no longer offered, it is made in the chat. */
type ChoiceOptions = {
  readonly 'document-signature': {
    readonly documentId?: string;
    /** The values of the document's blanks, as they are sent. Without them the customer is asked. */
    readonly variables?: Readonly<Record<string, string>>;
  };
  readonly payments: { readonly productId?: string };
  readonly 'e-form': { readonly formId?: string };
};

/** What each app's dialog may be begun with. */
export type GuestOptions = {
  readonly [Id in AppId]: CallerOptions & (Id extends keyof ChoiceOptions ? ChoiceOptions[Id] : unknown);
};

/**
 * What an app's dialog ends with. The customer has been told already.
 * - `success`, `failure`, `timeout`, `cancelled`: how the request ended.
 * - `unknown`: the outcome is not known. It may have been sent, or may end later; then the chat is told.
 * - `refused`: the service refused it.
 * - `left`: the customer left it, or chose nothing, before anything was sent.
 * - `agent`: the customer wants an agent.
 */
export type GuestOutcome<Id extends AppId = AppId> =
  | ({
      /** The app that was used in the end: a customer who cannot use one may have been led to another. */
      readonly app: Id;
      /** Names the interaction, for `result`. */
      readonly interactionId: string;
      /** The service's identifier; empty if the chat may not learn whose number it was. */
      readonly customerRef: string;
      /** What the customer wanted after an ending other than success. */
      readonly then?: 'left' | 'agent';
    } & (
      | {
          readonly status: 'success' | 'failure' | 'timeout' | 'cancelled';
          readonly requestId?: string;
          /** Whether the chat is verified for this customer now. */
          readonly verified: boolean;
          /** The stored part of the result, which never holds answers, links or receipts. */
          readonly result?: KeptResult;
        }
      | { readonly status: 'unknown' }
      | { readonly status: 'refused'; readonly code?: string }
    ))
  | { readonly status: 'left'; readonly app: Id; readonly why: 'cancel' | 'menu' | 'restart' | 'shared' }
  | { readonly status: 'agent'; readonly app: Id; readonly reason: Escalation['reason'] };

/** The options of a flow's dialog: the customer, and the flow's inputs by name (`needs`). */
export interface GuestFlowOptions extends CallerOptions {
  readonly inputs?: Readonly<Record<string, string | number | boolean>>;
}

/**
 * The result of a flow's dialog: how the flow ended, and those of its outputs (`gives`) that have values.
 * - `agent`: the flow has brought in an agent, or the customer wants one.
 * - `left`: the customer left it. Then there are no outputs.
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
