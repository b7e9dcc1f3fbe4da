// Does the service's websocket open, and does it speak the protocol? A token that nobody issued suffices to find out.
import { randomBytes } from 'node:crypto';
import { WebSocket } from 'ws';
import { connectFrame } from '../../../contract/index.ts';
import { type Finding, ok, unknown, wrong } from '../../../platform/process/finding.ts';

/**
 * Opens a socket, sends CONNECT with a nonsense token, and waits for the service's answer.
 * @param patience - milliseconds for the handshake, and for the answer to the token
 */
export const checkWebsocket = (url: string, patience: Readonly<Record<'answer' | 'handshake', number>>): Promise<Finding> =>
  new Promise((resolve) => {
    const host = new URL(url).host;
    const options = { maxPayload: 64 * 1024, perMessageDeflate: false, followRedirects: false, closeTimeout: 500 };
    const socket = new WebSocket(url, options);
    let opened = false;
    const end = (finding: Finding) => {
      clearTimeout(timer);
      resolve(finding);
      socket.terminate();
    };
    let timer = setTimeout(
      () => end(wrong(`${host}: the handshake did not finish in time. A proxy in between may not support websockets.`)),
      patience.handshake,
    );
    socket.on('open', () => {
      opened = true;
      clearTimeout(timer);
      timer = setTimeout(
        () => end(unknown(`${host}: it opens, but does not react to an unknown token. The interface does not require an answer.`)),
        patience.answer,
      );
      socket.send(connectFrame(`doctor-${randomBytes(24).toString('base64url')}`));
    });
    socket.on('message', () => end(ok(`${host}: it opens, and answers an unknown token.`)));
    socket.on('close', (code) => {
      if (code !== 1006) end(ok(`${host}: it opens, and refuses an unknown token (${code}).`));
      else end(unknown(`${host}: it opens, but the connection broke after an unknown token.`));
    });
    socket.on('unexpected-response', (_request, response) => {
      const status = response.statusCode ?? 0;
      response.destroy();
      if (status === 404) end(wrong(`${host}: there is no websocket at this path (404). Set SERVICE_WS_URL to the right one.`));
      else
        end(wrong(`${host}: the handshake is answered with ${status}. Check SERVICE_WS_URL, and whether any proxy supports websockets.`));
    });
    socket.on('error', (fault: NodeJS.ErrnoException) => {
      const code = fault.code ? ` (${fault.code})` : '';
      if (opened) end(unknown(`${host}: it opens, but then violates the websocket protocol${code}.`));
      else end(wrong(`${host}: it cannot be reached${code}. Check SERVICE_WS_URL, its port, and ws or wss.`));
    });
  });
