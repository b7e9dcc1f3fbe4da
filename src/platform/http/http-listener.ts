// How a server begins and ends: a port with words for the operator when it is not available, and a close in limited
// time.
import type { Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { SettingsError } from '../settings/settings-error.ts';

/**
 * Begins and ends the server `node`. `errors`: the emitter of its errors, since restify passes them on to its own
 * server.
 */
export const makeListener = (node: Server, errors: Pick<NodeJS.EventEmitter, 'once' | 'removeListener'>) => {
  // Node does not track connections that ask for an upgrade. One that was never upgraded would keep the server from
  // closing.
  const connections = new Set<Socket>();
  node.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });

  return {
    /**
     * Starts listening and returns the port (0 chooses a free one).
     * @throws {SettingsError} when the port is not available.
     */
    listen: (port: number, host: string, setting: string) =>
      new Promise<number>((resolve, reject) => {
        const refuse = (fault: NodeJS.ErrnoException) =>
          reject(
            new SettingsError(
              [
                fault.code === 'EADDRINUSE'
                  ? `${setting}: port ${port} is taken by another program. Stop it, or set ${setting} to a free port.`
                  : `${setting}: cannot listen on port ${port} (${fault.code}).`,
              ],
              { cause: fault },
            ),
          );
        errors.once('error', refuse);
        node.listen(port, host, () => {
          errors.removeListener('error', refuse);
          resolve((node.address() as AddressInfo).port);
        });
      }),
    /** Stops accepting, lets running requests finish, and drops the rest after `graceMs`. */
    close: (graceMs = 5000) =>
      new Promise<void>((resolve) => {
        const drop = setTimeout(() => {
          for (const socket of connections) socket.destroy();
        }, graceMs);
        node.close(() => {
          clearTimeout(drop);
          resolve();
        });
        node.closeIdleConnections();
      }),
  };
};
