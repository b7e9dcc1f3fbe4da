// Direct Line 3.0 as Web Chat speaks it: start and resume a conversation, read, post, upload, refresh the token
// (learn.microsoft.com/azure/bot-service/rest-api/bot-framework-rest-direct-line-3-0-api-reference).
import { z } from 'zod';
import { readJson } from '../platform/http/bounded-json.ts';
import { networkOf } from '../platform/http/client-address.ts';
import type { Answer, HttpRequest } from '../platform/http/http-server.ts';
import { limitRate } from '../platform/limits.ts';
import { languageTag } from '../platform/text/accept-language.ts';
import { iso } from '../platform/time/clock.ts';
import type { Chat, StoredActivity } from '../storage/index.ts';
import { clientActivityIdOf, fromCustomer, type Incoming, isRemoved, keepable, readIncoming } from './activity.ts';
import type { DirectLineContext } from './context.ts';
import { discard, keepFiles, readUpload, serveFile, uploadLimits } from './files.ts';
import { formatWatermark, linkFiles, originForClient, parseWatermark, present, readOn } from './reading.ts';
import { DirectLineError, fromProblem, type Rest, requestLimits } from './rest.ts';
import type { Streams } from './streams.ts';
import type { Pass } from './tokens.ts';
import type { TurnDispatcher, TurnEnd } from './turn-dispatcher.ts';

const base = '/v3/directline';
const conversation = `${base}/conversations/:id`;

/** Concurrent uploads; each may take up {@link uploadLimits} in memory. */
const uploadsAtOnce = 4;

const beginning = z.object({ locale: languageTag.optional() }).catch({});

/** @param postWaitMs - how long a post waits for the bot's turn, before it is answered all the same */
export const addRoutes = (
  context: DirectLineContext,
  rest: Rest,
  turns: TurnDispatcher,
  shown: Streams['shown'],
  takesFiles: boolean,
  postWaitMs: number,
) => {
  const { admit, chats, clock, limits, newId, parties, publicUrl, signals, tokens } = context;
  const find = async ({ conversationId, userId }: Pass): Promise<Chat> => {
    const chat = await chats.get(conversationId);
    if (!chat) throw new DirectLineError(404, 'ConversationNotFound', 'There is no such conversation.');
    if (chat.userId !== userId) throw new DirectLineError(403, 'BadArgument', 'The token is for another user.');
    if (chat.ended) throw ended();
    return chat;
  };

  const takeBytes = limitRate(limits.bytes, 'too_many_requests', 'Too much was sent from this network. Please wait a moment.');

  const cursorOf = ({ query }: HttpRequest) => {
    const cursor = parseWatermark(query.get('watermark'));
    if (!cursor) throw new DirectLineError(400, 'BadArgument', 'The watermark was not handed out here.');
    return cursor;
  };

  /** A conversation to connect to, with a fresh token and a stream that continues after the watermark. */
  const connection = async (request: HttpRequest, pass: Pass, status: number): Promise<Answer> => {
    const watermark = formatWatermark(cursorOf(request));
    const { token, conversationId, expires_in } = await tokens.issue(pass);
    const stream = new URL(`${base}/conversations/${encodeURIComponent(conversationId)}/stream`, originForClient(request.raw, publicUrl));
    stream.protocol = stream.protocol === 'https:' ? 'wss:' : 'ws:';
    stream.searchParams.set('watermark', watermark);
    stream.searchParams.set('t', await tokens.stream(pass));
    return { status, body: { conversationId, token, expires_in, streamUrl: stream.href } };
  };

  const answers: Record<Extract<TurnEnd, string>, (id: string) => Answer> = {
    done: (id) => ({ status: 200, body: { id } }),
    failed: () => {
      throw new DirectLineError(502, 'BotError', 'The bot could not take the activity. Send it again with the same clientActivityID.');
    },
    // What is stored has arrived; the rest is between the bot and the chat.
    late: (id) => ({ status: 200, body: { id } }),
  };

  const answerTo = (end: TurnEnd, id: string): Answer => {
    if (typeof end !== 'string') throw fromProblem(end);
    return answers[end](id);
  };

  /** What is known of a request's sender, and how files are shown to them. */
  const senderOf = (request: HttpRequest, { conversationId, verified }: Pass) => {
    const origin = originForClient(request.raw, publicUrl);
    const known = { ...verified, network: networkOf(request.clientAddress) };
    return { known, link: (stored: StoredActivity) => linkFiles(tokens, conversationId, origin, stored) };
  };

  const post = async (request: HttpRequest, pass: Pass, chat: Chat, incoming: Incoming): Promise<Answer> => {
    const own = { ...parties, id: newId(), at: iso(clock.now()), userId: pass.userId, conversationId: chat.id };
    const activity = fromCustomer(incoming, own);
    // Nothing in a conversation is told by a client's events: the bot gets them, and nobody reads them later.
    if (activity.type !== 'message') {
      signals.notify(chat.id, { passing: activity });
      return answerTo(await turns.pass(chat, activity, pass.verified), activity.id);
    }
    await takeBytes(networkOf(request.clientAddress), Buffer.byteLength(JSON.stringify(incoming)));
    const client = clientActivityIdOf(activity);
    const kept = await chats.append(chat.id, keepable(activity), {
      dedupeKey: client === undefined ? undefined : `customer:${client}`,
      awaitsTurn: true,
      bounds: limits.chat,
    });
    if (kept?.full) throw new DirectLineError(413, 'MessageSizeTooBig', 'This conversation has its fill. Begin a new one.');
    if (!kept) throw new DirectLineError(404, 'ConversationNotFound', 'There is no such conversation.');
    if (kept.added) signals.notify(chat.id, { stored: kept.stored });
    if (!kept.awaitsTurn) return answers.done(kept.id);
    const { known, link } = senderOf(request, pass);
    const end = await turns.take(chat, { ...activity, id: kept.id }, known, link, { again: !kept.added, waitMs: postWaitMs });
    // A client that speaks next has seen what it answers.
    await shown(chat.id);
    return answerTo(end, kept.id);
  };

  /** Runs the turns that an earlier process did not finish. A client whose posts were answered does not repeat them. */
  const catchUp = async (request: HttpRequest, pass: Pass, chat: Chat): Promise<void> => {
    const { known, link } = senderOf(request, pass);
    // A removed message held a secret that was never stored, so it cannot be run.
    const waiting = (await chats.awaitingIn(chat.id)).filter((activity) => !isRemoved(activity));
    void (async () => {
      for (const activity of waiting) await turns.take(chat, activity, known, link, { again: true, answered: true });
    })();
  };

  rest.spoken('POST', `${base}/conversations`, async (request, pass) => {
    const { locale } = beginning.parse(await rest.readJson(request));
    const existed = await chats.get(pass.conversationId);
    const chat = await chats.open(pass.conversationId, pass.userId, clock.now());
    await find(pass);
    const answer = await connection(request, pass, existed ? 200 : 201);
    void turns.begin(chat, pass.verified, locale);
    if (existed) await catchUp(request, pass, chat);
    return answer;
  });

  rest.spoken('GET', conversation, async (request, pass) => {
    const chat = await find(pass);
    const answer = await connection(request, pass, 200);
    void turns.begin(chat, pass.verified);
    await catchUp(request, pass, chat);
    return answer;
  });

  /** By conversation: answers that the client has yet to receive. */
  const reading = new Map<string, number>();
  const takeRead = (conversationId: string, request: HttpRequest) => {
    const open = reading.get(conversationId) ?? 0;
    if (open >= limits.reads) throw new DirectLineError(429, 'TooManyRequests', 'Read what was asked for first.', { 'Retry-After': '5' });
    reading.set(conversationId, open + 1);
    request.onAnswered(() => {
      const left = (reading.get(conversationId) ?? 1) - 1;
      if (left === 0) reading.delete(conversationId);
      else reading.set(conversationId, left);
    });
  };

  rest.spoken('GET', `${conversation}/activities`, async (request, pass) => {
    takeRead(pass.conversationId, request);
    const cursor = cursorOf(request);
    const { id } = await find(pass);
    const page = await readOn(chats, id, cursor);
    if (!page) throw new DirectLineError(404, 'ConversationNotFound', 'There is no such conversation.');
    const activities = await present(tokens, id, originForClient(request.raw, publicUrl), page.activities);
    return { status: 200, body: { activities, watermark: formatWatermark(page.next) } };
  });

  rest.spoken('POST', `${conversation}/activities`, async (request, pass) => {
    const chat = await find(pass);
    // Read first: a client that is cut off in the middle never sees the reason. Nothing of it is stored.
    const body = await rest.readJson(request);
    await admit(pass.userId);
    return post(request, pass, chat, readIncoming(body));
  });

  let uploads = 0;
  rest.spoken('POST', `${conversation}/upload`, async (request, pass) => {
    const chat = await find(pass);
    if (!takesFiles) {
      await discard(request.raw, uploadLimits);
      // Not 403, which Direct Line's client would read as an expired token.
      throw new DirectLineError(415, 'NotSupported', 'Files are not taken in this conversation.');
    }
    await admit(pass.userId);
    if (uploads >= uploadsAtOnce) throw new DirectLineError(429, 'TooManyRequests', 'Too many uploads at once.', { 'Retry-After': '5' });
    uploads += 1;
    try {
      const upload = await readUpload(request.raw, uploadLimits);
      const activity = readIncoming(upload.activity === undefined ? { type: 'message' } : parse(upload.activity));
      return await post(request, pass, chat, await keepFiles(chats, chat.id, activity, upload.files, newId));
    } finally {
      uploads -= 1;
    }
  });

  // An image tag cannot send a token, so the address itself has one, valid for this file and an hour.
  rest.open('GET', `${conversation}/files/:file`, async ({ params: { id = '', file = '' }, query }) => {
    if (!(await tokens.opensFile(query.get('t') ?? '', id, file)) || (await chats.get(id))?.ended) {
      throw new DirectLineError(403, 'Forbidden', 'This address has expired. Open the conversation again.');
    }
    const kept = await chats.file(id, file);
    if (!kept) throw new DirectLineError(404, 'NotFound', 'There is no such file.');
    return serveFile(kept);
  });

  rest.spoken('POST', `${base}/tokens/refresh`, async (_request, pass) => {
    if ((await chats.get(pass.conversationId))?.ended) throw ended();
    const { token, conversationId, expires_in } = await tokens.issue(pass);
    return { status: 200, body: { token, conversationId, expires_in } };
  });

  for (const path of [
    `${base}/conversations`,
    conversation,
    `${conversation}/activities`,
    `${conversation}/upload`,
    `${base}/tokens/refresh`,
  ]) {
    rest.preflight(path);
  }
};

/** Answered like an expired one, which clients can handle. */
const ended = () => new DirectLineError(403, 'TokenExpired', 'The conversation was ended.');

const parse = (text: string): unknown => {
  const reading = readJson(Buffer.from(text), requestLimits.depth);
  if ('value' in reading) return reading.value;
  throw new DirectLineError(400, 'BadArgument', 'The activity is not valid JSON, or nested too deep.');
};
