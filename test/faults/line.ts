// A customer's connection to the chat: what gets no answer is asked again, what they said is sent again under the same
// name, until it is taken.
import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { Seen } from '../support/direct-line.ts';

export interface Line {
  readonly conversationId: string;
  /** Says something under a name of its own until the chat has taken it. Answers the activity's id. */
  say(name: string, activity: object): Promise<string>;
  /** Everything in the chat, as an open page shows it: what is new since the last look is fetched. */
  look(): Promise<Seen[]>;
  /** Everything in the chat, as a page that is opened now shows it. */
  reload(): Promise<Seen[]>;
  close(): Promise<void>;
}

export interface LineOptions {
  /** Where the chat is reached at the moment. */
  readonly base: () => string;
  /** When it gives up, as `performance.now()` tells it. */
  readonly until: number;
  /** What to do before each attempt. */
  readonly between?: () => Promise<void>;
}

/** Nobody answered for as long as the run lasts. */
class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of any route
  readonly body: any;
}

/** Milliseconds until an attempt counts as lost. */
const attemptMs = 2500;

/** Opens a new conversation. */
export const openLine = async ({ base, until, between = async () => {} }: LineOptions): Promise<Line> => {
  // Every request on a connection of its own: each can meet another fault.
  const agent = new Agent({ pipelining: 0, connect: { timeout: 1000 } });

  const attempt = async (method: 'GET' | 'POST', path: string, token: string | undefined, body: object | undefined): Promise<Answer> => {
    const response = await request(`${base()}${path}`, {
      dispatcher: agent,
      method,
      signal: AbortSignal.timeout(attemptMs),
      headers: { ...(token && { authorization: `Bearer ${token}` }), ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.body.text();
    return { status: response.statusCode, body: text === '' ? undefined : JSON.parse(text) };
  };
  const ask = async (method: 'GET' | 'POST', path: string, token?: string, body?: object, end = until) => {
    for (let last: unknown; ; ) {
      if (last !== undefined && performance.now() > end) throw new NoAnswer(`${method} ${path}: ${last}`);
      await between();
      try {
        const answer = await attempt(method, path, token, body);
        if (answer.status < 300) return answer.body;
        last = `${answer.status} ${JSON.stringify(answer.body)}`;
        // A 400 without a body is the HTTP parser's, for a request that was cut off on its way.
        const passing = answer.status >= 500 || answer.status === 429 || (answer.status === 400 && answer.body === undefined);
        if (!passing) throw new TypeError(`${method} ${path} was refused: ${last}`);
      } catch (fault) {
        if (fault instanceof TypeError) throw fault;
        last = fault;
      }
      await pause(40);
    }
  };

  const { token } = await ask('POST', '/chat/token');
  const begun = await ask('POST', '/v3/directline/conversations', token, { locale: 'en-US' });
  const path = `/v3/directline/conversations/${begun.conversationId}`;
  const read = (watermark: string, end?: number) => ask('GET', `${path}/activities?watermark=${watermark}`, begun.token, undefined, end);
  const seen = { activities: [] as Seen[], watermark: '' };

  return {
    conversationId: begun.conversationId,
    say: async (name, activity) =>
      (await ask('POST', `${path}/activities`, begun.token, { locale: 'en-US', ...activity, channelData: { clientActivityID: name } })).id,
    look: async () => {
      const page = await read(seen.watermark);
      seen.activities.push(...page.activities);
      seen.watermark = page.watermark;
      return inOrder(seen.activities);
    },
    reload: async () => {
      const all: Seen[] = [];
      // Also after the customer has lost patience: somebody else wants to know.
      const end = performance.now() + 10_000;
      for (let watermark = ''; ; ) {
        const page = await read(watermark, end);
        all.push(...page.activities);
        if (page.activities.length === 0) return inOrder(all);
        watermark = page.watermark;
      }
    },
    close: () => agent.destroy(),
  };
};

/** Each activity once, as it is now, in its place: what Web Chat does with the positions it is given. */
const inOrder = (activities: readonly Seen[]): Seen[] =>
  [...new Map(activities.map((activity) => [activity.id, activity])).values()].sort(
    (a, b) => a.channelData['webchat:sequence-id'] - b.channelData['webchat:sequence-id'],
  );
