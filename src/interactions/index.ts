// The room's doorway: the life of interactions, from the intent to the outcome that was delivered.
export type { EventSource, EventsRequest } from './events.ts';
export { initialsIn } from './initials.ts';
export {
  type Claim,
  type Decision,
  type Intent,
  type Interaction,
  isState,
  type KnownRequest,
  margin,
  notClaimed,
  type Outcome,
  type State,
} from './interaction.ts';
export { type Interactions, makeInteractions } from './interactions.ts';
export { type KeptResult, keptOf } from './kept-result.ts';
export { type InteractionStore, LeaseLost, type News, type Notifier } from './ports.ts';
export { isMailable } from './recipients.ts';
export { makeEventSource } from './socket.ts';
export type { Plan } from './start.ts';
export { next, statesBefore, type Transition } from './states.ts';
export type { Trouble } from './trouble.ts';
