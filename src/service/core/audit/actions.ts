// What a request’s audit trail records: who did what, and facts about it.
import { eventTypes } from '../../../contract/index.ts';

/** All actions: events of the interface under their names, and actions for which it has no event. */
export const actions = [
  ...eventTypes,
  'checkout.opened',
  'link.returned',
  'message.resent',
  'passcode.checked',
  'passkey.begun',
  'passkey.created',
  'passkey.revoked',
  'phone.checked',
  'phone.code_sent',
  'phone.proven',
  'request.accepted',
  'request.cancelled',
  'request.erased',
] as const;
export type Action = (typeof actions)[number];

/**
 * Facts about what was shown or done. They contain no secrets: no token, no code, and no digest of a code, which could
 * be found by trial.
 */
export type Facts = Readonly<Record<string, number | string>>;

/**
 * Who did something: a key of the account, the customer on their device, an operator, or the service itself; and from
 * where.
 */
export interface By {
  readonly actor: `account:${string}` | 'customer' | `operator:${string}` | 'system';
  /** The network of the address: /24 for IPv4, /48 for IPv6. */
  readonly ip?: string | undefined;
  /** The family of the program. */
  readonly userAgent?: string | undefined;
}

/** An action. */
export type Act = { readonly by: By; readonly action: Action; readonly facts?: Facts | undefined };
