// One HTTP exchange over undici. It never throws, and it knows whether anything may have been sent.
import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';

/** Why an exchange ended early: undici's error, an abort by the caller or the deadline, or an answer over the limit. */
export type ExchangeFault =
  | { readonly kind: 'error'; readonly error: Error }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'too_large' };

/** An exchange as far as it got. With both a status and a fault, the answer broke off in its body. */
export interface Exchanged {
  /** `false`: certainly nothing was written to any connection. */
  readonly sent: boolean;
  readonly status?: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly fault?: ExchangeFault;
}

export interface ExchangeRequest {
  readonly origin: string;
  readonly method: 'DELETE' | 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The largest answer that is read, in bytes. */
const maxAnswer = 1024 * 1024;

/**
 * Sends a request and collects the answer, whatever its status; redirects are answers too.
 *
 * It uses the dispatcher directly rather than `undici.request`, because only a handler learns when a request leaves the
 * queue for a connection (`onRequestStart`): before that it was certainly not sent, and an abort need not wait for its
 * turn. It also takes two thirds of the time, and `request` keeps everything around a call in memory until the next
 * major collection (docs/decisions/0065).
 */
export const exchange = (dispatcher: Dispatcher, { origin, method, path, headers, body }: ExchangeRequest, signal: AbortSignal) =>
  new Promise<Exchanged>((resolve) => {
    const answer = {
      headers: {} as IncomingHttpHeaders,
      chunks: [] as Buffer[],
      size: 0,
      sent: false,
      status: undefined as number | undefined,
    };
    let running: Dispatcher.DispatchController | undefined;

    const finish = (fault?: ExchangeFault) => {
      signal.removeEventListener('abort', stop);
      const { sent, status } = answer;
      resolve({
        sent,
        headers: answer.headers,
        body: Buffer.concat(answer.chunks),
        ...(status !== undefined && { status }),
        ...(fault && { fault }),
      });
    };
    const stop = () => {
      finish({ kind: 'stopped' });
      running?.abort(new Error('stopped'));
    };
    if (signal.aborted) {
      finish({ kind: 'stopped' });
      return;
    }
    signal.addEventListener('abort', stop, { once: true });

    dispatcher.dispatch(
      { origin, method, path, headers, body: body ?? null },
      {
        onRequestStart: (controller) => {
          running = controller;
          if (signal.aborted) controller.abort(new Error('stopped'));
          else answer.sent = true;
        },
        onResponseStart: (_controller, status, received) => {
          if (status < 200) return;
          answer.status = status;
          answer.headers = received;
        },
        onResponseData: (controller, chunk) => {
          answer.size += chunk.length;
          if (answer.size <= maxAnswer) {
            answer.chunks.push(chunk);
            return;
          }
          finish({ kind: 'too_large' });
          controller.abort(new Error('too large'));
        },
        onResponseEnd: () => finish(),
        onResponseError: (_controller, error) => finish({ kind: 'error', error }),
      },
    );
  });

/** A header's first value. */
export const header = (headers: IncomingHttpHeaders, name: string): string | undefined => {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
};

/** The longest wait that is honoured, in milliseconds. */
export const maxRetryAfter = 5 * 60_000;

/**
 * Retry-After (RFC 9110, section 10.2.3), a number of seconds or a date, in milliseconds between 0 and {@link
 * maxRetryAfter}; `undefined` for an absent or unreadable value. A date is measured from the answer's own `Date`
 * where it has one, since the two clocks may be minutes apart.
 */
export const retryAfter = (value: string | undefined, date: string | undefined, now: number): number | undefined => {
  if (value === undefined) return undefined;
  const wait = /^\d+$/.test(value) ? Number(value) * 1000 : instant(value) - (instant(date) || now);
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(wait, 0), maxRetryAfter);
};

/** Date.parse accepts nearly anything ("-5", "1.5"), so only strings of the form of an HTTP date may reach it. */
const instant = (value: string | undefined) =>
  value !== undefined && /^[A-Z][a-z]{2}[\w ,:-]{15,40} GMT$/.test(value) ? Date.parse(value) : Number.NaN;
