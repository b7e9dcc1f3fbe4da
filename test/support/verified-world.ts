// A chat, two agents at the desk, and a platform behind a webhook, without channels: the real dialogs, flows, handoffs,
// proofs and desk over a real database, with a manual clock and a service of plain data.

import { type Activity, type BotAdapter, TurnContext } from 'botbuilder';
import { demoForms, makeConversation } from '../../dialogs/index.ts';
import { makeTextsFor } from '../../dialogs/language/texts.ts';
import type { ChatState } from '../../dialogs/turn/memory.ts';
import type { Services } from '../../dialogs/turn/turn.ts';
import { chatOf } from '../../src/bot/index.ts';
import { appIds } from '../../src/contract/index.ts';
import { type Board, deskTopic, makeBoard } from '../../src/desk/board.ts';
import { makeCustomers, type Panel } from '../../src/desk/customers.ts';
import type { ChatEvent, Row } from '../../src/desk/view.ts';
import { makeWork, type Work } from '../../src/desk/work.ts';
import { type FlowEvent, makeFlows, makeFlowVersions, makeVersions } from '../../src/flows/index.ts';
import { type Acting, carryAct } from '../../src/handoff/agent-act.ts';
import type { AgentMemory } from '../../src/handoff/chat/agent-turn.ts';
import { makeLiveAgents } from '../../src/handoff/chat/live-agents.ts';
import { makeHandoffs } from '../../src/handoff/handoffs.ts';
import { type HandoffsEngine, type Hub, makeDeskHub, makeHandoffStore } from '../../src/handoff/index.ts';
import { usualRules } from '../../src/handoff/rules.ts';
import { payloadOf } from '../../src/handoff/webhook/webhook-hub.ts';
import type { Interaction } from '../../src/interactions/interaction.ts';
import type { News } from '../../src/interactions/ports.ts';
import { makeLog } from '../../src/platform/log.ts';
import { newUlid } from '../../src/platform/secrets/new-id.ts';
import { type FlowRunState, makeFlowRun } from '../../src/programs/runs/flow-run.ts';
import type { Storage } from '../../src/storage/index.ts';
import { makeAssertionKey, makeAssertions } from '../../src/verification/index.ts';
import { openNewStorage } from './data-dir.ts';
import type { Seen } from './direct-line.ts';
import { flowsOf } from './flows.ts';

const samira = { id: 'cust-0110-samira', name: 'Samira Haddad', email: 's@example.com', isEnrolled: true };
/** The customers, by number: one has two. */
export const people = {
  '+12025550110': samira,
  '+12025550111': samira,
  '+12025550113': { id: 'cust-0113-omar', name: 'Omar Garcia', email: 'o@example.com', isEnrolled: true },
} as const;
export type Phone = keyof typeof people;

/** The agents. */
export const agents = { mara: { id: 'mara@example.com', name: 'Mara' }, noa: { id: 'noa@example.com', name: 'Noa' } } as const;
export type AgentName = keyof typeof agents;

const user = { id: 'user-1', name: '' };
const base = {
  ...{ serviceUrl: 'urn:botframework:websocket:x', channelId: 'directline', locale: 'en-US', conversation: { id: 'chat-1' } },
  ...{ from: user, recipient: { id: 'bot', name: '' } },
};

/** Where the customer writes. */
export const place = TurnContext.getConversationReference(base as unknown as Activity);

export interface VerifiedWorld {
  /** The clock, epoch milliseconds. */
  now: number;
  /** The chat's name in records. */
  readonly conversation: string;
  /** The chat as it is stored. */
  state: ChatState;
  readonly storage: Storage;
  readonly engine: HandoffsEngine;
  /** Sent interactions, oldest first. */
  readonly sent: Interaction[];
  /** What the bot has said. */
  readonly said: string[];
  /** What agents have said, with the name that the customer read. */
  readonly spoken: { readonly text: string; readonly agent: string }[];
  /** The values of the events that the chat page got. */
  readonly chips: Seen[];
  /** What flows reported. */
  readonly flowEvents: FlowEvent[];
  /** The bodies that a platform has got. */
  readonly posts: Seen[];
  /** The next turn dies before the chat is stored. */
  dies: boolean;
  say(...texts: string[]): Promise<void>;
  happens(activity: Partial<Activity>): Promise<void>;
  /** How a request ended; `proves`: as a proof of its customer. */
  ends(interaction: Interaction, status: 'success' | 'failure' | 'timeout'): Promise<void>;
  /** A program begins the flow `trial` for the customer of a number. */
  programBegins(phone: Phone): Promise<void>;
  /** It answers the flow's question. */
  programAnswers(text: string): Promise<void>;
  /** The program's run as it is stored. */
  readonly run: FlowRunState;
  /** An act of somebody at the desk. */
  act(agent: AgentName, act: object): Promise<Seen>;
  /** Begins several things while a turn of the chat is still running; they wait for their turn in this order. */
  duringATurn(...begin: (() => Promise<unknown>)[]): Promise<void>;
  /** The handoff that was asked for last, if any. */
  handoffId(): Promise<string | undefined>;
  row(): Promise<Row | undefined>;
  panel(): Promise<Panel | undefined>;
  events(): Promise<readonly ChatEvent[]>;
  /** Starts the process anew: only what is stored is left. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

export interface VerifiedWorldOptions {
  readonly hub?: 'desk' | 'webhook';
  /** Flows, by name. */
  readonly flows?: Readonly<Record<string, string>>;
}

/** Opens it at a chat in which nobody has spoken. */
export const openVerifiedWorld = async ({ hub: at = 'desk', flows: texts = {} }: VerifiedWorldOptions = {}): Promise<VerifiedWorld> => {
  const log = makeLog('silent', { write: () => {} });
  const newId = newUlid;
  const clock = { now: () => world.now };
  const storage = await openNewStorage();
  const keys = await makeAssertionKey();
  const assertions = await makeAssertions({ keys, setting: 'X' }, 'https://chat.example.com', clock, newId);
  const loaded = flowsOf(texts);
  const conversation = chatOf(base as never).conversation;

  const interactions = {
    lookup: async (_app: string, { phoneNumber }: { phoneNumber: string }) => ({
      found: {
        customers: phoneNumber in people ? [people[phoneNumber as Phone]] : [],
        products: [{ id: 'bill', title: 'Bill', description: 'November', price: 128.4, currency: 'USD' }],
        documents: [],
      },
    }),
    start: async (plan: Interaction) => {
      const known = world.sent.find(({ id }) => id === plan.id);
      if (known) return known;
      const began = { createdAt: world.now, deadline: world.now + 600_000, epoch: 1, progress: {}, mistyped: 0, delivered: false };
      const interaction = { ...plan, ...began, state: 'waiting', requestId: newId() } as Interaction;
      world.sent.push(interaction);
      return interaction;
    },
    get: async (id: string) => world.sent.find((one) => one.id === id),
    inConversation: async (name: string, limit: number) =>
      world.sent
        .filter((one) => one.conversation === name)
        .slice(-limit)
        .reverse(),
    waitingFor: async (customerRef: string, limit: number) =>
      world.sent
        .filter((one) => one.customerRef === customerRef && one.state === 'waiting')
        .slice(-limit)
        .reverse(),
    waitingIn: async () => world.sent.filter(({ state }) => state === 'waiting'),
    result: async () => undefined,
    markDelivered: async () => {},
    cancel: async () => 'withdrawn',
    undeliverableTo: async () => [],
    mention: async () => {},
  } as unknown as Services['interactions'];

  /** Turns of a chat, one after the other. */
  let turns: Promise<unknown> = Promise.resolve();
  const inTurn = <Value>(work: () => Promise<Value>): Promise<Value> => {
    const done = turns.then(work);
    turns = done.catch(() => {});
    return done;
  };

  let parts: ReturnType<typeof openParts>;
  const openParts = () => {
    const desk = makeDeskHub(newId);
    desk.open(() => true);
    const webhook: Hub = {
      ...{ name: 'webhook', audience: 'https://desk.example.com' },
      deliver: async (event, handoff, assertion) => {
        world.posts.push(JSON.parse(JSON.stringify({ ...payloadOf(event, handoff, assertion), at: world.now })));
        return { done: true };
      },
    };
    const engine = makeHandoffs({
      ...{ hubs: [at === 'desk' ? desk : webhook], rules: usualRules, store: storage.of(makeHandoffStore), assertions, shared: false },
      ...{ clock, newId, log },
    });
    engine.observe({ changed: (id) => storage.bus.publish(deskTopic, id), typing: () => {} });
    const flows = makeFlows({
      current: () => loaded,
      versions: makeVersions(storage.of(makeFlowVersions)),
      observe: (event) => void world.flowEvents.push(event),
    });
    const services = {
      ...{ interactions, apps: appIds, agents: makeLiveAgents(engine, undefined), person: () => true, forms: demoForms, chatOf, flows },
      ...{ callerNumber: async () => undefined, asksInitials: () => false, showsCode: true, saysLinks: true },
      ...{ lookupRate: { perTenMinutes: 1e6, perDay: 1e6 }, admitLookup: async () => true, defaultRegion: 'US' },
      ...{ textsFor: makeTextsFor(), clock, newId, random: () => 0.5, log },
    } as unknown as Services;
    const converse = makeConversation(services);
    const turn = (activity: Partial<Activity>, { acting, news }: { acting?: Acting; news?: News } = {}) =>
      inTurn(async () => {
        const context = new TurnContext(adapter, { ...base, id: newId(), ...activity } as unknown as Activity);
        if (acting) carryAct(context, acting);
        const state: ChatState = JSON.parse(JSON.stringify(world.state));
        await converse({ context, state, ...(news && { news }) });
        const died = world.dies;
        world.dies = false;
        if (died) throw new Error('killed');
        const { running: _, ...kept } = state;
        world.state = JSON.parse(JSON.stringify(kept));
      });
    const runTurn = makeFlowRun({ ...services, flows });
    const program = (activity: Partial<Activity>, news?: News) =>
      inTurn(async () => {
        const context = new TurnContext(adapter, {
          ...base,
          id: newId(),
          conversation: { id: 'run-1' },
          ...activity,
        } as unknown as Activity);
        const state: FlowRunState = JSON.parse(JSON.stringify(world.run));
        await runTurn({ context, state, ...(news && { news }) });
        Object.assign(world.run, JSON.parse(JSON.stringify(state)));
      });
    engine.open((acting) => turn({ type: 'event', name: 'act' }, { acting }));
    const customers = makeCustomers({ interactions, forms: [], clock, newId });
    const work: Work = makeWork(
      { agents: engine, clock, flows: () => [], store: {} as never },
      {
        ...{ hub: at, customers, invite: undefined, record: async () => {} },
        presence: { colleagues: () => [] } as never,
        running: { find: async () => undefined },
        overview: undefined as never,
      },
    );
    const board: Board = makeBoard({ handoffs: storage.of(makeHandoffStore), bus: storage.bus, clock, log }, at, 60_000);
    return { engine, turn, work, board, program };
  };
  const adapter = {
    sendActivities: async (_context: TurnContext, activities: Seen[]) => {
      for (const one of activities) {
        if (one.type === 'message') world.said.push(one.text ?? one.channelData?.['webchat:fallback-text'] ?? one.summary ?? '');
        if (one.type === 'event' && one.name === 'verification') world.chips.push(one.value);
        if (one.channelData?.agent && String(one.channelData.deliveryKey).startsWith('agent:'))
          world.spoken.push({ text: one.text, agent: one.channelData.agent.name });
      }
      return activities.map(() => ({ id: newId() }));
    },
    updateActivity: async () => {},
    deleteActivity: async () => {},
  } as unknown as BotAdapter;
  const alive = (work: Promise<unknown>) =>
    work.then(
      () => {},
      (fault: unknown) => {
        if (!(fault instanceof Error && fault.message === 'killed')) throw fault;
      },
    );
  const handoffId = async () => {
    const { id } = (world.state.memory as AgentMemory | undefined)?.person ?? {};
    return id ?? (await storage.of(makeHandoffStore).openIn(conversation))?.id;
  };

  const world: VerifiedWorld = {
    // The database has the real time.
    now: Date.now(),
    conversation,
    state: {},
    run: {},
    storage,
    get engine() {
      return parts.engine;
    },
    ...{ sent: [], said: [], chips: [], spoken: [], flowEvents: [], posts: [], dies: false },
    say: async (...given) => {
      for (const text of given) await alive(parts.turn({ type: 'message', text }));
    },
    happens: (activity) => alive(parts.turn(activity)),
    ends: async (interaction, status) => {
      const { app, customerRef } = interaction;
      const result = { app, customerRef, status, ...(app === 'passkeys' && { action: 'authentication' }) };
      Object.assign(interaction, { state: 'decided', outcome: { status, by: 'result', at: world.now, result } });
      const news = { kind: 'outcome', interaction } as unknown as News;
      if (interaction.conversation !== conversation) return parts.program({ type: 'event' }, news);
      const { dies } = world;
      await alive(parts.turn({ type: 'event' }, { news }));
      // Delivery is tried again.
      if (dies) await parts.turn({ type: 'event' }, { news });
    },
    programBegins: async (phone) => {
      const { id: customerRef } = people[phone];
      const wish = { flow: 'trial', words: '', program: { run: newId(), phoneNumber: phone, customerRef } };
      for (const key of Object.keys(world.run)) Reflect.deleteProperty(world.run, key);
      await parts.program({ type: 'event', name: 'flow', value: { kind: 'begin', owner: 'p', sessionRef: newId(), wish } });
    },
    programAnswers: (text) => parts.program({ type: 'message', text }),
    act: async (name, act) => {
      const id = await handoffId();
      const visit = { agent: agents[name], role: 'agent', session: name, call: { clientAddress: '127.0.0.1' } } as const;
      return parts.work
        .answer(visit, { type: 'act', ref: 'r', id: id ?? '', act: { ...act } as never })
        .catch(() => ({ refused: 'killed' }));
    },
    duringATurn: async (...begin) => {
      let goOn = () => {};
      const first = inTurn(() => new Promise<void>((resolve) => (goOn = resolve)));
      const begun: Promise<unknown>[] = [];
      for (const one of begin) {
        const before = turns;
        const work = one();
        begun.push(work);
        let over = false;
        void work.finally(() => (over = true));
        while (turns === before && !over) await new Promise((resolve) => setImmediate(resolve));
      }
      goOn();
      await Promise.all([first, ...begun]);
    },
    handoffId,
    row: async () => {
      const id = await handoffId();
      return (await parts.board.rows()).find((row) => row.id === id);
    },
    panel: async () => {
      const id = await handoffId();
      return id === undefined ? undefined : parts.work.panel(id);
    },
    events: async () => {
      const id = await handoffId();
      return id === undefined ? [] : (await parts.work.happened(id, 0)).events;
    },
    restart: async () => {
      await parts.engine.close();
      await parts.board.close();
      parts = openParts();
    },
    close: async () => {
      await parts.engine.close();
      await parts.board.close();
      await storage.close();
    },
  };
  parts = openParts();
  return world;
};
