// A customer in a chat: says things, presses buttons, and looks at what came.
import assert from 'node:assert/strict';
import { type Chatter, call, chat, listen, type Seen } from './direct-line.ts';
import { until } from './until.ts';
import type { Whole } from './whole.ts';
import { asRead } from './words.ts';

export interface Talk {
  readonly chatter: Chatter;
  /** Types something, perhaps after another language was chosen; resolves when the bot's turn is over. */
  say(text: string, inLanguage?: string): Promise<void>;
  /** Presses the newest button of that title, with what was entered on its card. */
  press(title: string | RegExp, fields?: Readonly<Record<string, string>>): Promise<void>;
  /** What the newest button of that title submits. */
  newestButton(title: string | RegExp): object;
  /** Sends a file and no words. */
  attach(): Promise<void>;
  /** Submits any value, as a card that was tampered with would. */
  submit(value: unknown): Promise<void>;
  /**
   * Waits for a message of the bot whose text matches; those it was shown before the last `say` or `press` count too
   * when `anywhere`.
   */
  sees(text: RegExp, anywhere?: boolean): Promise<Seen>;
  /** Waits for the outcome message. */
  outcome(): Promise<Seen>;
  /** The bot's messages so far, in order, each as it is now; the words of a card are its text. */
  messages(): Seen[];
  outcomes(): Seen[];
  /** Everything in the chat, of either side, that holds a text as a page that opens it now would show it. */
  transcript(holding: RegExp): Promise<Seen[]>;
  /** Listens again, as Web Chat does after the bot was away. */
  reconnect(): Promise<void>;
}

const cardOf = (activity: Seen) => activity.attachments?.find((attachment: Seen) => /adaptive/.test(attachment.contentType))?.content;

/** Every submit of a card, wherever it stands. */
const submitsOf = (node: Seen): Seen[] => {
  if (Array.isArray(node)) return node.flatMap(submitsOf);
  if (typeof node !== 'object' || node === null) return [];
  const own = node.type === 'Action.Submit' ? [node] : [];
  return [...own, ...Object.values(node).flatMap(submitsOf)];
};

export const talkTo = async (whole: Pick<Whole, 'bot'>, request: Parameters<typeof chat>[1] = {}, locale = 'en-US'): Promise<Talk> => {
  const server = () => ({ base: `http://127.0.0.1:${whole.bot().port}`, directLine: whole.bot().directLine });
  const chatter = await chat(server() as never, request);
  const sets = [...[chatter.sets]];
  const messages = () => {
    const latest = new Map<string, Seen>();
    for (const { activities } of sets.flat())
      for (const activity of activities)
        if (activity.type === 'message' && activity.from.role === 'bot') latest.set(activity.id, asRead(activity));
    return [...latest.values()];
  };
  let mark = 0;
  const newestButton = (title: string | RegExp) => {
    // A tile is named by all that stands on it: its number, its title, and what follows.
    const matches = (action: Seen) => {
      const name = action.title.replace(/^\d+, /, '');
      return typeof title === 'string' ? name === title || name.startsWith(`${title},`) : title.test(name);
    };
    return submitsOf(messages().map(cardOf)).findLast(matches)?.data;
  };
  const post = async (activity: object) => {
    mark = messages().length;
    const reply = await call(server() as never, 'POST', `/conversations/${chatter.conversationId}/activities`, chatter.token, {
      body: JSON.stringify({ locale, ...activity }),
      headers: { 'content-type': 'application/json' },
    });
    assert.equal(reply.status, 200, JSON.stringify(reply.body));
  };
  const outcomes = () => messages().filter(({ channelData }) => channelData?.interaction);
  await until(() => messages().length > 0, 'the greeting');
  return {
    chatter,
    messages,
    outcomes,
    say: (text, inLanguage = locale) => post({ type: 'message', text, locale: inLanguage }),
    attach: () => post({ type: 'message', attachments: [{ contentType: 'image/png', contentUrl: 'https://example.com/a.png' }] }),
    submit: (value) => post({ type: 'message', value, channelData: { postBack: true } }),
    press: async (title, fields = {}) => {
      const data = await until(() => newestButton(title), `the button ${title}`);
      await post({ type: 'message', value: { ...data, ...fields }, channelData: { postBack: true } });
    },
    newestButton,
    sees: (text, anywhere = false) =>
      until(
        () =>
          messages()
            .slice(anywhere ? 0 : mark)
            .find((activity) => text.test(activity.text ?? '')),
        `a message like ${text}`,
      ),
    outcome: () => until(() => outcomes()[0], 'the outcome', 40_000),
    transcript: async (holding) => {
      const all = await call(server() as never, 'GET', `/conversations/${chatter.conversationId}/activities`, chatter.token);
      return all.body.activities.filter((activity: Seen) => holding.test(JSON.stringify(activity)));
    },
    reconnect: async () => {
      const resumed = await call(server() as never, 'GET', `/conversations/${chatter.conversationId}?watermark=0`, chatter.token);
      sets.push((await listen(resumed.body.streamUrl)).sets);
    },
  };
};
