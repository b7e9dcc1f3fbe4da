// The room's doorway: our Direct Line 3.0, with conversations stored in our database and the bot in the same process.
export { callPrefix, fromCustomer, type Incoming, isBots, isRemoved, keepable } from './activity.ts';
export type { DirectLineConnector } from './connector.ts';
export type { DirectLineContext } from './context.ts';
export { type DirectLine, type DirectLineOptions, makeDirectLine } from './direct-line.ts';
export { originForClient } from './reading.ts';
export { usualLimits } from './rest.ts';
export { makeSharedSignals } from './signals.ts';
export type { TurnEnd } from './turn-dispatcher.ts';
