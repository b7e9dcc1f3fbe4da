// The public interface of our Direct Line 3.0: conversations stored in our database, the bot in the same process.
export type { DirectLineConnector } from './connector.ts';
export { type DirectLine, type DirectLineOptions, makeDirectLine } from './direct-line.ts';
export { usualLimits } from './rest.ts';
export { makeSharedSignals } from './signals.ts';
