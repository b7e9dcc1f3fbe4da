// Direct Line 3.0 as Web Chat speaks it: start and resume a conversation, read, post, upload, refresh the token
// (learn.microsoft.com/azure/bot-service/rest-api/bot-framework-rest-direct-line-3-0-api-reference).
import { z } from 'zod';
import { type Clock, iso } from '../platform/clock.ts';
import type { Answer, HttpRequest } from '../platform/http-server.ts';
import type { Chat, ChatStore, StoredActivity } from '../storage/chats.ts';
import { clientActivityIdOf, fromCustomer, type Incoming, type Parties, readIncoming } from './activity.ts';
import { DirectLineError, fromProblem } from './errors.ts';
import { keepFiles, serveFile } from './files.ts';
import type { Presenter } from './present.ts';
import type { Rest } from './rest.ts';
import type { Signals } from './signals.ts';
import type { Pass, Tokens } from './tokens.ts';
import type { TurnEnd, Turns } from './turns.ts';
import { readUpload, uploadLimits } from './upload.ts';
import { formatWatermark, parseWatermark, readOn } from './watermark.ts';

export interface RouteParts {
  readonly rest: Rest;
  readonly chats: ChatStore;
  readonly signals: Signals;
  readonly tokens: Tokens;
  readonly turns: Turns;
  readonly present: Presenter;
  readonly parties: Parties;
  readonly clock: Clock;
  readonly newId: () => string;
}

const base = '/v3/directline';
const conversation = `${base}/conversations/:id`;

/** Uploads that are read at the same time; each may hold {@link uploadLimits} in memory. */
const uploadsAtOnce = 4;

const beginning = z.object({ locale: z.string().max(35).optional().catch(undefined) }).catch({});

export const addRoutes = ({ rest, chats, signals, tokens, turns, present, parties, clock, newId }: RouteParts) => {
  const find = async ({ conversationId, userId }: Pass): Promise<Chat> => {
    const chat = await chats.get(conversationId);
    if (!chat) throw new DirectLineError(404, 'ConversationNotFound', 'There is no such conversation.');
    if (chat.userId !== userId) throw new DirectLineError(403, 'BadArgument', 'The token is for another user.');
    return chat;
  };

  const cursorOf = ({ query }: HttpRequest) => {
    const cursor = parseWatermark(query.get('watermark'));
    if (!cursor) throw new DirectLineError(400, 'BadArgument', 'The watermark was not handed out here.');
    return cursor;
  };

  /** A conversation to connect to, with a fresh token and a stream that goes on after the watermark. */
  const connection = async (request: HttpRequest, pass: Pass, status: number): Promise<Answer> => {
    const watermark = formatWatermark(cursorOf(request));
    const { token, conversationId, expires_in } = await tokens.issue(pass);
    const stream = new URL(`${base}/conversations/${encodeURIComponent(conversationId)}/stream`, present.origin(request.raw));
    stream.protocol = stream.protocol === 'https:' ? 'wss:' : 'ws:';
    stream.searchParams.set('watermark', watermark);
    stream.searchParams.set('t', await tokens.stream(conversationId));
    return { status, body: { conversationId, token, expires_in, streamUrl: stream.href } };
  };

  const answers: Record<Extract<TurnEnd, string>, (id: string) => Answer> = {
    done: (id) => ({ status: 200, body: { id } }),
    failed: () => {
      throw new DirectLineError(502, 'BotError', 'The bot could not take the activity. Send it again with the same clientActivityID.');
    },
    late: () => {
      throw new DirectLineError(504, 'BotTimeout', 'The bot is still busy with the activity.');
    },
  };

  const answerTo = (end: TurnEnd, id: string): Answer => {
    if (typeof end !== 'string') throw fromProblem(end);
    return answers[end](id);
  };

  const post = async (request: HttpRequest, pass: Pass, chat: Chat, incoming: Incoming): Promise<Answer> => {
    const own = { ...parties, id: newId(), at: iso(clock.now()), userId: pass.userId, conversationId: chat.id };
    const activity = fromCustomer(incoming, own);
    if (activity.type === 'typing') {
      signals.notify(chat.id, activity);
      return answerTo(await turns.pass(chat, activity, pass.verified), activity.id);
    }
    const client = clientActivityIdOf(activity);
    const kept = await chats.append(chat.id, activity, {
      dedupeKey: client === undefined ? undefined : `customer:${client}`,
      awaitsTurn: true,
    });
    if (!kept) throw new DirectLineError(404, 'ConversationNotFound', 'There is no such conversation.');
    if (kept.added) signals.notify(chat.id);
    if (!kept.awaitsTurn) return answers.done(kept.id);
    const origin = present.origin(request.raw);
    const link = (stored: StoredActivity) => present.link(chat.id, origin, stored);
    return answerTo(await turns.take(chat, { ...activity, id: kept.id }, pass.verified, { again: !kept.added, link }), kept.id);
  };

  rest.spoken('POST', `${base}/conversations`, async (request, pass) => {
    const { locale } = beginning.parse(await rest.readJson(request));
    const existed = await chats.get(pass.conversationId);
    const chat = await chats.open(pass.conversationId, pass.userId, clock.now());
    await find(pass);
    const answer = await connection(request, pass, existed ? 200 : 201);
    turns.begin(chat, pass.verified, locale);
    return answer;
  });

  rest.spoken('GET', conversation, async (request, pass) => {
    const chat = await find(pass);
    const answer = await connection(request, pass, 200);
    turns.begin(chat, pass.verified);
    return answer;
  });

  rest.spoken('GET', `${conversation}/activities`, async (request, pass) => {
    const cursor = cursorOf(request);
    const { id } = await find(pass);
    const page = await readOn(chats, id, cursor);
    if (!page) throw new DirectLineError(404, 'ConversationNotFound', 'There is no such conversation.');
    const activities = await present(id, present.origin(request.raw), page.activities);
    return { status: 200, body: { activities, watermark: formatWatermark(page.next) } };
  });

  rest.spoken('POST', `${conversation}/activities`, async (request, pass) => {
    const chat = await find(pass);
    return post(request, pass, chat, readIncoming(await rest.readJson(request)));
  });

  let uploads = 0;
  rest.spoken('POST', `${conversation}/upload`, async (request, pass) => {
    const chat = await find(pass);
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

  // An image tag cannot send a token, so the address itself carries one, good for this file and an hour.
  rest.open('GET', `${conversation}/files/:file`, async ({ params: { id = '', file = '' }, query }) => {
    if (!(await tokens.opensFile(query.get('t') ?? '', id, file))) {
      throw new DirectLineError(403, 'Forbidden', 'This address has expired. Open the conversation again.');
    }
    const kept = await chats.file(id, file);
    if (!kept) throw new DirectLineError(404, 'NotFound', 'There is no such file.');
    return serveFile(kept);
  });

  rest.spoken('POST', `${base}/tokens/refresh`, async (_request, pass) => {
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

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new DirectLineError(400, 'BadArgument', 'The activity is not valid JSON.');
  }
};
