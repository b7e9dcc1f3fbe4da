// The state machine of an interaction, as one pure function.
import type { Outcome, State } from './interaction.ts';

/** What can happen to an interaction. */
export type Happening =
  | { readonly kind: 'accepted'; readonly requestId: string; readonly wsToken?: string }
  | { readonly kind: 'refused'; readonly refusal: string }
  | { readonly kind: 'lost' }
  /** The request went out again; where that made a new one, it replaces the old. Wrong codes are counted afresh. */
  | { readonly kind: 'resent'; readonly requestId: string; readonly wsToken?: string }
  | { readonly kind: 'mistyped' }
  | { readonly kind: 'decided'; readonly outcome: Outcome }
  | { readonly kind: 'told' }
  | { readonly kind: 'unreachable' };

const transitions: Record<Happening['kind'], Partial<Record<State, State>>> = {
  accepted: { intended: 'waiting' },
  refused: { intended: 'refused' },
  lost: { intended: 'unknown' },
  resent: { waiting: 'waiting' },
  mistyped: { waiting: 'waiting' },
  decided: { waiting: 'decided' },
  // A refusal or an unknown fate is told too; the state keeps saying what happened.
  told: { decided: 'delivered', refused: 'refused', unknown: 'unknown' },
  unreachable: { decided: 'undeliverable', refused: 'refused', unknown: 'unknown' },
};

/** The state after a happening, or `undefined` where it changes nothing: late, doubled, or out of order. States only move forward. */
export const next = (state: State, happening: Happening): State | undefined => transitions[happening.kind][state];

/** The states a happening can change. */
export const statesBefore = (kind: Happening['kind']) => Object.keys(transitions[kind]) as State[];
