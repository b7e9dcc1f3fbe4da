// A chat without a channel: the real dialogs, with state that is written and read as JSON, a manual clock, and a
// service of plain data.
import { type Activity, ActivityTypes, type BotAdapter, TurnContext } from 'botbuilder';
import { makeConversation } from '../../dialogs/chat/conversation.ts';
import { makeTextsFor } from '../../dialogs/language/texts.ts';
import type { FormEntry } from '../../dialogs/turn/catalogue.ts';
import { demoForms } from '../../dialogs/turn/catalogue.ts';
import type { ChatState } from '../../dialogs/turn/memory.ts';
import type { Services } from '../../dialogs/turn/turn.ts';
import { makeConverse } from '../../src/bot/turns/stored-state.ts';
import { type AppId, appIds } from '../../src/contract/index.ts';
import { type FlowEvent, type LoadedFlows, makeFlows, makeVersions } from '../../src/flows/index.ts';
import type { KeptVersion } from '../../src/flows/versions/flow-versions.ts';
import type { Interaction } from '../../src/interactions/interaction.ts';
import type { News } from '../../src/interactions/ports.ts';
import type { Started } from '../../src/interactions/starting/start.ts';
import type { Trouble } from '../../src/interactions/trouble.ts';
import { makeLog } from '../../src/platform/log.ts';
import { newUlid } from '../../src/platform/secrets/new-id.ts';
import { submitsIn } from './channel-talk.ts';
import type { Seen } from './direct-line.ts';

/** The result of a look-up. */
export const found = {
  customers: [{ id: 'cust-0102-mei', name: 'Mei Tanaka', email: 'mei.tanaka@example.com', isEnrolled: true }],
  products: [
    { id: 'bill', title: 'Bill', description: 'November', price: 128.4, currency: 'USD' },
    { id: 'router', title: 'Router', description: 'Fibre', price: 89, currency: 'USD' },
  ],
  documents: [
    { id: '5d0c0000-0000-4000-8000-000000000001', title: 'Mandate', variables: [] as object[] },
    { id: '5d0c0000-0000-4000-8000-000000000002', title: 'Contract', variables: [] as object[] },
  ],
};

export interface ConversationUnderTest {
  /** The clock, epoch milliseconds. */
  now: number;
  forms: readonly FormEntry[];
  /** The sender of messages. */
  sender: string | undefined;
  found: typeof found;
  /** Trouble for look-ups from now on. */
  trouble: Trouble | undefined;
  /** The endings of sends. */
  starts: Partial<Started>;
  /** The number that the channel vouches for. */
  callerNumber: string | undefined;
  /** Whether hit and miss must look alike for typed numbers. */
  asksInitials: boolean;
  /** The country of numbers without one. */
  defaultRegion: string;
  /** The life of interactions as this chat is given it; a test may put in its own. */
  readonly interactions: Services['interactions'];
  /** Sent plans, oldest first. */
  readonly sent: Interaction[];
  /** Numbers that were looked up. */
  readonly lookups: string[];
  /** Withdrawals so far. */
  cancels: number;
  /** Replaced messages, newest last. */
  readonly updates: Seen[];
  /** The root bot that runs this as a skill; unset: nobody does. */
  root: string | undefined;
  /** The ends that it was told. */
  readonly ends: Seen[];
  /** GivenRequest of everything that the bot sends, messages or not. */
  onActivity?: (activity: Partial<Activity>) => void;
  /** The channel. */
  channelId: string;
  /** The chat as it is stored. */
  state: ChatState;
  /** The channel's language; unset: it sends none. */
  locale: string | undefined;
  /** Types each of these; returns the bot's answer to the last. */
  say(...texts: string[]): Promise<string>;
  /** Presses the newest button with that title, with the given input on its card. */
  press(title: string | RegExp, fields?: object): Promise<string>;
  /** Delivers news like a proactive turn whose stored address names the send's language. */
  hears(news: News, locale?: string): Promise<string>;
  /** Other activities that a channel may send. */
  happens(activity: Partial<Activity>): Promise<string>;
  /** All messages so far. */
  readonly said: Seen[];
  /** The lines of the log. */
  readonly logged: readonly string[];
  /** What turns had to do without, since they failed over it. */
  readonly without: string[];
}

export interface ConversationOptions {
  /** Apps that customers cannot begin. */
  readonly hidden?: readonly AppId[];
  /** Flows that designers wrote. */
  readonly flows?: LoadedFlows;
  readonly observe?: (event: FlowEvent) => void;
  /** Where versions of flows are kept; a store of its own unless told. */
  readonly versions?: Map<string, KeptVersion>;
}

export const startConversation = ({
  flows,
  hidden = [],
  observe,
  versions = new Map(),
}: ConversationOptions = {}): ConversationUnderTest => {
  const logged: string[] = [];
  const log = makeLog('info', { write: (line) => void logged.push(line) });
  const interactions: Partial<Services['interactions']> = {
    lookup: (async (_app: string, { phoneNumber }: { phoneNumber: string }) => {
      test.lookups.push(phoneNumber);
      return test.trouble ? { trouble: test.trouble } : { found: test.found };
    }) as never,
    start: async (plan) => {
      const known = test.sent.find(({ id }) => id === plan.id);
      if (known) return known as Started;
      const began = { createdAt: test.now, deadline: test.now + 600_000, epoch: 1, progress: {}, mistyped: 0, delivered: false };
      const interaction = { ...plan, ...began, state: 'waiting', requestId: '01KAH5Z0V8Q2J9XW3N4M5P6R7S', ...test.starts } as Started;
      test.sent.push(interaction);
      return interaction;
    },
    get: async (id) => test.sent.find((one) => one.id === id),
    inConversation: async () => test.sent.toReversed(),
    waitingFor: async (customerRef) => test.sent.filter((one) => one.customerRef === customerRef && one.state === 'waiting').toReversed(),
    waitingIn: async () => test.sent.filter(({ state }) => state === 'waiting'),
    result: async () => undefined,
    resend: async (id) => {
      const index = test.sent.findIndex((one) => one.id === id);
      test.sent[index] = { ...(test.sent[index] as Interaction), mistyped: 0 };
      return { kind: 'resent' };
    },
    check: async (id) => {
      const index = test.sent.findIndex((one) => one.id === id);
      const one = test.sent[index] as Interaction;
      test.sent[index] = { ...one, mistyped: one.mistyped + 1 };
      return { kind: 'mismatch', triesLeft: 4 - one.mistyped };
    },
    cancel: async () => {
      test.cancels += 1;
      return 'withdrawn';
    },
    markDelivered: async () => {},
  };
  const services: Services = {
    interactions: interactions as Services['interactions'],
    person: () => true,
    get forms() {
      return test.forms;
    },
    get sender() {
      return test.sender as string;
    },
    chatOf: () => ({ conversation: 'test/c-1', address: '{}' }),
    callerNumber: async () => test.callerNumber,
    asksInitials: () => test.asksInitials,
    catalogueNumber: '+12025550100',
    lookupRate: { perTenMinutes: 100, perDay: 100 },
    showsCode: true,
    saysLinks: true,
    admitLookup: async () => true,
    get defaultRegion() {
      return test.defaultRegion;
    },
    apps: appIds.filter((app) => !hidden.includes(app)),
    textsFor: makeTextsFor(),
    clock: { now: () => test.now },
    ...(flows && {
      flows: makeFlows({
        current: () => flows,
        versions: makeVersions({
          keep: async (kept) => void versions.set(kept.version, kept),
          read: async (version) => versions.get(version),
        }),
        observe,
      }),
    }),
    newId: newUlid,
    random: () => 0.5,
    log,
  };
  const converse = makeConverse(makeConversation(services), (_fault, without) => test.without.push(without));
  const from = { id: 'customer', name: '' };
  const base = { serviceUrl: 'urn:test', conversation: { id: 'c-1' }, from, recipient: { id: 'bot', name: '' } };
  const turn = async (activity: Partial<Activity>, news?: News): Promise<string> => {
    const before = test.said.length;
    const adapter = {
      sendActivities: async (_context: TurnContext, activities: Seen[]) => {
        for (const one of activities) if (one.type === ActivityTypes.EndOfConversation) test.ends.push(one.value);
        for (const one of activities) test.onActivity?.(one);
        for (const one of activities)
          if (one.type === ActivityTypes.Message)
            test.said.push({ ...one, text: one.text ?? one.channelData?.['webchat:fallback-text'] ?? one.speak });
        return activities.map(() => ({ id: `a-${test.said.length}` }));
      },
      updateActivity: async (_context: TurnContext, activity: Seen) => {
        test.updates.push(activity);
      },
      deleteActivity: async () => {},
    };
    const { channelId, root } = test;
    const caller = root === undefined ? {} : { callerId: `urn:botframework:aadappid:${root}` };
    const context = new TurnContext(adapter as unknown as BotAdapter, { ...base, channelId, ...caller, ...activity } as Activity);
    const { after, state } = await converse(context, JSON.stringify(test.state), news);
    test.state = JSON.parse(JSON.stringify(state));
    await after?.();
    return test.said
      .slice(before)
      .map(({ text }) => text)
      .join('\n');
  };
  const spoken = () => (test.locale === undefined ? {} : { locale: test.locale });
  const test: ConversationUnderTest = {
    now: Date.UTC(2026, 10, 20, 9),
    forms: demoForms,
    sender: undefined,
    found,
    trouble: undefined,
    starts: {},
    callerNumber: undefined,
    asksInitials: false,
    defaultRegion: 'US',
    interactions: interactions as Services['interactions'],
    sent: [],
    lookups: [],
    cancels: 0,
    updates: [],
    root: undefined,
    ends: [],
    channelId: 'directline',
    state: {},
    locale: 'en-US',
    said: [],
    without: [],
    logged,
    say: async (...texts) => {
      let answer = '';
      for (const text of texts) answer = await turn({ type: 'message', text, ...spoken() });
      return answer;
    },
    press: (title, fields = {}) => {
      const named = (name: string) => name.replace(/^\d+, /, '');
      const isMeant = (name: string) => (typeof title === 'string' ? name === title || name.startsWith(`${title},`) : title.test(name));
      const data = submitsIn(test.said).findLast((one) => isMeant(named(one.title)))?.data;
      if (!data) throw new Error(`no button ${title}`);
      return turn({ type: 'message', value: { ...data, ...fields }, ...spoken() });
    },
    happens: (activity) => turn(activity),
    hears: (news, locale) => turn({ type: 'event', ...(locale !== undefined && { locale }) }, news),
  };
  return test;
};
