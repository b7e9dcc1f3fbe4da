// The service's interface as schemas and types. No I/O, so that either side can import it.
export type { AppContract, AppOperations, Operation, ReadOperation, Repeat } from './app.ts';
export {
  type AppId,
  type Apps,
  appIds,
  apps,
  type BootstrapAnswer,
  type BootstrapRequest,
  type BootstrapResponse,
  isAppId,
  type ResultRecord,
  resultReading,
  resultRecord,
  resultRecords,
  type SendAnswer,
  type SendRequest,
  type SendResponse,
  type VerifyingAppId,
} from './apps.ts';
export { type AuditTrail, auditFacts, auditTrail } from './audit.ts';
export { type Document, type DocumentVariable, usualTextLength } from './document-signature.ts';
export { type FormAnswer, formAnswer } from './e-form.ts';
export {
  connectFrame,
  type EventFrame,
  type EventType,
  eventFrame,
  eventType,
  eventTypes,
  finalEvents,
  multiplexProtocol,
  settles,
} from './events.ts';
export { type Customer, customerRef, phoneNumber, ref, requestId, type Sent, timestamp, ulid, uuid } from './fields.ts';
export type { Product } from './payments.ts';
export { type Problem, problem, problemContentType } from './problem.ts';
export {
  agentHeader,
  compareCode,
  idempotencyHeader,
  idempotencyInFlight,
  type RequestRecord,
  requestRecord,
  requestState,
} from './requests.ts';
export { type ResultStatus, resultStatus } from './result-schemas.ts';
export { hasReturnableLink, type ReturnedLink, readingWithLinkAt, returnLinkHeader, withLink, withLinkAt } from './returned-link.ts';
export {
  type DeadWebhook,
  type DeliveryType,
  deadWebhook,
  deadWebhooks,
  deliveryTypes,
  revivedWebhook,
  type WebhookPayload,
  type WebhookType,
  webhookPayload,
  webhookTypes,
} from './webhooks.ts';
