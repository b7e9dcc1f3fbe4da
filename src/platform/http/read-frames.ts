// The frames that a client sends over a websocket, counted one by one.
import type { RawData, WebSocket } from 'ws';
import { errorBoundary } from '../process/faults.ts';

/** RFC 6455, section 7.4.1. */
const policyViolation = 1008;

/** Frames that a client may have sent before it learned that the socket is closing. */
const maxLate = 1000;

/**
 * Reads a socket's messages in order until there are too many of them, or of pings; then it is closed.
 * @param take - takes one of the client's frames; `false` when it has had too many
 */
export const readFrames = (
  socket: WebSocket,
  take: () => Promise<boolean>,
  hear: (data: RawData, binary: boolean) => unknown,
  failed: (fault: unknown) => void,
): void => {
  let late = 0;
  const read = errorBoundary(async (handle: () => unknown) => {
    if (socket.readyState !== socket.OPEN) {
      late += 1;
      if (late > maxLate) socket.terminate();
      return;
    }
    if (!(await take())) socket.close(policyViolation, 'too many frames');
    else if (socket.readyState === socket.OPEN) await handle();
  }, failed);
  socket.on('message', (data, binary) => read(() => hear(data, binary)));
  socket.on('ping', () => read(() => {}));
  socket.on('error', () => socket.terminate());
};
