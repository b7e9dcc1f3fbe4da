// Reading a browser's cookies.
import type { HttpRequest } from '../../platform/http-server.ts';

/** What a browser holds under a name. `undefined`: nothing. */
export const cookieNamed = ({ headers }: Pick<HttpRequest, 'headers'>, name: string): string | undefined => {
  const prefix = `${name}=`;
  const pair = (headers.cookie ?? '').split(/;\s*/).find((one) => one.startsWith(prefix));
  return pair?.slice(prefix.length) || undefined;
};
