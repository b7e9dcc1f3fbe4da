// The connection to the server, restored whenever it is lost. A request without an answer is reported to its caller;
// desk-acts.js repeats an agent's messages under the same id.
import { withoutReordering } from 'desk-words';

const { page = '/desk', socket: socketPath = '/desk/socket' } = document.body.dataset;
const address = `${location.origin.replace(/^http/, 'ws')}${socketPath}`;
/** Close codes of the server. */
const signedOut = 4401;
const replaced = 4409;
const longestWait = 10_000;
/** The server sends something every 15 s; a connection that is silent for longer counts as lost. */
const silence = 25_000;

const asked = new Map();
/** @type {WebSocket | undefined} */
let socket;
/** @type {{ frame: (frame: any) => void, state: (state: 'open' | 'lost' | 'replaced') => void }} */
let heard;
let tries = 0;
let stopped = false;
let next;
let last = 0;
let names = 0;

const forget = () => {
  for (const answer of asked.values()) answer({ refused: 'unavailable', lost: true });
  asked.clear();
};

/**
 * A frame; the words of strangers in it cannot pose as others. An answer stays as it is: its choices are sent back.
 */
const read = (data) => {
  const frame = JSON.parse(data);
  return frame.type === 'answer' ? frame : JSON.parse(data, (_, value) => (typeof value === 'string' ? withoutReordering(value) : value));
};

/** Gives the connection up; the browser itself may take a minute to notice that it is lost. */
const drop = () => {
  const own = socket;
  if (!own || own.readyState > WebSocket.OPEN || stopped) return;
  socket = undefined;
  own.close();
  lost();
};

const lost = () => {
  forget();
  heard.state('lost');
  const wait = Math.min(longestWait, 250 * 2 ** tries) * (0.5 + Math.random());
  tries += 1;
  clearTimeout(next);
  next = setTimeout(() => !stopped && reconnect(), wait);
};

/** Connects, and replaces any earlier connection. */
export const reconnect = () => {
  stopped = false;
  clearTimeout(next);
  const own = new WebSocket(address);
  socket = own;
  last = performance.now();
  let opened = false;
  own.addEventListener('message', ({ data }) => {
    if (own !== socket) return;
    last = performance.now();
    const frame = read(data);
    if (frame.type === 'welcome') {
      opened = true;
      tries = 0;
      heard.state('open');
    }
    if (frame.type === 'answer') {
      asked.get(frame.ref)?.(frame);
      asked.delete(frame.ref);
    } else heard.frame(frame);
  });
  own.addEventListener('close', async ({ code }) => {
    if (own !== socket) return;
    if (code === replaced) {
      stopped = true;
      forget();
      return heard.state('replaced');
    }
    lost();
    // A refused upgrade does not tell the page why, so the page asks.
    if (code === signedOut || (!opened && (await isSignedOut()))) location.reload();
  });
};

/** Connects for the first time; `hear` gets every frame and change of state. */
export const connect = (hear) => {
  heard = hear;
  setInterval(() => {
    if (performance.now() - last > silence) drop();
  }, 2_000);
  addEventListener('offline', drop);
  addEventListener('online', () => socket?.readyState !== WebSocket.OPEN && !stopped && reconnect());
  reconnect();
};

export const send = (frame) => {
  if (socket?.readyState !== WebSocket.OPEN) return false;
  socket.send(JSON.stringify(frame));
  return true;
};

/** Resolves with the answer: `{ value }` or `{ refused }`. */
export const ask = (frame) =>
  new Promise((resolve) => {
    names += 1;
    const ref = `q${names}`;
    asked.set(ref, resolve);
    if (send({ ...frame, ref })) return;
    asked.delete(ref);
    resolve({ refused: 'unavailable', lost: true });
  });

const isSignedOut = () =>
  fetch(page, { method: 'HEAD' }).then(
    ({ status }) => status === 401,
    () => false,
  );
