// What people do at each hub beyond coming and going, behind one face; and why a hub has no such thing.
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { newUlid, openDeskAgent, signInAtDesk } from './desk.ts';
import type { Seen } from './direct-line.ts';
import { type HubName, mara, noa, type World } from './hubs.ts';

export interface HubVerbs {
  /** Writes to the customer, under a name of its own: the same one again is the same message. */
  write?(name: string, text: string): Promise<unknown>;
  /** Does the last {@link HubVerbs.write} a second time, as networks do. */
  again?(): Promise<unknown>;
  /** What the customer wrote, as it was read there. */
  heard?(): string[];
  sendFile?(file: { name: string; url: string }): Promise<unknown>;
  /** Addresses of the customer's files. */
  files?(): string[];
  /** Starts a payment for the customer of a number. */
  start?(phoneNumber: string): Promise<unknown>;
  /** How requests ended, as it was told. */
  outcomes?(): string[];
  transfer?(): Promise<unknown>;
  giveBack?(): Promise<unknown>;
  /** The hub answers nobody, until the returned function is called. */
  goDown?(): () => void;
  /** The hub takes what it is told and does not say so, until the returned function is called. */
  stall?(): () => void;
  /** Runs something of which the news is lost on their way to the other side. */
  unheard?(what: () => Promise<unknown>): Promise<unknown>;
}
export type Verb = keyof HubVerbs;

const inTheChannel = 'the hub sits in the channel: it reads and writes there itself, and the bot has no part in it';
const threeStates = 'the protocol’s handoff.status knows accepted, failed and completed, and nothing else';
const inTheBot = 'the desk is in the bot’s own process and database: where it is down or slow, the bot is';

const inAChannel: Readonly<Partial<Record<Verb, string>>> = {
  ...{
    write: inTheChannel,
    again: inTheChannel,
    heard: inTheChannel,
    sendFile: inTheChannel,
    files: inTheChannel,
    outcomes: inTheChannel,
  },
  ...{ start: threeStates, transfer: threeStates, giveBack: threeStates },
  goDown: 'the bot speaks to the channel alone, whose faults are tested with the channel',
  stall: 'the bot speaks to the channel alone, whose faults are tested with the channel',
  unheard: 'the protocol has no question by which something lost could be asked for again',
};

/** What a hub cannot do by its protocol, and why. */
export const cannot: Readonly<Record<HubName, Readonly<Partial<Record<Verb, string>>>>> = {
  desk: { sendFile: 'its page sends words alone', goDown: inTheBot, stall: inTheBot },
  chatwoot: { start: 'Chatwoot has no such button: its agents start apps in the panel beside the conversation' },
  event: inAChannel,
  omnichannel: inAChannel,
  webhook: {},
};

const pass = 'ev-charging-pass';

export const verbsOf = (hub: HubName, world: World): HubVerbs => {
  let last: () => Promise<unknown> = async () => {};
  const repeatable = (what: () => Promise<unknown>) => {
    last = what;
    return what();
  };
  const again = () => last();
  /** Answers nothing until it is let go of. */
  const hold = (set: (answer: (res: ServerResponse) => void) => void, free: () => void) => {
    const waiting: (() => void)[] = [];
    set((res) => void waiting.push(() => res.destroy()));
    return () => {
      free();
      for (const end of waiting) end();
    };
  };
  switch (hub) {
    case 'event':
    case 'omnichannel':
      return {};
    case 'webhook': {
      const { call, events, platform } = world;
      const done = async (answer: ReturnType<typeof call>) => assert.equal((await answer).status, 200, JSON.stringify((await answer).body));
      const messages = () => events('message').map(({ data }) => data.message);
      const answering = (answer: typeof platform.answer) => {
        platform.answer = answer;
      };
      return {
        again,
        write: (id, text) => repeatable(() => done(call('messages', { id, text }))),
        heard: () => messages().flatMap(({ text }) => text ?? []),
        sendFile: ({ name, url }) =>
          done(call('messages', { id: newUlid(), attachments: [{ name, contentUrl: url, contentType: 'application/pdf' }] })),
        files: () => messages().flatMap(({ attachments = [] }) => attachments.map(({ contentUrl }: Seen) => contentUrl)),
        start: (phoneNumber) =>
          done(call('interactions', { id: newUlid(), app: 'payments', agentId: mara.id, phoneNumber, productId: pass })),
        outcomes: () => events('outcome').map(({ data }) => `${data.outcome.app} ${data.outcome.status}`),
        transfer: () => done(call('transfer', { agent: noa })),
        giveBack: () => done(call('return')),
        goDown: () => {
          answering(503);
          return () => answering(204);
        },
        stall: () => hold(answering, () => answering(204)),
        // The answer is lost: whoever gets none asks again, with the same body.
        unheard: async (what) => {
          await what();
          await again();
        },
      };
    }
    case 'desk': {
      const { desk } = world;
      const id = () => world.deskId();
      const act = async (what: object) => assert.equal((await desk().act(id(), what)).refused, undefined);
      const told = (type: string): Seen[] =>
        desk()
          .events(id())
          .filter((event) => event.type === type);
      return {
        again,
        write: (name, text) => repeatable(() => act({ kind: 'say', id: name, text })),
        heard: () => told('message').flatMap(({ message }) => message.text ?? []),
        files: () => told('message').flatMap(({ message }) => message.files.map(({ url }: Seen) => url)),
        start: (phoneNumber) => act({ kind: 'start', id: newUlid(), app: 'payments', phoneNumber, chosen: pass }),
        outcomes: () => told('outcome').map(({ app, status }) => `${app} ${status}`),
        transfer: async () => {
          const base = `http://localhost:${world.whole.bot().port}`;
          const { value } = await desk().ask({ type: 'invite' });
          const other = await openDeskAgent(() => base, await signInAtDesk(`${base}${value}`, noa));
          await act({ kind: 'transfer', to: other.me().id });
          await other.disconnect();
        },
        giveBack: () => act({ kind: 'return' }),
        // The page is cut off, and catches up.
        unheard: async (what) => {
          await what();
          await desk().disconnect();
          await desk().connect();
          await again();
        },
      };
    }
    case 'chatwoot': {
      const theirs = world.chatwoot();
      const [one, other] = theirs.agents;
      assert.ok(one && other);
      const conversation = () => theirs.conversations.at(-1) as (typeof theirs.conversations)[number];
      const incoming = (): string[] =>
        conversation().messages.flatMap(({ content, message_type }) => (message_type === 0 ? [content] : []));
      const answering = (answer: typeof theirs.answer) => {
        theirs.answer = answer;
      };
      return {
        write: (_name, text) => theirs.write(conversation().id, one, text),
        // The same callback comes once more.
        again: () => theirs.call({ event: 'message_created', conversation: { id: conversation().id } }),
        heard: incoming,
        sendFile: ({ name, url }) => theirs.write(conversation().id, one, '', { url: url.replace(/[^/]+$/, name), type: 'file' }),
        files: () => incoming().flatMap((text) => /https:\S+/.exec(text) ?? []),
        outcomes: () => conversation().messages.flatMap(({ content }) => /^([\w-]+): (\w+) ?/.exec(content)?.slice(1, 3).join(' ') ?? []),
        transfer: () => theirs.assign(conversation().id, other),
        giveBack: () => theirs.setStatus(conversation().id, 'pending'),
        goDown: () => {
          answering(503);
          return () => answering('properly');
        },
        stall: () => hold(answering, () => answering('properly')),
        unheard: async (what) => {
          theirs.callbacks = 0;
          await what();
          theirs.callbacks = 1;
        },
      };
    }
    default:
      return hub satisfies never;
  }
};
