// Measures the sockets from outside: how many requests are followed, and why that ends.
import type { EventFrame, EventType } from '../../contract/index.ts';
import type { EventSource, EventsRequest } from '../../interactions/index.ts';
import type { Telemetry } from '../../platform/telemetry.ts';

interface Counting {
  readonly telemetry: Telemetry;
  readonly counts: { connecting: number; up: number };
  readonly wentDown: (values: { readonly reason: string }) => void;
}

/**
 * A followed request, with methods rather than closures, since ten thousand wait. Events over a shared socket find
 * their own trace again.
 */
class Observed implements EventsRequest {
  readonly #by: Counting;
  readonly #request: EventsRequest;
  readonly #inItsTrace: (work: () => void) => void;
  readonly #source: { close(): void };
  #state: keyof Counting['counts'] | undefined;

  constructor(by: Counting, request: EventsRequest, events: EventSource) {
    this.#by = by;
    this.#request = request;
    this.#inItsTrace = by.telemetry.wayBack();
    this.#become('connecting');
    this.#source = events(this);
  }

  get wsToken(): string {
    return this.#request.wsToken;
  }

  get requestId(): string | undefined {
    return this.#request.requestId;
  }

  onUp(): void {
    this.#become('up');
    this.#inItsTrace(() => {
      this.#by.telemetry.mark('socket up');
      this.#request.onUp();
    });
  }

  onEvent(type: EventType, frame: EventFrame): void {
    this.#inItsTrace(() => {
      this.#by.telemetry.mark('event', { state: type });
      this.#request.onEvent(type, frame);
    });
  }

  onMalformed(): void {
    this.#inItsTrace(() => this.#request.onMalformed?.());
  }

  onDown(reason: Parameters<EventsRequest['onDown']>[0]): void {
    this.#become(undefined);
    this.#by.wentDown({ reason });
    this.#inItsTrace(() => {
      this.#by.telemetry.mark('socket down', { reason });
      this.#request.onDown(reason);
    });
  }

  close(): void {
    this.#become(undefined);
    this.#source.close();
  }

  #become(next: keyof Counting['counts'] | undefined): void {
    const { counts } = this.#by;
    if (this.#state) counts[this.#state] -= 1;
    if (next) counts[next] += 1;
    this.#state = next;
  }
}

/**
 * Wraps the sockets: counts followed requests by stage, and the reasons for their ends. Requests that share a socket
 * count one each.
 */
export const observeEvents = (events: EventSource, telemetry: Telemetry): EventSource => {
  const by: Counting = {
    telemetry,
    counts: { connecting: 0, up: 0 },
    wentDown: telemetry.counter('countersign_socket_downs_total', 'Requests that a socket to the service stopped following, by reason', [
      'reason',
    ]),
  };
  telemetry.gauge('countersign_sockets', 'Requests followed over a socket to the service', ['state'], () => [
    [{ state: 'connecting' }, by.counts.connecting],
    [{ state: 'up' }, by.counts.up],
  ]);
  return (request) => new Observed(by, request, events);
};
