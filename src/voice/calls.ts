// Calls: conversations with a voice gateway, which posts the caller's words and gets the bot's messages in
// the answer.

import {
  callPrefix,
  type DirectLine,
  fromCustomer,
  isBots,
  isRemoved,
  keepable,
  originForClient,
  type TurnEnd,
} from '../directline/index.ts';
import { networkOf } from '../platform/http/client-address.ts';
import { HttpProblem } from '../platform/http/http-problem.ts';
import type { Answer, HttpRequest } from '../platform/http/http-server.ts';
import { limitRate } from '../platform/limits.ts';
import { rates } from '../platform/rates.ts';
import { makeBearerCheck } from '../platform/secrets/sealing.ts';
import { iso } from '../platform/time/clock.ts';
import type { Chat, ChatStore } from '../storage/index.ts';
import { callBody, callLocale, type GatewayActivity, opening, toBot, toGateway, userOf } from './call-activities.ts';
import { makeCallSockets } from './call-sockets.ts';

const base = '/voice/audiocodes';

/** The longest time (s) between the gateway's signs that the call continues. */
const expiresSeconds = 60;

/** The most that the bot may say at once. */
const page = { limit: 100, bytes: 256 * 1024 } as const;

/**
 * The bot's messages that the gateway has not taken yet, in the gateway's form, in front of the first of a call its
 * `beginning`. The first request gets them, in whichever process.
 */
const takeSaid = async (chats: ChatStore, id: string, beginning: () => object) => {
  const activities: object[] = [];
  let from: number | undefined;
  let to = 0;
  const taken = {
    activities,
    // Unless somebody has taken what came after it.
    giveBack: async () => void (from !== undefined && (await chats.takeOn(id, to, from))),
  };
  for (;;) {
    const chat = await chats.get(id);
    const found = chat && (await chats.page(id, { since: 0, after: chat.takenTo, ...page }));
    const last = found?.activities.at(-1)?.position;
    if (!chat || !found || last === undefined) return taken;
    if (!(await chats.takeOn(id, chat.takenTo, last))) continue;
    if (from === undefined && chat.takenTo === 0) activities.push(beginning());
    from ??= chat.takenTo;
    to = last;
    activities.push(...found.activities.flatMap(({ activity }) => (isBots(activity) && !isRemoved(activity) ? toGateway(activity) : [])));
    if (!found.more) return taken;
  }
};

/**
 * Adds the routes of the Bot API of AudioCodes in its HTTP mode. The gateway may also open a websocket, for messages
 * that it has not requested.
 * @param key - the bearer token that the gateway sends
 */
export const addCallRoutes = ({ context, turns }: Pick<DirectLine, 'context' | 'turns'>, key: string): { close(): Promise<void> } => {
  const { admit, chats, clock, limits, newId, parties, publicUrl, server } = context;
  const takeStranger = limitRate(rates.strangers, 'too_many_requests', 'Too many requests without the key. Please wait a moment.');
  const takeEvent = limitRate(rates.callEvents, 'too_many_requests', 'Too many events in this call. Please wait a moment.');

  const isGateway = makeBearerCheck(key);
  const beginning = () => opening(newId(), iso(clock.now()));
  const sockets = makeCallSockets(context, isGateway, (chatId) => takeSaid(chats, chatId, beginning));

  const authenticate = async ({ clientAddress, headers }: HttpRequest) => {
    if (isGateway(headers.authorization)) return;
    await takeStranger(networkOf(clientAddress));
    throw new HttpProblem(401, 'unauthorized', 'Send the key as Authorization: Bearer.', { headers: { 'WWW-Authenticate': 'Bearer' } });
  };

  const read = ({ body, params: { id } }: HttpRequest) => {
    const { data, error } = callBody.safeParse(body);
    if (!data) {
      const errors = error.issues.slice(0, 20).map(({ path, message }) => ({ path: path.join('.'), message }));
      throw new HttpProblem(400, 'invalid_request', 'The body is not one of the Bot API.', { errors });
    }
    if (id !== undefined && id !== data.conversation)
      throw new HttpProblem(400, 'invalid_request', 'The body is about another conversation.');
    return { ...data, chatId: callPrefix + data.conversation };
  };

  const find = async (chatId: string): Promise<Chat> => {
    const chat = await chats.get(chatId);
    if (!chat || chat.ended) throw new HttpProblem(404, 'not_found', 'There is no such call.');
    return chat;
  };

  const ended = (end: TurnEnd): void => {
    if (typeof end !== 'string') throw end;
    // The gateway sends it again, and the turn runs then.
    if (end === 'failed')
      throw new HttpProblem(503, 'bot_failed', 'The bot could not take this. Send it again.', { headers: { 'Retry-After': '2' } });
  };

  /** One event. If its turn takes too long, it continues, and its messages go with the next answer. */
  const handleActivity = async (chat: Chat, activity: GatewayActivity, at: string): Promise<void> => {
    const incoming = toBot(activity);
    if (!incoming) return;
    await (incoming.type === 'message' ? admit(chat.userId) : takeEvent(chat.id));
    const own = { ...parties, id: newId(), at, userId: chat.userId, conversationId: chat.id };
    const stored = fromCustomer(incoming, own);
    const kept = await chats.append(chat.id, keepable(stored), {
      dedupeKey: `customer:${activity.id}`,
      awaitsTurn: true,
      bounds: limits.chat,
    });
    if (kept?.full) throw new HttpProblem(413, 'call_too_long', 'This call has its fill.');
    if (!kept?.awaitsTurn) return;
    ended(await turns.take(chat, { ...stored, id: kept.id }, undefined, async (same) => same, { again: !kept.added }));
  };

  const route = (method: 'GET' | 'POST', path: string, handler: (request: HttpRequest) => Promise<Answer>) =>
    server.route(method, base + path, async (request) => {
      await authenticate(request);
      return handler(request);
    });

  route('GET', '', async () => ({ status: 200, body: { type: 'ac-bot-api', success: true } }));

  route('POST', '', async (request) => {
    const { conversation } = read(request);
    const call = `${originForClient(request.raw, publicUrl)}${base}/conversations/${encodeURIComponent(conversation)}`;
    const urls = { activitiesURL: `${call}/activities`, refreshURL: `${call}/refresh`, disconnectURL: `${call}/disconnect` };
    const websocketURL = `${call.replace(/^http/, 'ws')}/websocket`;
    return { status: 200, body: { ...urls, websocketURL, expiresSeconds } };
  });

  route('POST', '/conversations/:id/activities', async (request) => {
    const { activities, chatId, conversation } = read(request);
    const known = await chats.get(chatId);
    if (known?.ended) throw new HttpProblem(404, 'not_found', 'There is no such call.');
    const chat = known ?? (await chats.open(chatId, userOf(activities, conversation), clock.now()));
    await chats.hear(chatId, clock.now());
    if (!chat.started) {
      const [locale] = activities.flatMap((activity) => callLocale(activity) ?? []);
      ended(await turns.begin(chat, undefined, locale));
    }
    const at = iso(clock.now());
    for (const activity of activities) await handleActivity(chat, activity, at);
    if (await sockets.say(chatId)) return { status: 200, body: {} };
    return { status: 200, body: { conversation, activities: (await takeSaid(chats, chatId, beginning)).activities } };
  });

  route('POST', '/conversations/:id/refresh', async (request) => {
    const { chatId } = read(request);
    await find(chatId);
    await chats.hear(chatId, clock.now());
    return { status: 200, body: { expiresSeconds } };
  });

  route('POST', '/conversations/:id/disconnect', async (request) => {
    const { chatId } = read(request);
    const chat = await find(chatId);
    // From now on nobody hears anything, and the bot must know that.
    await chats.end(chatId, chat.userId);
    ended(await turns.hangUp(chat, newId()));
    return { status: 200, body: {} };
  });

  return sockets;
};
