import assert from 'node:assert/strict';
import { fetch } from 'undici';
import { type DeskAgent, openDeskAgent, signInAtDesk } from '../support/desk.ts';
import { listen, type Seen } from '../support/direct-line.ts';
import { mara, noa } from '../support/hubs.ts';
import { until } from '../support/until.ts';
import { type Cluster, type Replica, startCluster } from './cluster.ts';

const base = ({ port }: Replica) => `http://localhost:${port}`;

/** A customer who goes on at another replica where the one they were at is gone, as the page does through a front. */
const openCustomer = async (cluster: Cluster, first: Replica) => {
  let at = first;
  const ask = async (path: string, token?: string, body?: object) => {
    const response = await fetch(`${base(at)}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
    return JSON.parse(text) as Seen;
  };
  const issued = await ask('/chat/token', undefined, {});
  const begun = await ask('/v3/directline/conversations', issued.token, { locale: 'en' });
  const chat = `/v3/directline/conversations/${begun.conversationId}`;
  /** Every activity by its identifier: a page shows one that comes again in its place. */
  const shown = new Map<string, Seen>();
  let watermark = '';
  const hear = async (streamUrl: string) => {
    const url = new URL(streamUrl);
    url.host = new URL(base(at)).host;
    const { sets, socket } = await listen(url.href);
    const take = () => {
      for (const set of sets.splice(0)) {
        ({ watermark } = set);
        for (const activity of set.activities) shown.set(activity.id, activity);
      }
    };
    socket.on('message', take);
    take();
    socket.on('close', () => void again());
  };
  let over = false;
  const again = async () => {
    await until(
      async () => {
        if (over) return true;
        try {
          const { streamUrl } = await ask(`${chat}?watermark=${watermark}`, begun.token);
          await hear(streamUrl);
          return true;
        } catch {
          at = await alive(cluster, at);
          return false;
        }
      },
      'the stream',
      60_000,
    );
  };
  await hear(begun.streamUrl);
  let said = 0;
  return {
    at: () => at,
    /** What the agent said, as it stands in the chat. */
    heard: () => [...shown.values()].filter(({ text, type }) => type === 'message' && /^a\d+$/.test(text ?? '')).map(({ text }) => text),
    /** The page keeps what it could not send, and sends it again under the same name. */
    say: async (text: string) => {
      said += 1;
      const activity = { type: 'message', text, channelData: { clientActivityID: `client-${said}` } };
      await until(
        async () => {
          try {
            await ask(`${chat}/activities`, begun.token, activity);
            return true;
          } catch {
            at = await alive(cluster, at);
            return false;
          }
        },
        `“${text}” to be taken`,
        60_000,
      );
    },
    close: () => {
      over = true;
    },
  };
};

/** The next replica that serves. */
const alive = async ({ replicas }: Cluster, after: Replica): Promise<Replica> => {
  const from = replicas.indexOf(after);
  for (const step of replicas.keys()) {
    const next = replicas[(from + 1 + step) % replicas.length] as Replica;
    if (
      await fetch(`${base(next)}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return next;
  }
  return after;
};

describe('an agent at one replica, the customer at another, and a third', function () {
  this.timeout(240_000);
  let cluster: Cluster;
  before(async () => {
    cluster = await startCluster({ port: 0, settings: { HANDOFF: 'desk', LOG_LEVEL: 'error' } });
  });
  after(() => cluster?.close());

  it('keep talking while each of the three is killed: nothing is lost, repeated or out of order', async () => {
    const [agents, customers, third] = cluster.replicas as [Replica, Replica, Replica];
    let at = agents;
    const enter = (link: string, who: typeof mara, role: 'agent' | 'supervisor') => signInAtDesk(link, { ...who, role });
    const agent = await openDeskAgent(() => base(at), await enter(agents.deskUrl, mara, 'agent'));
    const customer = await openCustomer(cluster, customers);
    await until(async () => {
      await customer.say('agent');
      return agent.rows().length > 0;
    }, 'the conversation');
    const id = agent.rows()[0]?.id ?? '';
    agent.watch(id);
    assert.equal((await agent.act(id, { kind: 'accept' })).refused, undefined);

    /** The page finds another replica, and asks again under the same name. */
    const says = (text: string) =>
      until(
        async () => {
          try {
            if (agent.closed() !== undefined) await agent.connect();
            const { refused } = await agent.act(id, { kind: 'say', id: text, text });
            return refused === undefined;
          } catch {
            at = await alive(cluster, at);
            return false;
          }
        },
        `“${text}” to be said`,
        60_000,
      );
    let talking = true;
    const counts = { a: 0, c: 0 };
    const loop = async (who: 'a' | 'c', say: (text: string) => Promise<unknown>) => {
      while (talking) {
        await say(`${who}${counts[who]}`);
        counts[who] += 1;
      }
    };
    const loops = Promise.all([loop('a', says), loop('c', customer.say)]);
    const some = async () => {
      const { a, c } = counts;
      await until(() => counts.a >= a + 5 && counts.c >= c + 5, 'both to go on talking', 60_000);
    };
    await some();
    for (const victim of [() => third, () => at, () => customer.at()]) {
      const replica = victim();
      await cluster.kill(replica);
      await some();
      await cluster.restart(replica);
    }
    await some();
    talking = false;
    await loops;

    const heard = () => agent.events(id).flatMap((event) => (event.type === 'message' ? [event.message.text ?? ''] : []));
    const numbered = (who: 'a' | 'c') => Array.from({ length: counts[who] }, (_, index) => `${who}${index}`);
    await until(() => heard().filter((text) => text.startsWith('c')).length >= counts.c, 'what the customer said');
    assert.deepEqual(
      heard().filter((text) => text.startsWith('c')),
      numbered('c'),
    );
    await until(() => customer.heard().length >= counts.a, 'what the agent said');
    assert.deepEqual(customer.heard(), numbered('a'));
    const told = () => agent.events(id).flatMap((event) => (event.type === 'said' ? [event.message.text] : []));
    await until(() => told().length >= counts.a, 'what the agent said, at the desk');
    assert.deepEqual(told(), numbered('a'));

    // At every replica it is told who sits there and who has it, and in the end that it is over.
    const watching: DeskAgent[] = [];
    for (const replica of cluster.replicas) {
      const other = await openDeskAgent(() => base(replica), await enter(replica.deskUrl, noa, 'supervisor'));
      watching.push(other);
      assert.deepEqual(
        other.rows().map((row) => [row.id, row.state, row.agent?.id]),
        [[id, 'accepted', agent.me().id]],
      );
      const colleagues = () =>
        other.frames.flatMap((frame) => ('colleagues' in frame ? [frame.colleagues.map((one) => one.id)] : [])).at(-1);
      await until(() => colleagues()?.includes(agent.me().id), 'the agent among those who are there', 20_000);
    }
    assert.equal((await agent.act(id, { kind: 'finish', wrapUp: 'solved' })).refused, undefined);
    for (const other of watching) await until(() => other.rows().length === 0, 'the list without it');
    console.log(`      ${counts.a} and ${counts.c} messages over three deaths`);
    customer.close();
    for (const other of [agent, ...watching]) await other.disconnect();
  });
});
