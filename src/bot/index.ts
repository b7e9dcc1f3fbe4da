// The public interface of the bot's channels: who may speak, one turn at a time, and how the bot answers.
export { limitTurns, makeAdapter, type TurnAdapter, type TurnLogic, turnKey } from './adapter.ts';
export { type Channels, type ChannelsOptions, makeChannels } from './channels.ts';
export type { Connector } from './connector.ts';
export type { AccessToken } from './http-connector.ts';
export { type InnerTurns, makeInnerTurns } from './inner-turns.ts';
export { type BotIdentitySettings, graphUnusable, unsafeSettings } from './refuse-unsafe.ts';
export { makeBotServer } from './server.ts';
export { makeSharedTurnLock } from './shared-turn-lock.ts';
export type { OnUnusable } from './stored-state.ts';
export { botToken, TokenError } from './tokens.ts';
export { TurnHealth } from './turn-health.ts';
export { makeTurnLock, type TurnLock } from './turn-lock.ts';
export { addDeliveryKeys, chatOf, localeOfChat, makeOpenTurn, makeRunTurn, notifyChats, type OpenTurn, type RunTurn } from './turns.ts';
