// The state machine of an interaction, as one pure function.
import type { Outcome, State } from './interaction.ts';

/** What can happen to an interaction. */
export type Transition =
  /** `deadline`: when waiting ends, where the service said how long the request is good. */
  | { readonly kind: 'accepted'; readonly requestId: string; readonly wsToken?: string; readonly deadline?: number }
  | { readonly kind: 'refused'; readonly refusal: string }
  | { readonly kind: 'lost' }
  /** The request went out again; where that made a new one, it replaces the old. Wrong codes are counted afresh. */
  | { readonly kind: 'resent'; readonly requestId: string; readonly wsToken?: string; readonly deadline?: number }
  | { readonly kind: 'mistyped' }
  /** A wrong code for one whose chat may not see how it stands. */
  | { readonly kind: 'guessed' }
  | { readonly kind: 'decided'; readonly outcome: Outcome }
  /** Waiting ended with the outcome unknown: no result can be read, and the request may not be withdrawn. */
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
  // A refusal and an unknown fate are delivered too; the state goes on saying what happened. After an expiry, a late outcome
  // may follow.
  delivered: { decided: 'delivered', refused: 'refused', unknown: 'unknown', expired: 'unresolved' },
  unreachable: { decided: 'undeliverable', refused: 'refused', unknown: 'unknown', expired: 'undeliverable' },
};

/** The state after a transition, or `undefined` where it changes nothing: late, doubled, or out of order. States only move forward. */
export const next = (state: State, transition: Transition): State | undefined => transitions[transition.kind][state];

/** The states a transition can change. */
export const statesBefore = (kind: Transition['kind']) => Object.keys(transitions[kind]) as State[];
