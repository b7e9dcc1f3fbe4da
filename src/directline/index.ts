// The room's doorway: our Direct Line 3.0, with conversations stored in our database and the bot in the same process.
export type { DirectLineConnector } from './connector.ts';
export { type DirectLine, type DirectLineOptions, makeDirectLine } from './direct-line.ts';
export { usualLimits } from './rest.ts';
export { makeSharedSignals } from './signals.ts';
