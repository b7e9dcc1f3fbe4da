// Cookies of people who sign in: secrets that only the server can read anything into.
import type { HttpRequest } from '../http-server.ts';

export interface CookieOptions {
  /** Whether the pages are reached over https. */
  readonly secure: boolean;
  /** Below which path they are, where no more can be asked of the browser. */
  readonly path: string;
  readonly sameSite: 'Lax' | 'Strict';
  readonly seconds: number;
}

/** The value that stands in for one that is taken away. */
export const cookieRemoved = '';

// The prefix makes browsers refuse it from any other host or a plain connection (RFC 6265bis, 4.1.3.2).
const nameOf = (name: string, secure: boolean) => (secure ? `__Host-${name}` : name);

/** The header that sets one. */
export const cookieOf = (name: string, value: string, { secure, path, sameSite, seconds }: CookieOptions) =>
  `${nameOf(name, secure)}=${value}; ${secure ? 'Path=/; Secure' : `Path=${path}`}; HttpOnly; SameSite=${sameSite}; Max-Age=${seconds}`;

/** What a browser holds under a name. `undefined`: nothing. */
export const cookieIn = (call: Pick<HttpRequest, 'headers'>, name: string, secure: boolean): string | undefined =>
  cookieNamed(call, nameOf(name, secure));

/** What a browser holds under a name. `undefined`: nothing. */
export const cookieNamed = ({ headers }: Pick<HttpRequest, 'headers'>, name: string): string | undefined => {
  const prefix = `${name}=`;
  const pair = (headers.cookie ?? '').split(/;\s*/).find((one) => one.startsWith(prefix));
  return pair?.slice(prefix.length) || undefined;
};
