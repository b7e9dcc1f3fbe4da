import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { request } from 'undici';
import { message } from '../support/activities.ts';
import { type Channel, openChannel } from '../support/channel.ts';
import { openWorkshop, type Running, type Workshop } from '../support/process.ts';
import { until } from '../support/until.ts';

describe('a bot that gets SIGTERM', () => {
  let workshop: Workshop;
  let channel: Channel;
  let bot: Running;
  let address: string;
  beforeEach(async () => {
    workshop = openWorkshop();
    channel = await openChannel();
    bot = workshop.start(['bot'], await workshop.settings({ SERVICE_BASE_URL: 'http://127.0.0.1:9', SERVICE_SECRET_KEY: 'key' }));
    address = (await bot.addresses('bot endpoint'))['bot endpoint'] ?? '';
  });
  afterEach(async () => {
    await workshop.close();
    await channel.close();
  });

  const base = () => address.replace('/api/messages', '').replace('localhost', '127.0.0.1');
  const end = async () => {
    const since = performance.now();
    const { code } = await bot.stop('SIGTERM');
    return { code, milliseconds: performance.now() - since, errors: bot.stderr() };
  };
  const probe = async (path: string) => {
    const { statusCode, body } = await request(`${base()}${path}`);
    return { status: statusCode, body: await body.json() };
  };
  const send = async (fields: object) => {
    const { statusCode, headers, body } = await request(`${base()}/api/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(message({ serviceUrl: channel.serviceUrl, ...fields })),
    });
    return { status: statusCode, headers, text: await body.text() };
  };
  /** A turn that hangs at the channel, which takes the bot's reply only when told to. */
  const turnInFlight = async () => {
    let held: ServerResponse | undefined;
    channel.next.push((_req, res) => {
      held = res;
    });
    const answer = send({ text: 'help' });
    await until(() => held, 'the reply at the channel', 10_000);
    return {
      answer,
      finish: () => {
        held?.writeHead(200, { 'content-type': 'application/json' });
        held?.end('{"id":"late"}');
      },
    };
  };

  it('reports it at once, accepts nothing new, finishes the running turn, and exits with 0', async () => {
    assert.equal((await probe('/readyz')).status, 200);
    const turn = await turnInFlight();
    const ending = end();
    const { body } = await until(async () => {
      const answer = await probe('/readyz');
      return answer.status === 503 && answer;
    }, 'a bot that is not ready');
    assert.deepEqual(body, { status: 'not ready', failing: ['shutdown'] });
    assert.equal((await probe('/healthz')).status, 200);
    const refused = await send({ text: 'one more', id: 'activity-2' });
    assert.deepEqual([refused.status, refused.headers['retry-after']], [503, '5']);
    assert.match(refused.text, /"code":"stopping"/);
    turn.finish();
    assert.equal((await turn.answer).status, 200);
    const { code, milliseconds, errors } = await ending;
    assert.equal(code, 0);
    assert.ok(milliseconds < 10_000);
    assert.doesNotMatch(errors, /still running|did not stop/);
  });

  it('goes on working for SHUTDOWN_DELAY, while it says that it is not ready', async () => {
    await bot.stop('SIGKILL');
    const more = { SERVICE_BASE_URL: 'http://127.0.0.1:9', SERVICE_SECRET_KEY: 'key', SHUTDOWN_DELAY: '2' };
    bot = workshop.start(['bot'], await workshop.settings(more));
    address = (await bot.addresses('bot endpoint'))['bot endpoint'] ?? '';
    const ending = end();
    await until(async () => (await probe('/readyz')).status === 503, 'a bot that is not ready');
    assert.equal((await send({ text: 'help' })).status, 200);
    const { code, milliseconds } = await ending;
    assert.equal(code, 0);
    assert.ok(milliseconds >= 2000 && milliseconds < 12_000, `${milliseconds}`);
  });

  it('lets a turn finish that takes another five seconds', async function () {
    this.timeout(30_000);
    const turn = await turnInFlight();
    const ending = end();
    setTimeout(turn.finish, 5000);
    assert.equal((await turn.answer).status, 200);
    const { code, errors } = await ending;
    assert.equal(code, 0);
    assert.doesNotMatch(errors, /still running|did not stop/);
  });

  it('exits within 10 s even if a turn does not end', async function () {
    this.timeout(30_000);
    const turn = await turnInFlight();
    const cut = turn.answer.catch(() => undefined);
    const { code, milliseconds, errors } = await end();
    assert.equal(code, 0);
    assert.ok(milliseconds < 10_000);
    assert.match(errors, /turns were still running at the end/);
    await cut;
  });
});
