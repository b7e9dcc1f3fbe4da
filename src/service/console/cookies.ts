// The console's cookies: secrets that only the server can read anything into.
import type { HttpRequest } from '../../platform/http-server.ts';
import { cookieNamed } from '../core/cookie.ts';

export interface CookieOptions {
  /** Whether the console is reached over https. */
  readonly secure: boolean;
  readonly sameSite: 'Lax' | 'Strict';
  readonly seconds: number;
}

/** The value that stands in for one that is taken away. */
export const removed = '';

// The prefix makes browsers refuse it from any other host or a plain connection (RFC 6265bis, 4.1.3.2).
const nameOf = (name: string, secure: boolean) => (secure ? `__Host-${name}` : name);

/** The header that sets one. */
export const cookieOf = (name: string, value: string, { secure, sameSite, seconds }: CookieOptions) =>
  `${nameOf(name, secure)}=${value}; ${secure ? 'Path=/; Secure' : 'Path=/console'}; HttpOnly; SameSite=${sameSite}; Max-Age=${seconds}`;

/** What a browser holds under a name. `undefined`: nothing. */
export const cookieIn = (call: Pick<HttpRequest, 'headers'>, name: string, secure: boolean): string | undefined =>
  cookieNamed(call, nameOf(name, secure));
