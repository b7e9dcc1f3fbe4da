// The reference service: the whole interface of the specification, with device pages, events and an outbox, in one process.

export type { Alarm } from './alarm.ts';
export { examineProvider } from './console/openid/examine.ts';
export type { OpenIdSettings } from './console/openid/settings.ts';
export type { Delivery, Handover, Message } from './delivery/message.ts';
export type { Ways } from './delivery/open.ts';
export type { SigningFiles } from './documents/signing-key.ts';
export { accountKeyFiles } from './e-form/account-key.ts';
export { openSealed, type SealedFault } from './e-form/open-sealed.ts';
export { type Eraser, openEraser } from './erase.ts';
export type { GatewaySettings } from './gateways/open.ts';
export type { RunningService, ServiceOptions } from './options.ts';
export { startService } from './start.ts';
