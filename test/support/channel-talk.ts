// A customer on a channel that posts to the messaging endpoint, and what the channel is sent in answer.
import { fetch } from 'undici';
import { message } from './activities.ts';
import type { Channel } from './channel.ts';
import type { Seen } from './direct-line.ts';
import { until } from './until.ts';
import type { Whole } from './whole.ts';
import { asRead } from './words.ts';

export interface Answered {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: whatever the endpoint answers, checked by the test that asked
  readonly body: any;
}

export interface ChannelTalk {
  /** Posts an activity of this customer's with the given fields on top; the turn is over when it resolves. */
  post(fields: Record<string, unknown>): Promise<Answered>;
  say(text: string): Promise<Answered>;
  submit(value: unknown): Promise<Answered>;
  /** What the newest button of that title submits. */
  button(title: string): object;
  /** What the bot has said in this conversation, in order; the words of a card are its text. */
  replies(): Seen[];
  /** Waits for words of the bot, among those since the last thing said. */
  sees(text: RegExp): Promise<Seen>;
}

/** Every button of a card that comes back to the bot, wherever it stands; of one with a fallback, what a client that knows it shows. */
export const submitsIn = (node: Seen): Seen[] => {
  if (Array.isArray(node)) return node.flatMap(submitsIn);
  if (typeof node !== 'object' || node === null) return [];
  if (node.type === 'Action.Submit' || node.type === 'Action.Execute') return [node];
  return Object.values(node).flatMap(submitsIn);
};

/** A body as it is to the endpoint: any value, or bytes that need not be JSON. */
export const postActivity = async (whole: Pick<Whole, 'bot'>, body: unknown, headers: Record<string, string> = {}): Promise<Answered> => {
  const response = await fetch(`http://127.0.0.1:${whole.bot().port}/api/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, body: /json/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : text };
};

export const channelTalk = (
  whole: Pick<Whole, 'bot'>,
  channel: Channel,
  { conversation, user, ...more }: { conversation: string; user: string; [field: string]: unknown },
): ChannelTalk => {
  let count = 0;
  let mark = 0;
  const path = `/v3/conversations/${encodeURIComponent(conversation)}/activities`;
  const replies = () => channel.received.filter((received) => received.path.startsWith(path)).map(({ body }) => asRead(body));
  const post = (fields: Record<string, unknown>) => {
    mark = replies().length;
    count += 1;
    return postActivity(
      whole,
      message({
        id: `${conversation}-${user}-${count}`,
        serviceUrl: channel.serviceUrl,
        conversation: { id: conversation },
        from: { id: user },
        text: undefined,
        ...more,
        ...fields,
      }),
    );
  };
  return {
    post,
    replies,
    say: (text) => post({ text }),
    submit: (value) => post({ value }),
    button: (title) => {
      const matches = (action: Seen) => action.title === title || action.title.replace(/^\d+, /, '').startsWith(`${title},`);
      const found = submitsIn(replies()).findLast(matches)?.data;
      if (!found) throw new Error(`there is no button ${title}`);
      return found;
    },
    sees: (text) =>
      until(
        () =>
          replies()
            .slice(mark)
            .find((reply) => text.test(reply.text)),
        `a reply like ${text}`,
      ),
  };
};
