// A client of the service: every operation of the interface over one bounded pool of connections.
import { Agent, type Dispatcher } from 'undici';
import { appsOf } from './apps.ts';
import { makeBreakers } from './breaker.ts';
import { TransportError } from './errors.ts';
import { type ClientOptions, type ClientSettings, readOptions } from './options.ts';
import { type Call, type Deadline, type Perform, perform, startDeadline } from './perform.ts';
import { requestsOf, resultsOf } from './requests.ts';

/** The service, as calls. Safe to share: it keeps no trace of a finished call. */
export type ServiceClient = ReturnType<typeof createServiceClient>;

/**
 * A client for one service and account. Nothing is sent until the first call.
 * @throws {SettingsError} when an option cannot be used
 */
export const createServiceClient = (options: ClientOptions) => {
  const settings = readOptions(options);
  const dispatcher = settings.dispatcher ?? openAgent(settings);
  const lookups = settings.dispatcher ?? openAgent(settings).compose(keepAlive);
  const transport = { settings, dispatcher, lookups, breakerOf: makeBreakers(settings.breaker, settings.clock) };
  const running = new Map<Promise<unknown>, Deadline>();
  let closed = false;

  const track: Perform = async (call) => {
    if (closed) throw new TransportError(call.operation, 'closed', { sent: false });
    const deadline = startDeadline(timeoutOf(call, settings), settings.clock, call.signal);
    const ending = settings.around(call.operation, (headers) => perform(transport, call, deadline, headers));
    running.set(ending, deadline);
    try {
      return await ending;
    } finally {
      deadline.clear();
      running.delete(ending);
    }
  };

  return {
    apps: appsOf(track, settings.bootstrap, settings.linkOrigins),
    results: resultsOf(track),
    requests: requestsOf(track),
    /**
     * Accepts no more calls, lets running ones finish for `graceMs` (5,000), then ends them with a TransportError
     * `closed`. Closes the connections, unless the caller brought the dispatcher. May be called again.
     */
    close: async (graceMs = 5_000): Promise<void> => {
      closed = true;
      const drop = setTimeout(() => {
        for (const deadline of running.values()) deadline.stop();
      }, graceMs);
      await Promise.allSettled(running.keys());
      clearTimeout(drop);
      if (!settings.dispatcher) await Promise.all([dispatcher.destroy(), lookups.destroy()]);
    },
  };
};

/** The longest that a call may take (ms), with all its attempts and pauses. */
const timeoutOf = ({ repeat }: Call<unknown>, { timeouts }: ClientSettings) => timeouts.call * (repeat === 'safe' ? 1 : 2.5);

/**
 * HTTP/1.1 with one request per connection at a time. Never pipelined and never HTTP/2: with either, undici may requeue
 * a request whose connection ended, and a send must not go out twice without this client knowing.
 */
const openAgent = ({ timeouts }: ClientSettings) =>
  new Agent({
    connections: 64,
    pipelining: 1,
    allowH2: false,
    connect: { timeout: timeouts.connect },
    // The call's deadline decides; undici's timers only keep a connection from outliving it.
    headersTimeout: timeouts.call,
    bodyTimeout: timeouts.call,
  });

/**
 * Keeps the connection after a GET with a body, which undici otherwise closes: its server may not read the body, and
 * take it for the next request. That can spoil only other look-ups of such a server, and they find nothing there
 * anyway, if these connections carry nothing else.
 */
const keepAlive: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) =>
  dispatch({ ...options, reset: false }, handler);
