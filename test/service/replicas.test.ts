import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { EventFrame } from '../../src/contract/index.ts';
import type { Reply } from '../support/running-service.ts';
import { sendBody, shortAnswer, shortForm } from '../support/sends.ts';
import { statement } from '../support/service-database.ts';
import { type ServiceReplica, type ServiceReplicas, startServiceReplicas } from '../support/service-replicas.ts';
import { connectTo, type ServiceSocket } from '../support/service-socket.ts';
import { until } from '../support/until.ts';

const whole = ['task.sent', 'task.bootstrapped', 'task.started', 'task.succeeded'];
const passcodeFailures = { anHour: 1000, untilLocked: 1000 };

describe('three replicas of the service on one Postgres', function () {
  this.timeout(120_000);
  let cluster: ServiceReplicas;
  let replicas: readonly [ServiceReplica, ServiceReplica, ServiceReplica];
  const three = (limits: object = {}) => startServiceReplicas(3, { limits: { passcodeFailures, ...limits } } as object);
  before(async () => {
    cluster = await three();
    replicas = [...cluster.replicas] as unknown as typeof replicas;
  });
  after(() => cluster.close());
  const times = <Done>(count: number, work: (index: number) => Promise<Done>) =>
    Promise.all(Array.from({ length: count }, (_, index) => work(index)));
  const rows = (text: string, ...values: (string | number)[]) => statement(cluster, text, ...values);
  const linkOf = (requestId: string) =>
    until(async () => {
      const [row] = await rows('select id from outbox where request_id = ?', requestId);
      return row && (await cluster.front.outbox()).find(({ id }) => id === row.id)?.link;
    }, 'the link of a message');
  const events = async (requestId: string) =>
    (await rows('select type from events where request_id = ? order by seq', requestId)).map(({ type }) => type);

  it('send a socket at one the events of the others, in order and each once', async () => {
    const [first, second, third] = replicas;
    const sent = await times(20, async () => (await first.call('POST', '/e-form/send', { body: shortForm() })).json);
    const sockets = await times(20, (index) => connectTo(second.wsUrl, sent[index].wsToken));
    for (const { requestId } of sent) {
      const { pathname } = new URL(await linkOf(requestId));
      assert.equal((await third.open('POST', `${pathname}/opened`)).status, 204);
      assert.equal((await third.open('POST', pathname, { body: new URLSearchParams(shortAnswer) })).status, 200);
    }
    for (const [index, socket] of sockets.entries()) {
      assert.equal(await socket.closed(), 1000);
      assert.deepEqual(socket.types(), whole);
      assert.equal((await first.call('GET', `/results/${sent[index].requestId}`)).json.status, 'success');
    }
  });

  it('compare at most five of a thousand wrong passcodes that come at once', async () => {
    const { json } = await replicas[0].call('POST', '/one-time-passcode/send', { body: sendBody('one-time-passcode') });
    const code = await until(async () => (await cluster.front.outbox())[0]?.code, 'the code');
    const wrong = (index: number) => String((Number(code) + 1 + (index % 999_999)) % 1_000_000).padStart(6, '0');
    const check = (replica: ServiceReplica, typed: string) =>
      replica.call('POST', '/one-time-passcode/check', { body: { requestId: json.requestId, code: typed } });
    const replies = await times(1000, (index) => check(replicas[index % 3] as ServiceReplica, wrong(index)));
    assert.deepEqual([...new Set(replies.map(({ status, text }) => `${status} ${text}`))], ['200 {"codeMatch":false}']);
    const [request] = await rows('select checks, state from requests where id = ?', json.requestId);
    assert.deepEqual(request, { checks: 5, state: 'failure' });
    const guesses = await rows("select taken from quotas where key like 'guesses%'");
    assert.deepEqual(guesses, [{ taken: 5 }, { taken: 5 }, { taken: 5 }]);
    assert.equal((await check(replicas[1], code)).json.codeMatch, false);
    assert.deepEqual(await events(json.requestId), ['task.sent', 'task.failed']);
  });

  it('have one outcome for fifty posts at one link', async () => {
    const { json } = await replicas[0].call('POST', '/e-form/send', { body: shortForm() });
    const { pathname } = new URL(await linkOf(json.requestId));
    const post = (index: number) =>
      (replicas[index % 3] as ServiceReplica).open('POST', pathname, {
        body: new URLSearchParams(index % 2 ? shortAnswer : { decision: 'decline' }),
      });
    const replies = await times(50, post);
    assert.deepEqual(
      replies.map(({ status }) => status).sort(),
      Array.from({ length: 50 }, (_, index) => (index === 0 ? 200 : 410)),
    );
    assert.equal((await events(json.requestId)).filter((type) => /succeeded|failed/.test(type)).length, 1);
  });

  it('make one request from sixty sends with one key', async () => {
    const send = (index: number) =>
      (replicas[index % 3] as ServiceReplica).call('POST', '/payments/send', {
        body: sendBody('payments'),
        headers: { 'idempotency-key': 'one-key' },
      });
    const replies = await times(60, send);
    const answers = replies.filter(({ status }) => status === 200);
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
    assert.ok(replies.every(({ status }) => status === 200 || status === 409));
    for (const index of [0, 1, 2]) assert.equal((await send(index)).text, answers[0]?.text);
    const payments = "from requests where app = 'payments'";
    assert.deepEqual(await rows(`select count(*)::int as count ${payments}`), [{ count: 1 }]);
    await linkOf(answers[0]?.json.requestId);
    assert.deepEqual(await rows(`select count(*)::int as count from outbox where request_id in (select id ${payments})`), [{ count: 1 }]);
  });

  it('share one quota, of messages and of calls', async () => {
    const callsPerAccount = { points: 200, seconds: 600 };
    const limited = await three({ messagesPerDestination: { points: 5, seconds: 600 }, callsPerAccount });
    const { call, given } = limited.front;
    try {
      const sends = await times(30, () => call('POST', '/payments/send', { body: sendBody('payments') }));
      assert.equal(sends.filter(({ status }) => status === 200).length, 5);
      assert.equal(sends.filter(({ json }) => json.code === 'rate_limited').length, 25);
      const calls = await times(270, () => call('POST', '/payments/bootstrap', { body: { phoneNumber: '+12025550102' } }));
      const answered = 30 + calls.filter(({ status }) => status === 200).length;
      // Each replica may be left with less than a share of two.
      assert.ok(answered <= 200 && answered >= 197, `${answered} of 300 calls were answered`);
      assert.ok(calls.every(({ status }) => status === 200 || status === 429));
      assert.ok([...given.values()].every((many) => many > 50));
    } finally {
      await limited.close();
    }
  });

  it('lose nothing and do nothing twice when one is killed in the middle', async () => {
    const count = 90;
    const [known] = await rows('select count(*)::int as count from requests');
    /** As a client does: again under the same key until it is answered. */
    const send = (index: number): Promise<Reply['json']> =>
      until(async () => {
        const body = index % 3 === 0 ? sendBody('e-form', '0110') : index % 3 === 1 ? sendBody('e-form', '0112') : shortForm();
        const headers = { 'idempotency-key': `key-${index}` };
        const reply = await cluster.front.call('POST', '/e-form/send', { body, headers }).catch(() => undefined);
        if (reply?.status !== 200) await pause(20);
        return reply?.status === 200 && reply.json;
      });
    /** Follows a request over as many sockets as it takes; each socket by itself must tell the whole story. */
    const follow = async (wsToken: string) => {
      for (;;) {
        const socket = await connectTo(`ws://127.0.0.1:${cluster.front.port}/ws`, wsToken).catch(() => undefined);
        if (!socket) continue;
        const code = await socket.closed();
        if (code === 1000) return socket;
        assertPrefix(socket);
        await pause(20);
      }
    };
    const assertPrefix = ({ frames }: Pick<ServiceSocket, 'frames'>) =>
      assert.equal(new Set(frames.map(({ id }: EventFrame) => id)).size, frames.length, 'no event twice on one socket');
    const complete = async (index: number) => {
      const { requestId, wsToken } = await send(index);
      const following = follow(wsToken);
      if (index % 3 === 2) {
        const { pathname } = new URL(await linkOf(requestId));
        await until(async () => {
          const body = new URLSearchParams(shortAnswer);
          const reply = await cluster.front.open('POST', pathname, { body }).catch(() => undefined);
          return reply?.status === 200 || reply?.status === 410;
        });
      }
      return { requestId, socket: await following };
    };
    const finished: Promise<Awaited<ReturnType<typeof complete>>>[] = [];
    for (let index = 0; index < count; index += 1) {
      finished.push(complete(index));
      if (index % 3 === 0) await pause(30);
      if (index === count / 2) await cluster.kill(replicas[1]);
    }
    for (const [index, { requestId, socket }] of (await Promise.all(finished)).entries()) {
      const ending = ['task.succeeded', 'task.timed_out', 'task.succeeded'][index % 3];
      assertPrefix(socket);
      assert.deepEqual(socket.types(), await events(requestId));
      assert.equal(socket.types().at(-1), ending);
      // A request may be over before it is noted that its message was sent; nothing is noted then.
      const types = socket.types();
      assert.ok(types.filter((type) => type === 'task.sent').length <= 1);
      assert.deepEqual(
        types.filter((type) => type !== 'task.sent'),
        [...whole.slice(1, 3), ending],
      );
    }
    assert.deepEqual(await rows('select count(*)::int as count from requests'), [{ count: known?.count + count }]);
    assert.deepEqual(await rows('select request_id from outbox group by request_id having count(*) > 1'), []);
    assert.deepEqual(await rows('select id from deliveries'), []);
  });
});
