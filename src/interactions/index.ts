// The room's doorway: the life of interactions, from the intent to the outcome that was delivered.

export { initialsIn } from './alike.ts';
export {
  type Claim,
  type Decision,
  type Intent,
  type Interaction,
  isState,
  type KeptResult,
  type KnownRequest,
  keptOf,
  margin,
  notClaimed,
  type Outcome,
  type State,
} from './interaction.ts';
export { type Interactions, makeInteractions } from './interactions.ts';
export { isMailable } from './lookup.ts';
export type { EventSource, EventsRequest } from './ports.ts';
export { type InteractionStore, LeaseLost, type News, type Notifier } from './ports.ts';
export { makeEventSource } from './socket.ts';
export type { Plan } from './start.ts';
export { next, statesBefore, type Transition } from './states.ts';
export type { Trouble } from './trouble.ts';
