// The reference service: the whole interface of the specification, with device pages, events and an outbox, in one process.

export type { Alarm } from './alarm.ts';
export { examineConsole } from './console/openid/examine.ts';
export type { OpenIdSettings } from './console/openid/settings.ts';
export type { Delivery, Handover, Message } from './delivery/message.ts';
export { accountKeyFiles } from './e-form/account-key.ts';
export { openSealed } from './e-form/open-sealed.ts';
export { type Eraser, openEraser } from './erase.ts';
export { hasDatabase, openErasure } from './erase-command.ts';
export { addressesOf, type RunningService, type ServiceOptions } from './options.ts';
export { optionsOf, readServiceSettings, type ServiceSettings } from './settings.ts';
export { startService } from './start.ts';
