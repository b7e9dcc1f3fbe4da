// Whether a request comes from a page of ours, by headers that browsers set and pages cannot change.
import type { HttpRequest } from './http-server.ts';

/**
 * Uses `Sec-Fetch-Site` where the browser sends it (Fetch Metadata), else `Origin`, which every browser sends with a
 * POST. A request with neither comes from a program, not from a page. Refusing it would keep nobody out, since a
 * program could name any origin.
 */
export const isSameOrigin = ({ headers }: Pick<HttpRequest, 'headers'>, publicUrl: string | undefined): boolean => {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  if (headers.origin === undefined) return true;
  const origin = URL.parse(headers.origin);
  if (!origin) return false;
  return origin.host === headers.host || (publicUrl !== undefined && origin.origin === new URL(publicUrl).origin);
};
