// A customer in a chat: writes, presses buttons, and reads the answers.
import assert from 'node:assert/strict';
import { type Chatter, call, chat, listen, type Seen } from './direct-line.ts';
import { until } from './until.ts';
import type { Whole } from './whole.ts';
import { asRead } from './words.ts';

export interface Talk {
  readonly chatter: Chatter;
  /** Types something, perhaps after choosing another language. Resolves when the bot's turn is over. */
  say(text: string, inLanguage?: string): Promise<void>;
  /** Presses the newest button with that title, with the given input on its card. */
  press(title: string | RegExp, fields?: Readonly<Record<string, string>>): Promise<void>;
  /** Presses what asks for the request, unless choosing it from a list has asked already. */
  asks(): Promise<void>;
  /** The data that the newest button with that title submits. */
  newestButton(title: string | RegExp): object;
  /** Sends a file without words. */
  attach(): Promise<void>;
  /** Submits any value, as a tampered card would. */
  submit(value: unknown): Promise<void>;
  /**
   * Waits for a message of the bot whose text matches. With `anywhere`, messages before the last `say` or `press` count
   * too.
   */
  sees(text: RegExp, anywhere?: boolean): Promise<Seen>;
  /** Waits for the outcome message. */
  outcome(): Promise<Seen>;
  /** The bot's messages so far, in order, each in its current form; for a card, its words. */
  messages(): Seen[];
  outcomes(): Seen[];
  /** All activities of either side that contain a text, as a newly opened page would show them. */
  transcript(holding: RegExp): Promise<Seen[]>;
  /** Listens again, as Web Chat does after the bot was away. */
  reconnect(): Promise<void>;
}

/** The buttons that ask for a request. */
const asking = /^(Text|E-mail) me/;

const cardOf = (activity: Seen) => activity.attachments?.find((attachment: Seen) => /adaptive/.test(attachment.contentType))?.content;

/** Every submit action of a card, at any depth. */
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
    // A tile's name is all of its text: its number, its title, and the rest.
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
    asks: async () => {
      const data = submitsOf(cardOf(messages().at(-1))).find(({ title }) => asking.test(title))?.data;
      if (data) await post({ type: 'message', value: data, channelData: { postBack: true } });
    },
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
