// Whether a request comes from a page of ours, told by what browsers say and pages cannot change.
import type { HttpRequest } from './http-server.ts';

/**
 * `Sec-Fetch-Site` where the browser sends it (Fetch Metadata), else `Origin`, which every browser sends with a POST. A
 * request with neither comes from no page but from a program, which could name any origin: refusing it would keep
 * nobody out.
 */
export const isSameOrigin = ({ headers }: Pick<HttpRequest, 'headers'>, publicUrl: string | undefined): boolean => {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  if (headers.origin === undefined) return true;
  const origin = URL.parse(headers.origin);
  if (!origin) return false;
  return origin.host === headers.host || (publicUrl !== undefined && origin.origin === new URL(publicUrl).origin);
};
