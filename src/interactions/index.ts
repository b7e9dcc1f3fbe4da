// The room's doorway: the life of interactions, from the intent to the delivered outcome.

export {
  type Claim,
  type Decision,
  type Intent,
  type Interaction,
  isAsked,
  isState,
  type KeptResult,
  type KnownRequest,
  keptOf,
  margin,
  next,
  notClaimed,
  type Outcome,
  type State,
  statesBefore,
  type Transition,
} from './interaction.ts';
export { type Interactions, makeInteractions } from './interactions.ts';
export {
  type AddressOwner,
  type EventSource,
  type EventsRequest,
  type InteractionStore,
  LeaseLost,
  type News,
  type Notify,
  notifyByAddress,
  type Rating,
  ratings,
} from './ports.ts';
export { makeEventSource } from './socket/socket.ts';
export { initialsIn } from './starting/blind-lookup.ts';
export { isMailable } from './starting/lookup.ts';
export type { Plan } from './starting/start.ts';
export type { Trouble } from './trouble.ts';
