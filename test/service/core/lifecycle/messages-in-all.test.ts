import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { productionLimits, type SharedQuota } from '../../../../src/service/core/limits/limits.ts';
import { assertProblem } from '../../../support/assert-problem.ts';
import { onEachDatabase } from '../../../support/each-database.ts';
import { ownCatalogue } from '../../../support/own-catalogue.ts';
import type { Reply, ServiceCalls, TestService } from '../../../support/running-service.ts';
import { sendBody } from '../../../support/sends.ts';
import { type ServiceReplicas, startServiceReplicas } from '../../../support/service-replicas.ts';
import { makeTestTime, type TestTime } from '../../../support/test-time.ts';
import { northernKey, twoAccounts } from '../../../support/two-accounts.ts';

const { messagesPerCustomer, messagesPerCustomerDaily, messagesInAll, messagesInAllDaily } = productionLimits;
const sumOf = ({ points, kept }: SharedQuota) => points + (kept?.customer ?? 0) + (kept?.session ?? 0);
const keys = { ours: {}, northern: { headers: { authorization: `Bearer ${northernKey}` } } };
type Whose = keyof typeof keys;

const send = (at: ServiceCalls, whose: Whose, body: object = sendBody('one-time-passcode')) =>
  at.call('POST', '/one-time-passcode/send', { body, ...keys[whose] });
const passkeys = (at: ServiceCalls, whose: Whose, email: string) =>
  at.call('POST', '/passkeys/send', { body: { ...sendBody('passkeys'), recipients: [{ email, name: 'Mei' }] }, ...keys[whose] });
const acceptedIn = (replies: readonly Reply[]) => replies.filter(({ status }) => status === 200).length;

describe('messages of several accounts to one customer', () => {
  let folder: string;
  let catalogueFile: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-in-all-'));
    catalogueFile = ownCatalogue(folder, twoAccounts);
  });
  after(() => rmSync(folder, { recursive: true }));

  it('may be as many as two of them may send, so that one cannot block the others', () => {
    assert.equal(messagesInAll.points, sumOf(messagesPerCustomer) * 2);
    assert.equal(messagesInAll.seconds, messagesPerCustomer.seconds);
    assert.equal(messagesInAllDaily.points, 60);
    assert.equal(messagesPerCustomerDaily.kept?.seconds, messagesInAllDaily.seconds);
  });

  onEachDatabase('are counted together', (startTestService) => {
    let time: TestTime;
    let service: TestService;
    const start = async (inAll: number, each = 5) => {
      time = makeTestTime();
      service = await startTestService({
        clock: time.clock,
        alarm: time.alarm,
        catalogueFile,
        limits: {
          messagesPerDestination: { points: each, seconds: 600 },
          messagesInAll: { points: inAll, seconds: 600 },
          resendCooldownsMs: [0],
        },
      });
    };
    afterEach(() => service.close());

    it('whoever sends first, and refusals say when to try again', async () => {
      await start(7);
      const replies = await Promise.all(Array.from({ length: 40 }, (_, index) => send(service, index % 2 ? 'ours' : 'northern')));
      assert.equal(acceptedIn(replies), 7);
      assert.equal((await service.outbox()).length, 7);
      const refused = await send(service, 'ours');
      assertProblem(refused, 429, 'rate_limited');
      assert.equal(Number(refused.headers['retry-after']), 600);
      assert.equal(acceptedIn([await send(service, 'ours', sendBody('one-time-passcode', '0110'))]), 1, 'another phone');
      await time.advance(600_000, () => service.running.settled());
      assert.equal(acceptedIn([await send(service, 'northern')]), 1);
    });

    it('leave one account its share when another has used up its own', async () => {
      await start(10);
      for (let count = 0; count < 20; count += 1) await send(service, 'northern');
      assert.equal((await service.outbox()).length, 5);
      for (let count = 0; count < 5; count += 1) assert.equal(acceptedIn([await send(service, 'ours')]), 1);
      assertProblem(await send(service, 'ours'), 429, 'rate_limited');
    });

    it('whether they are sent or sent again', async () => {
      await start(3);
      const { requestId } = (await send(service, 'northern')).json;
      const resend = async () => {
        // A message that is still on its way when the next is sent is dropped: its code has become void.
        await service.running.settled();
        return service.call('POST', `/requests/${requestId}/resend`, keys.northern);
      };
      assert.deepEqual([(await resend()).status, (await resend()).status], [200, 200]);
      assertProblem(await resend(), 429, 'rate_limited');
      assertProblem(await send(service, 'ours'), 429, 'rate_limited');
      assert.equal((await service.outbox()).length, 3);
    });

    it('to an e-mail address too, however it is capitalised', async () => {
      await start(2);
      assert.equal((await passkeys(service, 'ours', 'mei.tanaka@example.com')).status, 200);
      assert.equal((await passkeys(service, 'northern', 'Mei.Tanaka@Example.com')).status, 200);
      assertProblem(await passkeys(service, 'ours', 'MEI.TANAKA@EXAMPLE.COM'), 429, 'rate_limited');
    });

    it('and use up no quota if they are refused', async () => {
      await start(2, 2);
      assert.deepEqual([(await send(service, 'ours')).status, (await send(service, 'northern')).status], [200, 200]);
      assertProblem(await send(service, 'ours'), 429, 'rate_limited');
      await time.advance(600_000, () => service.running.settled());
      assert.deepEqual([(await send(service, 'ours')).status, (await send(service, 'ours')).status], [200, 200]);
    });
  });

  describe('over two replicas on one Postgres', () => {
    let cluster: ServiceReplicas;
    afterEach(() => cluster.close());

    it('are limited together, whichever replica an account calls', async () => {
      const limits = { messagesPerDestination: { points: 20, seconds: 600 }, messagesInAll: { points: 9, seconds: 600 } };
      cluster = await startServiceReplicas(2, { catalogueFile, limits });
      const [one, other] = cluster.replicas;
      assert.ok(one && other);
      const both = Array.from({ length: 40 }, (_, index) => send(index % 2 ? one : other, index % 4 < 2 ? 'ours' : 'northern'));
      const replies = await Promise.all(both);
      assert.equal(acceptedIn(replies), 9);
      assert.ok(replies.every(({ status }) => status === 200 || status === 429));
    });
  });
});
