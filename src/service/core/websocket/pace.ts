// The pace at which one socket's frames are handled: one at a time, yielding to others, and limited per second.
import { setImmediate as turn } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import { sleep } from '../../../platform/time/waits.ts';

/** With this many waiting, nothing more is read from the socket: back pressure holds up the peer. */
const maxWaiting = 100;

/** @param aSecond - how many frames are handled per second */
export const makePace = <Item>(
  socket: Pick<WebSocket, 'pause' | 'resume'>,
  aSecond: number,
  take: (item: Item) => Promise<void>,
  failed: (fault: unknown) => void,
) => {
  const stopped = new AbortController();
  let waiting: Item[] = [];
  let running = false;
  let paused = false;
  let taken = 0;

  const run = async () => {
    for (let item = waiting.shift(); item !== undefined && !stopped.signal.aborted; item = waiting.shift()) {
      if (taken === aSecond) {
        taken = 0;
        if (!(await sleep(1000, stopped.signal))) return;
      }
      taken += 1;
      await take(item);
      // Other work gets its turn before the next one.
      await turn();
    }
  };
  const work = async () => {
    running = true;
    try {
      await run();
    } catch (fault) {
      failed(fault);
    } finally {
      running = false;
    }
    if (!paused) return;
    paused = false;
    socket.resume();
  };

  return {
    add: (item: Item) => {
      if (stopped.signal.aborted) return;
      waiting.push(item);
      if (waiting.length >= maxWaiting && !paused) {
        paused = true;
        socket.pause();
      }
      if (!running) void work();
    },
    /** Stops handling frames. */
    stop: () => {
      waiting = [];
      stopped.abort();
    },
  };
};
