import assert from 'node:assert/strict';
import { Client } from 'pg';
import { fetch } from 'undici';
import { answer, newestLink } from '../support/device.ts';
import { type Talk, talkTo } from '../support/talk.ts';
import { until } from '../support/until.ts';
import { type Cluster, startCluster } from './cluster.ts';

const secret = 'the-secret-of-the-site-that-embeds-the-chat';

describe('three replicas behind a front', function () {
  this.timeout(180_000);
  let cluster: Cluster;
  let database: Client;
  before(async () => {
    cluster = await startCluster({ port: 0, settings: { DIRECTLINE_SECRET: secret } });
    database = new Client({ connectionString: cluster.databaseUrl });
    await database.connect();
  });
  after(async () => {
    await database?.end();
    await cluster?.close();
  });

  /** The front, as tests talk to a bot. */
  const bot = () => ({
    port: cluster.front.port,
    directLine: {
      issueToken: async () => {
        const response = await fetch(`http://localhost:${cluster.front.port}/v3/directline/tokens/generate`, {
          method: 'POST',
          headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
          body: JSON.stringify({ user: { id: 'dl_someone' } }),
        });
        assert.equal(response.status, 200, await response.clone().text());
        return (await response.json()) as { token: string; conversationId: string; userId: string; expires_in: number };
      },
    },
  });
  const service = () => ({ service: { baseUrl: Object.fromEntries(cluster.addresses).service } }) as never;
  /** Sends a payment request to the customer's phone. */
  const pay = async (talk: Talk) => {
    await talk.say('I want to pay my bill');
    await talk.say('+1 202 555 0102');
    await talk.sees(/\S••• \S\./);
    await talk.say('1');
    await talk.asks();
    await talk.sees(/sent|phone/i);
  };
  /**
   * Which process works on the only interaction that waits: by the lock it holds, whose connection bears its number.
   */
  const owner = async () => {
    const { rows } = await database.query(
      `select application_name from interaction join replica on replica.id = owner
        join pg_locks on locktype = 'advisory' and objid = lock_key and objsubid = 2
        join pg_stat_activity on pg_stat_activity.pid = pg_locks.pid where interaction.state = 'waiting'`,
    );
    const pid = Number(/\d+/.exec(rows[0]?.application_name ?? '')?.[0]);
    return cluster.replicas.find(({ process }) => process.pid === pid);
  };

  it('serve one conversation together, and its outcome arrives once even if the replica that waited for it is killed', async () => {
    const talk = await talkTo({ bot: bot as never });
    await pay(talk);
    assert.ok(
      cluster.replicas.every(({ port }) => (cluster.front.given.get(port) ?? 0) > 0),
      'every replica was given requests',
    );
    const link = await newestLink(service());
    const waiting = await until(owner, 'the owner');
    const began = performance.now();
    await cluster.kill(waiting);
    const next = await until(
      async () => {
        const now = await owner();
        return now !== waiting && now;
      },
      'another owner',
      15_000,
    );
    console.log(`      taken over after ${Math.round(performance.now() - began)} ms`);
    assert.ok(cluster.replicas.includes(next));

    await talk.reconnect();
    await talk.say('status');
    await talk.sees(/\+1•••0102/);
    await answer(service(), link, 'accept');
    const outcome = await talk.outcome();
    assert.equal(outcome.channelData.interaction.status, 'success');
    await talk.sees(/What would you like to do/);
    await talk.say('help');
    assert.equal(talk.outcomes().length, 1);
  });

  it('take a click once that reaches two replicas at the same time', async () => {
    const talk = await talkTo({ bot: bot as never });
    await pay(talk);
    const cancel = talk.newestButton('Cancel');
    await Promise.all([talk.submit(cancel), talk.submit(cancel)]);
    assert.equal((await talk.outcome()).channelData.interaction.status, 'cancelled');
    await talk.sees(/What would you like to do/, true);
    assert.equal(talk.outcomes().length, 1);
  });
});
