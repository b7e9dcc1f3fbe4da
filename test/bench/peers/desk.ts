// Everybody at once: agents at the desk, each with conversations of their own, and the customers in the web chat.
import { Agent } from 'undici';
import { WebSocket } from 'ws';
import type { DeskFrame } from '../../../src/desk/sockets/protocol.ts';
import { type DeskAgent, openDeskAgent, signInAtDesk } from '../../support/desk.ts';
import { inParallel } from '../load.ts';
import { patiently } from '../patiently.ts';

export interface Customer {
  say(text: string): Promise<void>;
  /** What was said to them, in the order in which it came. */
  readonly heard: string[];
}

/** A customer with the agent who has their conversation. */
export interface Pair {
  readonly customer: Customer;
  readonly agent: DeskAgent;
  /** The conversation's, at the desk. */
  readonly id: string;
  /** Has the agent write to them. */
  answer(text: string): Promise<void>;
}

export interface DeskWorld {
  readonly agents: readonly DeskAgent[];
  readonly pairs: readonly Pair[];
  close(): Promise<void>;
}

export interface DeskWorldOptions {
  readonly base: string;
  /** The link that signs the first one in. */
  readonly deskUrl: string;
  readonly agents: number;
  readonly conversations: number;
  /** Hears what arrives at the other side: a customer's message at the desk, an agent's in the chat. */
  readonly arrived: (text: string) => void;
}

const patience = 120_000;
const together = 16;

const openCustomer = async (base: string, http: Agent, arrived: (text: string) => void) => {
  const post = async (path: string, body: object, token?: string) => {
    const { statusCode, body: answer } = await http.request({
      origin: base,
      path,
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify(body),
    });
    const words = await answer.text();
    if (statusCode >= 300) throw new Error(`${path} was answered with ${statusCode}: ${words}`);
    return JSON.parse(words) as Record<string, string>;
  };
  const issued = await post('/chat/token', {});
  const { conversationId, streamUrl = '', token } = await post('/v3/directline/conversations', { locale: 'en' }, issued.token);
  const socket = new WebSocket(streamUrl, { perMessageDeflate: false });
  const heard: string[] = [];
  socket.on('message', (data) => {
    const text = String(data);
    if (text === '') return;
    const { activities } = JSON.parse(text) as { activities: { type: string; text?: string; from: { role?: string } }[] };
    for (const { from, text: said, type } of activities) {
      if (type !== 'message' || said === undefined || from.role === 'user') continue;
      heard.push(said);
      arrived(said);
    }
  });
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  const say = async (text: string) => {
    await post(`/v3/directline/conversations/${conversationId}/activities`, { type: 'message', text }, token);
  };
  return { say, heard, close: () => socket.terminate() };
};

/** Opens everybody; answers once each conversation has its agent. */
export const openDeskWorld = async (options: DeskWorldOptions): Promise<DeskWorld> => {
  const { base, deskUrl, agents: many, conversations, arrived } = options;
  const http = new Agent({ connections: together * 2 });
  const hear = (frame: DeskFrame) => {
    if (frame.type !== 'happened') return;
    for (const event of frame.events) if (event.type === 'message') arrived(event.message.text ?? '');
  };
  const enter = async (link: string, index: number, role: 'agent' | 'supervisor') => {
    const cookie = await signInAtDesk(link, { id: `agent-${index}@example.com`, name: `Agent ${index}`, role });
    return openDeskAgent(() => base, cookie, hear);
  };
  const first = await enter(deskUrl, 0, 'supervisor');
  const agents = [first];
  for (let index = 1; index < many; index += 1) {
    const { value } = await first.ask({ type: 'invite' });
    agents.push(await enter(new URL(String(value), base).href, index, 'agent'));
  }

  const customers: Awaited<ReturnType<typeof openCustomer>>[] = [];
  await inParallel(conversations, together, async () => {
    const customer = await openCustomer(base, http, arrived);
    customers.push(customer);
    await customer.say('agent');
  });
  for (const agent of agents)
    await patiently(50, () => agent.rows().length === conversations, `${conversations} in everybody's list`, patience);

  // Which chat a conversation at the desk is, its first words tell.
  const ids = first.rows().map(({ id }) => id);
  const greeted = (id: string) => `I have ${id}`;
  const owners = new Map(ids.map((id, index) => [id, agents[index % many] as DeskAgent]));
  await inParallel(conversations, together, async (index) => {
    const id = ids[index] as string;
    const agent = owners.get(id) as DeskAgent;
    agent.watch(id);
    for (const act of [{ kind: 'accept' }, { kind: 'say', id: `greeting-${id}`, text: greeted(id) }]) {
      const { refused } = await agent.act(id, act);
      if (refused !== undefined) throw new Error(`${act.kind} was refused: ${refused}`);
    }
  });
  const pairs: Pair[] = [];
  for (const customer of customers) {
    const of = () => ids.find((id) => customer.heard.includes(greeted(id)));
    await patiently(50, () => of() !== undefined, 'each customer to be greeted', patience);
    const id = of() as string;
    const agent = owners.get(id) as DeskAgent;
    let said = 0;
    const answer = async (text: string) => {
      said += 1;
      const { refused } = await agent.act(id, { kind: 'say', id: `m${said}`, text });
      if (refused !== undefined) throw new Error(`a message was refused: ${refused}`);
    };
    pairs.push({ customer, agent, id, answer });
  }
  return {
    agents,
    pairs,
    close: async () => {
      for (const { close } of customers) close();
      for (const agent of agents) await agent.disconnect();
      await http.close();
    },
  };
};
