import assert from 'node:assert/strict';
import { type Authority, openAuthority } from '../support/authority.ts';
import { fakeTime } from '../support/fake-time.ts';
import { type BotUnderTest, startBot } from '../support/running-bot.ts';

describe('the messaging endpoint with an app id', () => {
  const open: BotUnderTest[] = [];
  afterEach(async () => {
    authority.answer(200);
    for (const bot of open.splice(0)) await bot.close();
  });

  const appId = '8a4b1c50-0000-4000-8000-000000000001';
  const identity = { MicrosoftAppId: appId, MicrosoftAppPassword: 'hunter2', NODE_ENV: 'production' };
  const serviceUrl = 'https://smba.trafficmanager.net/amer/';
  let authority: Authority;
  before(async () => {
    authority = await openAuthority();
  });
  after(() => authority.close());

  const token = (serviceurl = serviceUrl) =>
    authority.sign({ iss: authority.issuer, aud: appId, exp: Math.floor(Date.now() / 1000) + 600, serviceurl });
  const startSecured = async () => {
    const seen: string[] = [];
    const bot = await startBot(async ({ activity }) => void seen.push(activity.text), {
      identity,
      authority: { metadataUrl: authority.metadataUrl },
      rate: { points: 2, seconds: 10 },
    });
    open.push(bot);
    return { bot, seen };
  };

  it('runs a turn for a request that the Bot Connector signed, whatever its host is called', async () => {
    const { bot, seen } = await startSecured();
    const headers = { authorization: `Bearer ${await token()}`, host: 'bot.example' };
    assert.equal((await bot.send({ serviceUrl }, headers)).status, 200);
    assert.deepEqual(seen, ['Hello']);
  });

  it('refuses a request without a token, or with one for another service URL, and says so in the log without the token', async () => {
    const { bot, seen } = await startSecured();
    const other = await token('https://slack.botframework.com/');
    for (const headers of [{}, { authorization: `Bearer ${other}` }] as Record<string, string>[]) {
      const response = await bot.send({ serviceUrl }, headers);
      assert.deepEqual([response.status, (response.body as { code: string }).code], [401, 'unauthorized']);
      assert.equal(response.headers['www-authenticate'], 'Bearer');
    }
    assert.deepEqual(seen, []);
    assert.match(bot.logged.join(''), /"code":"unauthorized"/);
    assert.ok(!bot.logged.join('').includes(other));
  });

  it('refuses loopback as a service URL', async () => {
    const { bot } = await startSecured();
    assert.equal((await bot.send({}, { authorization: `Bearer ${await token(bot.channel.serviceUrl)}` })).status, 400);
  });

  it("does not let unauthenticated requests use up a user's turns", async () => {
    const { bot } = await startSecured();
    for (let request = 0; request < 5; request++) assert.equal((await bot.send({ serviceUrl })).status, 401);
    assert.equal((await bot.send({ serviceUrl }, { authorization: `Bearer ${await token()}` })).status, 200);
  });

  it('reads no body of a request without a token, and hears nothing more from a network that goes on like that', async () => {
    const { bot } = await startSecured();
    const send = (authorization: string) =>
      fetch(`${bot.base}/api/messages`, { method: 'POST', body: '{', headers: { 'content-type': 'application/json', authorization } });
    for (const authorization of ['', 'Bearer', 'Bearer x', 'Basic a.b.c', 'Bearer a.b', 'Bearer a.b.c.d'])
      assert.equal((await send(authorization)).status, 401, authorization);
    assert.equal((await send('Bearer a.b.c')).status, 400);
    const statuses = new Set<number>();
    for (let count = 0; count < 60; count++) statuses.add((await bot.send({ serviceUrl }, { authorization: 'Bearer a.b.c' })).status);
    assert.deepEqual([...statuses], [401, 429]);
    assert.ok(Number((await send('Bearer a.b.c')).headers.get('retry-after')) > 0);
  });

  it('never counts channels, however often they ask', async () => {
    const { bot } = await startSecured();
    const headers = { authorization: `Bearer ${await token()}` };
    const statuses = new Set<number>();
    for (let count = 0; count < 80; count++)
      statuses.add((await bot.send({ serviceUrl, from: { id: `user-${count}` }, conversation: { id: `chat-${count}` } }, headers)).status);
    assert.deepEqual([...statuses], [200]);
  });

  it('answers 503 while the keys cannot be read', async () => {
    const { bot } = await startSecured();
    authority.answer(500);
    assert.equal((await bot.send({ serviceUrl }, { authorization: `Bearer ${await token()}` })).status, 503);
  });

  it('reads few bodies of one network while tokens cannot be checked, and takes its messages once they can be', async () => {
    const clock = fakeTime(Date.now());
    try {
      const { bot } = await startSecured();
      authority.answer(500);
      const authorization = `Bearer ${await token()}`;
      const statuses: number[] = [];
      for (let count = 0; count < 30; count++) statuses.push((await bot.send({ serviceUrl }, { authorization })).status);
      assert.deepEqual(statuses, [...Array(20).fill(503), ...Array(10).fill(429)]);
      const unread = await fetch(`${bot.base}/api/messages`, {
        method: 'POST',
        body: '{',
        headers: { 'content-type': 'application/json', authorization },
      });
      assert.equal(unread.status, 429);
      authority.answer(200);
      await clock.time.tickAsync(5000);
      assert.equal((await bot.send({ serviceUrl }, { authorization: `Bearer ${await token()}` })).status, 200);
    } finally {
      clock.restore();
    }
  });
});
