// The websockets of calls, over which a gateway receives the bot's unrequested messages: an outcome, or that we
// are still waiting.
import { type WebSocket, WebSocketServer } from 'ws';
import { callPrefix, type DirectLineContext } from '../directline/index.ts';
import { readFrames } from '../platform/http/read-frames.ts';
import { closeSockets, refuseUpgrade, routeUpgrades } from '../platform/http/upgrades.ts';
import { makeLimit } from '../platform/limits.ts';
import { faultFields } from '../platform/log.ts';
import { rates } from '../platform/rates.ts';

/** Takes the messages of a call that are due now; `giveBack` leaves them to whoever asks next. */
type Take = (chatId: string) => Promise<{ readonly activities: readonly object[]; giveBack(): Promise<void> }>;

const path = /^\/voice\/audiocodes\/conversations\/([\w.:%-]{1,300})\/websocket$/;
/** The gateway sends nothing here. */
const incoming = 1024;
const close = { serverError: 1011, restart: 1012, replaced: 4409 } as const;

export const makeCallSockets = (
  { server, signals, log }: Pick<DirectLineContext, 'log' | 'server' | 'signals'>,
  isGateway: (authorization: string | undefined) => boolean,
  take: Take,
) => {
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: incoming, clientTracking: true });
  const takeFrame = makeLimit(rates.callFrames).admits;
  const open = new Map<string, { readonly socket: WebSocket; say(): Promise<boolean> }>();

  const serve = (socket: WebSocket, conversation: string) => {
    const chatId = callPrefix + conversation;
    open.get(chatId)?.socket.close(close.replaced);
    let last: Promise<boolean> = Promise.resolve(true);
    const failed = (fault: unknown) => {
      log.warn({ ...faultFields(fault), component: 'voice', conversation: chatId }, 'a call could not be spoken to');
      socket.close(close.serverError);
      return false;
    };
    // One after the other, so that messages stay in order.
    const say = () => {
      last = last
        .then(async () => {
          if (socket.readyState !== socket.OPEN) return false;
          const { activities, giveBack } = await take(chatId);
          if (activities.length === 0) return true;
          const text = JSON.stringify({ conversation, activities });
          const fault = await new Promise<unknown>((resolve) => socket.send(text, resolve));
          if (fault) await giveBack();
          return !fault;
        })
        .catch(failed);
      return last;
    };
    const entry = { socket, say };
    open.set(chatId, entry);
    const unsubscribe = signals.subscribe(chatId, (change) => {
      if (!change?.passing) void say();
    });
    readFrames(
      socket,
      () => takeFrame(chatId),
      () => {},
      failed,
    );
    socket.on('close', () => {
      unsubscribe();
      if (open.get(chatId) === entry) open.delete(chatId);
    });
    void say();
  };

  const stopRouting = routeUpgrades(server.node, {
    ...{ component: 'voice', log },
    takes: (asked) => path.test(asked),
    upgrade: (request, tcp, head, { pathname }) => {
      if (!isGateway(request.headers.authorization)) return refuseUpgrade(tcp, 401);
      const conversation = decodeURIComponent(path.exec(pathname)?.[1] ?? '');
      sockets.handleUpgrade(request, tcp, head, (socket) => serve(socket, conversation));
    },
  });

  return {
    /** Sends a call's pending messages over its websocket; `false`: it has none that took them. */
    say: async (chatId: string): Promise<boolean> => (await open.get(chatId)?.say()) ?? false,

    close: async () => {
      stopRouting();
      await closeSockets(sockets, close.restart);
    },
  };
};
