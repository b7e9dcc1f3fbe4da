// Keeps a conversation connected: when to retry, and how to make Direct Line's client follow that schedule.

/**
 * Random waits between attempts: from half a second up to 1.5, 2.5, 4.5, 8.5, 16.5, 16.5 … seconds, because everybody
 * who lost the same server comes back to it. A device that is online again retries at once.
 */
export const makeRetries = () => {
  let attempt = 0;
  const begin = () => {
    attempt = 0;
  };
  return {
    begin,
    /**
     * Resolves when it is time for the next attempt.
     * @returns {Promise<void>}
     */
    next: () =>
      new Promise((resolve) => {
        const go = () => {
          clearTimeout(timer);
          removeEventListener('online', online);
          resolve();
        };
        const online = () => {
          begin();
          go();
        };
        const timer = setTimeout(go, 500 + Math.random() * 1000 * 2 ** Math.min(attempt, 4));
        attempt += 1;
        addEventListener('online', online);
      }),
  };
};

/**
 * The service has answered, and would give the same answer again.
 * @param {{ status?: number }} [fault]
 */
export const isRefused = ({ status } = {}) => status >= 400 && status < 500 && status !== 408 && status !== 429;

/** The store repeats posts, because it knows them by their id. */
const isPost = ({ url }) => /\/(activities|upload)(\?|$)/.test(url);

/**
 * Makes the client retry on our schedule instead of its own, which is 3 to 15 s and then 20 s after each failure: its
 * requests are repeated here, and it learns of a lost socket only when it is time to open another. `up` and `down` are
 * called as sockets open and close.
 */
export const keepConnected = (directLine, { up, down }) => {
  const retries = makeRetries();
  const { services } = directLine;
  const { ajax } = services;
  const again = (faults) => faults.flatMap((fault) => (isRefused(fault) ? Promise.reject(fault) : retries.next()));
  services.ajax = (request) => (isPost(request) ? ajax(request) : ajax(request).retryWhen(again));
  directLine.getRetryDelay = () => 0;
  services.WebSocket = class extends WebSocket {
    constructor(url) {
      super(url);
      this.addEventListener('open', () => {
        retries.begin();
        up();
      });
    }
    // A failed socket also closes.
    set onerror(_) {}
    set onclose(tell) {
      const lose = async (event) => {
        this.removeEventListener('close', lose);
        removeEventListener('online', lose);
        down();
        if (event.type === 'close') await retries.next();
        tell(event);
      };
      this.addEventListener('close', lose);
      // A socket may outlive its network without noticing; then nothing arrives.
      addEventListener('online', lose);
    }
  };
};
