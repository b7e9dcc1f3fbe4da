// A websocket to the reference service that records everything it receives.
import { WebSocket } from 'ws';
import { type EventFrame, eventFrame } from '../../src/contract/index.ts';
import { until } from './until.ts';

export interface ServiceSocket {
  readonly socket: WebSocket;
  readonly frames: readonly EventFrame[];
  /** The types of the frames so far. */
  types(): string[];
  send(data: string | Buffer): void;
  /** Waits until it is open. */
  opened(): Promise<void>;
  /** Waits until it is closed, and returns the code. */
  closed(): Promise<number>;
}

export const openServiceSocket = (url: string, protocols: string[] = []): ServiceSocket => {
  const socket = new WebSocket(url, protocols, { perMessageDeflate: false });
  const frames: EventFrame[] = [];
  let code: number | undefined;
  socket.on('message', (data) => frames.push(eventFrame.parse(JSON.parse(data.toString()))));
  socket.on('close', (closeCode) => {
    code = closeCode;
  });
  socket.on('error', () => {});
  return {
    socket,
    frames,
    types: () => frames.map(({ type }) => type),
    send: (data) => socket.send(data),
    opened: async () => {
      await until(() => socket.readyState === WebSocket.OPEN, 'the socket is open');
    },
    closed: () => until(() => code, 'the socket is closed'),
  };
};

/** Opens one and subscribes to a request's events. */
export const connectTo = async (url: string, wsToken: string, protocols?: string[]) => {
  const opened = openServiceSocket(url, protocols);
  await opened.opened();
  opened.send(`CONNECT ${wsToken}`);
  return opened;
};
