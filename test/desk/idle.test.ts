import assert from 'node:assert/strict';
import { useFakeTimers } from 'sinon';
import { type DeskAgent, newUlid, openDeskAgent } from '../support/desk.ts';
import { freePort } from '../support/free-port.ts';
import { makeTestProvider, type TestProvider } from '../support/openid-provider.ts';
import { makeOpenIdVisitor } from '../support/openid-visitor.ts';
import { until } from '../support/until.ts';
import { startWhole, type Whole } from '../support/whole.ts';

describe('an hour at the desk without activity', function () {
  this.timeout(60_000);
  let time: ReturnType<typeof useFakeTimers>;
  let provider: TestProvider;
  let whole: Whole;
  let agent: DeskAgent;
  before(async () => {
    // Every interval that is begun from now on stands still; requests and answers take their real time.
    time = useFakeTimers({ now: Date.now(), toFake: ['Date', 'setInterval', 'clearInterval'] });
    const port = await freePort();
    const home = `http://localhost:${port}`;
    provider = await makeTestProvider({ redirectUris: [`${home}/desk/sign-in/callback`], ttl: 8 * 60 * 60 });
    provider.say('olga', { roles: ['support-leads'], email: 'olga.berg@example.com', email_verified: true, name: 'Olga Berg' });
    await provider.start();
    const { clientId, clientSecret, issuer } = provider.settings;
    const openId = { DESK_OIDC_ISSUER: issuer, DESK_OIDC_CLIENT_ID: clientId, DESK_OIDC_CLIENT_SECRET: clientSecret };
    const roles = { DESK_OIDC_AGENTS: 'support', DESK_OIDC_SUPERVISORS: 'support-leads' };
    whole = await startWhole({ port, settings: { HANDOFF: 'desk', PUBLIC_URL: home, ...openId, ...roles } });
  });
  beforeEach(async () => {
    const home = `http://localhost:${whole.bot().port}`;
    const visitor = makeOpenIdVisitor(home, '/desk');
    await visitor.signIn('olga');
    agent = await openDeskAgent(() => home, [...visitor.cookies(home)].map(([name, value]) => `${name}=${value}`).join('; '));
  });
  afterEach(() => agent.disconnect());
  after(async () => {
    await whole?.close();
    await provider?.stop();
    time.restore();
  });

  /** Lets minutes pass in which the page does what it does by itself. */
  const pass = async (minutes: number) => {
    for (let beats = minutes * 4; beats > 0 && agent.closed() === undefined; beats -= 1) {
      const before = agent.frames.filter(({ type }) => type === 'tick').length;
      time.tick(15_000);
      await until(() => agent.closed() ?? agent.frames.filter(({ type }) => type === 'tick').length > before, 'the heartbeat');
      for (const type of ['overview', 'accesses', 'sessions']) await agent.ask({ type }).catch(() => undefined);
      if (beats % 20 !== 0 || agent.closed() !== undefined) continue;
      await agent.disconnect();
      await agent.connect();
      agent.send({ type: 'running', on: true });
      agent.send({ type: 'away', away: false });
      agent.watch(newUlid());
    }
  };

  it('signs the agent out, although the page is open, refreshes itself and reconnects', async () => {
    await pass(59);
    assert.equal(agent.closed(), undefined);
    await pass(2);
    assert.equal(agent.closed(), 4401);
  });

  it('is counted from what the agent last did', async () => {
    await pass(50);
    agent.send({ type: 'typing', id: newUlid() });
    await pass(59);
    assert.equal(agent.closed(), undefined);
    await pass(2);
    assert.equal(agent.closed(), 4401);
  });
});
