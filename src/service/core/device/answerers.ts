// Recognises the browser that answered a request, so that the link shows the end there, with its download.

import { cookieNamed } from '../../../platform/http/cookies.ts';
import type { Answer, HttpRequest } from '../../../platform/http/http-server.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import type { Tickets } from '../secrets/tickets.ts';
import type { Request } from '../store/request.ts';

/** How long a browser is recognised, in seconds. */
const seconds = 24 * 60 * 60;

/**
 * One cookie per request, for device pages only. Links in mail send it too (`Lax`), and the return from a payment sets
 * it without knowing the link, so its name and its sealed contents bind it to the request.
 */
export const makeAnswerers = (tickets: Tickets, publicUrl: () => URL, clock: Clock) => {
  const isSecure = () => publicUrl().protocol === 'https:';
  // A browser lets only a secure connection set a name that begins so (RFC 6265bis, 4.1.3.1).
  const nameOf = ({ id }: Pick<Request, 'id'>) => `${isSecure() ? '__Secure-' : ''}countersign-done-${id}`;
  const until = ({ finishedAt = clock.now() }: Pick<Request, 'finishedAt'>) => finishedAt + seconds * 1000;
  return {
    /** Until when the browser that answers, or has answered, is recognised: a day from then. */
    until,
    /** Adds the cookie to an answer. */
    remember: (request: Pick<Request, 'finishedAt' | 'id'>, answer: Answer): Answer => {
      const end = until(request);
      const value = tickets.issue('answered', request.id, end);
      const left = Math.max(0, Math.ceil((end - clock.now()) / 1000));
      const attributes = `Path=/r; ${isSecure() ? 'Secure; ' : ''}HttpOnly; SameSite=Lax; Max-Age=${left}`;
      return { ...answer, headers: { ...answer.headers, 'Set-Cookie': `${nameOf(request)}=${value}; ${attributes}` } };
    },
    /** Whether a call comes from the browser that answered the request. */
    isOne: (call: Pick<HttpRequest, 'headers'>, request: Pick<Request, 'id'>): boolean =>
      tickets.open('answered', cookieNamed(call, nameOf(request)) ?? '', clock.now()) === request.id,
  };
};
