// A customer on a channel that posts to the messaging endpoint, and the bot's answers through the channel.
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
  /** Posts an activity of this customer with the given fields added. Resolves when the turn is over. */
  post(fields: Record<string, unknown>): Promise<Answered>;
  say(text: string): Promise<Answered>;
  submit(value: unknown): Promise<Answered>;
  /** The data that the newest button with this title submits. */
  button(title: string): object;
  /** The bot's messages in this conversation, in order; for a card, its words. */
  replies(): Seen[];
  /** Waits for words of the bot since the customer's last message. */
  sees(text: RegExp): Promise<Seen>;
}

/** Every submit action of a card, at any depth; of one with a fallback, what a client that knows it shows. */
export const submitsIn = (node: Seen): Seen[] => {
  if (Array.isArray(node)) return node.flatMap(submitsIn);
  if (typeof node !== 'object' || node === null) return [];
  if (node.type === 'Action.Submit' || node.type === 'Action.Execute') return [node];
  return Object.values(node).flatMap(submitsIn);
};

/** A body for the endpoint: any value, or bytes that need not be JSON. */
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
