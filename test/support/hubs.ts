// Each hub as its agents see it, behind one face: what the conformance suite works with.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeOperations } from '../../src/handoff/webhook/openapi.ts';
import { type Answer, type Platform, startPlatform } from '../examples/platform.ts';
import { type Channel, openChannel } from './channel.ts';
import { type ChannelTalk, channelTalk } from './channel-talk.ts';
import { type Chatwoot, startChatwoot } from './chatwoot.ts';
import { type DeskAgent, openDeskAgent, signInAtDesk } from './desk.ts';
import type { Seen } from './direct-line.ts';
import { makeAt } from './documented.ts';
import { until } from './until.ts';
import { startWhole, type Whole, type WholeOptions } from './whole.ts';
import { wordsOf } from './words.ts';

const key = 'the-key-of-the-platform-in-these-tests';
export const mara = { id: 'mara@example.com', name: 'Mara' };
export const noa = { id: 'noa@example.com', name: 'Noa' };

/** A customer in a chat, the bot, and a hub. */
export interface World {
  readonly hub: HubName;
  readonly whole: Whole;
  readonly channel: Channel;
  /** The chat of one customer: the first, or the one that {@link World.nextChat} has begun. */
  readonly talk: ChannelTalk;
  readonly platform: Platform;
  /** Begins a chat with another customer; what is told below is of this chat from then on. */
  nextChat(): void;
  /** How often a person was asked for, with the flat context of each time. */
  requests(): Seen[];
  /** What was said before, as it came with the last request. */
  transcript(): Seen[];
  /** What the bot has said in the chat. */
  said(): string[];
  accept(agent?: object): Promise<unknown>;
  finish(): Promise<unknown>;
  decline(): Promise<unknown>;
  /** The handoff that was asked for last, at the platform. */
  call(operation: string, body?: object): Promise<Answer>;
  events(type?: string): Seen[];
  /** Chatwoot; there is one for the hub of that name. */
  chatwoot(): Chatwoot;
  /** Somebody at the desk; there is one for the hub of that name. */
  desk(): DeskAgent;
  /** The conversation at the desk that was asked for last. */
  deskId(): string;
  /** What any hub can know of the chat: all that it was told. */
  told(): unknown;
  /** Begins the bot again after a stop, with whoever sat at the desk. */
  startBot(): Promise<void>;
  close(): Promise<void>;
}

export type HubName = 'desk' | 'chatwoot' | 'event' | 'omnichannel' | 'webhook';

const anyEvent = makeAt(describeOperations())('components', 'schemas', 'Event');
/** Every event is as the OpenAPI document says, and has nothing else. */
const documented = (event: unknown) => assert.ok(anyEvent(event), `${JSON.stringify(anyEvent.errors)} in ${JSON.stringify(event)}`);

let files = 0;
/** A file of rules, as HANDOFF_FILE names it. */
export const rulesFile = (yaml: string): string => {
  files += 1;
  const file = join(tmpdir(), `handoff-${process.pid}-${files}.yaml`);
  writeFileSync(file, yaml);
  return file;
};

export const openWorld = async (
  hub: HubName,
  settings: Readonly<Record<string, string>> = {},
  more: Omit<WholeOptions, 'settings'> = {},
  role: 'agent' | 'supervisor' = 'agent',
): Promise<World> => {
  let whole: Whole | undefined;
  const running = () => `http://localhost:${whole?.bot().port}`;
  const platform = await startPlatform(running, key);
  const theirs = hub === 'chatwoot' ? await startChatwoot(running, settings.CHATWOOT_CALLBACK_SECRET) : undefined;
  const ours = {
    ...{ HANDOFF: hub, HANDOFF_WEBHOOK_URL: platform.url, HANDOFF_WEBHOOK_SECRET: platform.secret, HANDOFF_KEY: key },
    ...theirs?.settings,
  };
  whole = await startWhole({ settings: { ...ours, ...settings }, turnRate: { points: 1000, seconds: 1 }, ...more });
  const started = whole;
  const channel = await openChannel();
  let chats = 0;
  const newTalk = () => {
    chats += 1;
    return channelTalk(started, channel, { conversation: `conversation-${chats}`, user: `user-${chats}`, channelId: 'emulator' });
  };
  let talk = newTalk();
  /** What the hub was told before this chat began. */
  let before = { posts: 0, conversations: 0, asked: 0 };
  const handoffEvents = () => talk.replies().filter(({ type, name }) => type === 'event' && name === 'handoff.initiate');
  /** The escalations that Dynamics was sent, with the truth values that it knows only as words. */
  const escalations = () =>
    talk.replies().flatMap(({ channelData }) => {
      const { context, type } = JSON.parse(channelData?.tags ?? '{}');
      return type === 'Escalate' ? [{ ...context, cs_verified: context.cs_verified === 'true' }] : [];
    });
  const events = (type?: string): Seen[] =>
    platform.events.slice(before.posts).filter((event) => type === undefined || event.type === `handoff.${type}`);
  const call: World['call'] = (operation, body = {}) => {
    const id = events('requested').at(-1)?.data.handoff.id;
    return platform.post(`/handoff/${id}/${operation}`, body);
  };
  const deskBase = () => new URL(whole?.bot().links.desk ?? running()).origin;
  const desk =
    hub === 'desk' ? await openDeskAgent(deskBase, await signInAtDesk(started.bot().links.desk ?? '', { ...mara, role })) : undefined;
  const atDesk = () => {
    if (!desk) throw new Error('nobody sits at the desk');
    return desk;
  };
  /** The handoffs of the desk, each once, oldest first; whoever sits there looks at all of them. */
  const asked: string[] = [];
  const newest = () => {
    for (const { id } of atDesk().rows()) {
      if (asked.includes(id)) continue;
      asked.push(id);
      atDesk().watch(id);
    }
    return asked.length > before.asked ? (asked.at(-1) ?? '') : '';
  };
  const requested = () =>
    newest()
      ? asked.slice(before.asked).flatMap((id) =>
          atDesk()
            .events(id)
            .filter(({ type }) => type === 'requested'),
        )
      : [];
  const chatwoot = () => {
    if (!theirs) throw new Error('there is no Chatwoot');
    return theirs;
  };
  const conversations = () => chatwoot().conversations.slice(before.conversations);
  const conversation = () => {
    const last = conversations().at(-1);
    if (!last) throw new Error('nobody has asked for a person');
    return last;
  };
  /** What agents do there is read a moment later. */
  const seen = async (done: Promise<void>, words: RegExp) => {
    const before = said().length;
    await done;
    await until(
      () =>
        said()
          .slice(before)
          .some((text) => words.test(text)),
      `words like ${words}`,
    );
  };
  /** Resolves the conversation, again if a message that was on its way has opened it. */
  const resolve = async () => {
    const before = said().length;
    await until(async () => {
      const { id, status } = conversation();
      if (status !== 'resolved') await chatwoot().setStatus(id, 'resolved');
      return said()
        .slice(before)
        .some((text) => /has left this chat|nobody can join/.test(text));
    }, 'the end');
  };
  const said = () =>
    talk
      .replies()
      .filter(({ type }) => type === 'message')
      .map(wordsOf);
  const status = (state: string) => talk.post({ type: 'event', name: 'handoff.status', value: { state }, from: { id: 'hub' } });
  const of = <Value>(ways: Readonly<Record<HubName, Value>>): Value => ways[hub];
  return {
    hub,
    whole: started,
    channel,
    get talk() {
      return talk;
    },
    platform,
    nextChat: () => {
      if (desk) newest();
      before = { posts: platform.events.length, conversations: theirs?.conversations.length ?? 0, asked: asked.length };
      talk = newTalk();
    },
    requests: of({
      event: () => handoffEvents().map(({ value }) => value),
      omnichannel: escalations,
      webhook: () => events('requested').map(({ data }) => data.context),
      desk: requested,
      chatwoot: () => conversations().map(({ custom_attributes }) => custom_attributes),
    }),
    transcript: of({
      event: () => handoffEvents().at(-1)?.attachments[0].content.activities,
      // Dynamics has it from the channel.
      omnichannel: () => [],
      webhook: () => events('requested').at(-1)?.data.transcript,
      desk: () => (requested().at(-1) as Seen)?.lines,
      chatwoot: () => {
        const note: string | undefined = conversation().messages.find(({ content }) => content.startsWith('Before a person'))?.content;
        return note?.split('\n').map((line) => ({ text: line.replace(/^\d\d:\d\d \w+( \(verified.*?\))?: /, '') })) ?? [];
      },
    }),
    said,
    accept: of<() => Promise<unknown>>({
      event: () => status('accepted'),
      // Dynamics takes the bot out of the chat; whoever stands between may send the protocol's events.
      omnichannel: () => status('accepted'),
      webhook: (agent: object = mara) => call('accept', { agent }),
      desk: () => atDesk().act(newest(), { kind: 'accept' }),
      chatwoot: (agent: object = mara) => {
        const one = chatwoot().agents.find(({ email }) => email === (agent as typeof mara).id);
        return seen(chatwoot().assign(conversation().id, one), /has joined|has taken over/);
      },
    }),
    finish: of<() => Promise<unknown>>({
      event: () => status('completed'),
      omnichannel: () => status('completed'),
      webhook: () => call('finish'),
      desk: () => atDesk().act(newest(), { kind: 'finish', wrapUp: 'solved' }),
      chatwoot: () => resolve(),
    }),
    decline: of<() => Promise<unknown>>({
      event: () => status('failed'),
      omnichannel: () => status('failed'),
      webhook: () => call('decline'),
      desk: () => atDesk().act(newest(), { kind: 'decline' }),
      chatwoot: () => resolve(),
    }),
    call,
    events,
    chatwoot,
    desk: atDesk,
    deskId: newest,
    told: () => [platform.events, desk?.frames, theirs?.asked],
    startBot: async () => {
      await started.startBot();
      await desk?.connect();
    },
    close: async () => {
      await desk?.disconnect();
      await started.close();
      await channel.close();
      await platform.close();
      for (const event of platform.events) documented(event);
      await theirs?.close();
    },
  };
};
