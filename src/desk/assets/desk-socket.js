// The connection to the server, restored whenever it is lost. A request without an answer is reported to its caller;
// desk-acts.js repeats an agent's messages under the same id.
const { page = '/desk', socket: socketPath = '/desk/socket' } = document.body.dataset;
const address = `${location.origin.replace(/^http/, 'ws')}${socketPath}`;
/** Close codes of the server. */
const signedOut = 4401;
const replaced = 4409;
const longestWait = 10_000;
/** The server sends something every 15 s; a connection that is silent for longer counts as lost. */
const silence = 40_000;

const asked = new Map();
/** @type {WebSocket | undefined} */
let socket;
/** @type {{ frame: (frame: any) => void, state: (state: 'open' | 'lost' | 'replaced') => void }} */
let heard;
let tries = 0;
let stopped = false;
let last = 0;
let names = 0;

const forget = () => {
  for (const answer of asked.values()) answer({ refused: 'unavailable', lost: true });
  asked.clear();
};

/** Connects, and replaces any earlier connection. */
export const reconnect = () => {
  stopped = false;
  const own = new WebSocket(address);
  socket = own;
  let opened = false;
  own.addEventListener('message', ({ data }) => {
    last = performance.now();
    const frame = JSON.parse(data);
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
    forget();
    if (code === replaced) {
      stopped = true;
      return heard.state('replaced');
    }
    heard.state('lost');
    // A refused upgrade does not tell the page why, so the page asks.
    if (code === signedOut || (!opened && (await isSignedOut()))) return location.reload();
    const wait = Math.min(longestWait, 250 * 2 ** tries) * (0.5 + Math.random());
    tries += 1;
    setTimeout(() => !stopped && reconnect(), wait);
  });
};

/** Connects for the first time; `hear` gets every frame and change of state. */
export const connect = (hear) => {
  heard = hear;
  setInterval(() => {
    if (socket?.readyState === WebSocket.OPEN && performance.now() - last > silence) socket.close();
  }, 5_000);
  addEventListener('online', () => socket?.readyState === WebSocket.CLOSED && !stopped && reconnect());
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
