// Following one request: every event in order, each once, read from the database whenever there is a hint of a change.

import type { EventFrame } from '../../../contract/index.ts';
import type { AppContext } from '../app-context.ts';
import { isFinal } from '../lifecycle/endings.ts';
import { frameOf } from './frame.ts';

/** Follows a request until it has ended or the returned function is called. Events that came before are sent first. */
export const follow = (
  { storage: { requests }, listeners, taskOf }: AppContext,
  requestId: string,
  {
    send,
    ended,
    failed,
  }: {
    send(frame: EventFrame): void;
    /** Nothing more will come. */
    ended(how: 'cancelled' | 'final'): void;
    failed(fault: unknown): void;
  },
): (() => void) => {
  let position = 0;
  let stopped = false;
  let reading = false;
  let again = false;

  const stop = () => {
    stopped = true;
    unlisten();
  };

  /** Sends what is new. Whether the request has ended. */
  const catchUp = async (): Promise<boolean> => {
    // The request is read first: an event that comes after it is found by the next look.
    const request = await requests.get(requestId);
    const events = request ? await requests.events(requestId, position) : [];
    for (const event of events) {
      if (stopped || !request) return true;
      // The request was read before its end, so its result is not at hand yet.
      if (isFinal(event.type) && request.state === 'pending') return false;
      position = event.seq;
      send(frameOf(taskOf, request, event));
      if (!isFinal(event.type)) continue;
      stop();
      ended('final');
      return true;
    }
    if (request && request.state !== 'cancelled') return false;
    stop();
    ended('cancelled');
    return true;
  };

  const look = async () => {
    if (reading) {
      again = true;
      return;
    }
    reading = true;
    try {
      do {
        again = false;
        if (await catchUp()) return;
      } while (again && !stopped);
    } catch (fault) {
      if (!stopped) failed(fault);
    } finally {
      reading = false;
    }
  };

  const unlisten = listeners.on(requestId, { changed: () => void look(), position: () => position });
  void look();
  return stop;
};
