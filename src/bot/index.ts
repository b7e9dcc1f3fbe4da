// The room's doorway: the bot's channels, who may speak, one turn at a time, and how the bot answers.
export { TurnAdapter } from './adapter.ts';
export { type AccessToken, botToken, TokenError } from './authentication/tokens.ts';
export { type Channels, type ChannelsOptions, makeChannels } from './channels.ts';
export type { Connector } from './outgoing/connector.ts';
export { type BotIdentitySettings, graphUnusable, unsafeSettings } from './refuse-unsafe.ts';
export { makeBotServer } from './server.ts';
export { type ChatReference, chatOf, localeOfChat, turnKey } from './turns/addresses.ts';
export { makeSharedTurnLock } from './turns/shared-turn-lock.ts';
export type { OnUnusable } from './turns/stored-state.ts';
export { TurnHealth } from './turns/turn-health.ts';
export { makeTurnLock, type TurnLock } from './turns/turn-lock.ts';
export { limitTurns } from './turns/turn-steps.ts';
export { addDeliveryKeys, makeOpenTurn, makeRunTurn, notifyChats, type OpenTurn, type TurnLogic } from './turns/turns.ts';
