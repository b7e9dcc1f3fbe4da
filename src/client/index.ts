// The client, also usable alone: import { createServiceClient } from 'countersign/client'.
export { SettingsError } from '../platform/settings/settings-error.ts';
export type { ServiceApps, UniformApps } from './apps.ts';
export type { BreakerLimits } from './breaker.ts';
export type { AppCalls, CallOptions, SendOptions } from './calls.ts';
export { createServiceClient, type ServiceClient } from './client.ts';
export {
  type Breach,
  CallError,
  type Fate,
  fateOf,
  InvalidRequestError,
  type ProtocolCode,
  ProtocolError,
  ServiceError,
  type TransportCode,
  TransportError,
} from './errors.ts';
export type { Around, ClientOptions } from './options.ts';
export { readFault } from './read-answer.ts';
export { type BootstrapMode, bootstrapEncoding, compose as composeRequest, type Message as RequestMessage } from './request-encoding.ts';
export type { CancelEnding, GetEnding, RequestCalls, ResendEnding, ResultCalls } from './requests.ts';
