// How the bot reaches the service.
import type { Theme } from '../platform/theme.ts';

export interface ServiceAccess {
  readonly baseUrl: string;
  readonly wsUrl: string;
  readonly secretKey: string;
  /** Known to honour the idempotency key: a send whose fate is unknown may then go out again. */
  readonly idempotent: boolean;
  /** Known to speak the subprotocol under which requests share a socket (decision 0014); it is not asked otherwise. */
  readonly multiplex?: boolean;
  /** In whose name it writes to customers, where that is known. */
  readonly theme?: Theme;
  /** Known to show the two digits of a request with its message and on its page (decision 0008). */
  readonly showsCode?: boolean;
}

/** Where a service's events are, unless told: `/ws` at its base address. */
export const wsUrlOf = (baseUrl: string): string => `${baseUrl.replace(/^http/, 'ws').replace(/\/$/, '')}/ws`;
