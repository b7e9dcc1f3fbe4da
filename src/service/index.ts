// The reference service: the whole interface of the specification, with device pages, events and an outbox, in one
// process.

export type { Alarm } from '../platform/time/clock.ts';
export { hasDatabase, openErasure } from './commands/erase.ts';
export { type Eraser, openEraser } from './commands/eraser.ts';
export { openSealed } from './commands/open-sealed.ts';
export { examineConsole } from './console/openid/examine.ts';
export type { OpenIdSettings } from './console/openid/settings.ts';
export { accountKeyFiles } from './core/catalogue/account-key.ts';
export { offersIn } from './core/catalogue/load.ts';
export type { Delivery, Handover, Message } from './core/messages/message.ts';
export { addressesOf, type RunningService, type ServiceOptions } from './options.ts';
export { optionsOf, readServiceSettings, type ServiceSettings, settingNames } from './settings.ts';
export { startService } from './start.ts';
