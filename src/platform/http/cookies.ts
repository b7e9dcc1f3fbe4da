// Cookies for sign-ins: secrets that mean something only to the server.
import type { HttpRequest } from './http-server.ts';

/** The value of a cookie that is being removed. */
export const cookieRemoved = '';

// With this prefix, browsers refuse it from any other host or over a plain connection (RFC 6265bis, 4.1.3.2).
const nameOf = (name: string, secure: boolean) => (secure ? `__Host-${name}` : name);

/**
 * The header that sets a cookie. `secure`: the pages are reached over https. Their path is used only without, since the
 * prefix `__Host-` requires `/`.
 */
export const cookieOf = (
  name: string,
  value: string,
  {
    secure,
    path,
    sameSite,
    seconds,
  }: { readonly secure: boolean; readonly path: string; readonly sameSite: 'Lax' | 'Strict'; readonly seconds: number },
) => `${nameOf(name, secure)}=${value}; ${secure ? 'Path=/; Secure' : `Path=${path}`}; HttpOnly; SameSite=${sameSite}; Max-Age=${seconds}`;

/** The value that a browser holds under a name. `undefined`: none. */
export const cookieIn = (call: Pick<HttpRequest, 'headers'>, name: string, secure: boolean): string | undefined =>
  cookieNamed(call, nameOf(name, secure));

/** The value that a browser holds under a name. `undefined`: none. */
export const cookieNamed = ({ headers }: Pick<HttpRequest, 'headers'>, name: string): string | undefined => {
  const prefix = `${name}=`;
  const pair = (headers.cookie ?? '').split(/;\s*/).find((one) => one.startsWith(prefix));
  return pair?.slice(prefix.length) || undefined;
};
