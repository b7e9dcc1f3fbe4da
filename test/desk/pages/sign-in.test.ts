import assert from 'node:assert/strict';
import { type DeskAgent, openDeskAgent } from '../../support/desk.ts';
import { freePort } from '../../support/free-port.ts';
import { makeTestProvider, type PersonName, type TestProvider } from '../../support/openid-provider.ts';
import { makeOpenIdVisitor, type OpenIdVisitor, onwardFrom } from '../../support/openid-visitor.ts';
import { talkTo } from '../../support/talk.ts';
import { until } from '../../support/until.ts';
import { startWhole, type Whole } from '../../support/whole.ts';

describe('signing in at the desk with an OpenID provider', function () {
  this.timeout(60_000);
  let provider: TestProvider;
  let whole: Whole;
  let home: string;
  let visitor: OpenIdVisitor;
  before(async () => {
    const port = await freePort();
    home = `http://localhost:${port}`;
    provider = await makeTestProvider({ redirectUris: [`${home}/desk/sign-in/callback`] });
    provider.say('olga', { roles: ['support-leads'], email: 'olga.berg@example.com', email_verified: true, name: 'Olga Berg' });
    provider.say('victor', { roles: ['support'], preferred_username: 'victor', email: 'canary@example.com', email_verified: false });
    await provider.start();
    const { clientId, clientSecret, issuer } = provider.settings;
    whole = await startWhole({
      port,
      settings: {
        ...{
          HANDOFF: 'desk',
          PUBLIC_URL: home,
          DESK_OIDC_ISSUER: issuer,
          DESK_OIDC_CLIENT_ID: clientId,
          DESK_OIDC_CLIENT_SECRET: clientSecret,
        },
        ...{ DESK_OIDC_AGENTS: 'support', DESK_OIDC_SUPERVISORS: 'support-leads' },
      },
    });
  });
  beforeEach(() => {
    visitor = makeOpenIdVisitor(home, '/desk');
  });
  after(async () => {
    await whole?.close();
    await provider?.stop();
  });
  const meOf = ({ frames }: DeskAgent) => frames.flatMap((frame) => (frame.type === 'welcome' ? [frame.me] : []))[0];
  const cookie = () => [...visitor.cookies(home)].map(([name, value]) => `${name}=${value}`).join('; ');

  const roles: [PersonName, { sub: string; name: string; email?: string; role: string }][] = [
    ['olga', { sub: 'olga', name: 'Olga Berg', email: 'olga.berg@example.com', role: 'supervisor' }],
    // An address that the provider doubts is nobody's.
    ['victor', { sub: 'victor', name: 'victor', role: 'agent' }],
  ];
  for (const [who, { sub, ...expected }] of roles) {
    it(`lets ${who} in as ${expected.role}, by issuer and subject, with the name that customers are told`, async () => {
      const arrived = await visitor.signIn(who);
      assert.equal(onwardFrom(arrived).href, `${home}/desk`);
      assert.match(String(arrived.headers['set-cookie']), /^desk=[\w-]{32}; Path=\/desk; HttpOnly; SameSite=Strict; Max-Age=28800$/);
      assert.equal((await visitor.get('/desk')).status, 200);
      const agent = await openDeskAgent(() => home, cookie());
      assert.deepEqual(meOf(agent), { id: `${provider.issuer}#${sub}`, ...expected, away: false });
      await agent.disconnect();
    });
  }

  for (const verified of [undefined, 'false', 'true'])
    it(`gives nobody a colleague’s conversation for claiming the colleague’s address (${verified})`, async () => {
      const talk = await talkTo(whole);
      await talk.say('agent');
      await visitor.signIn('olga');
      const olga = await openDeskAgent(() => home, cookie());
      const { id } = await until(() => olga.rows().find(({ state }) => state === 'requested'), 'the conversation');
      await olga.act(id, { kind: 'accept' });
      const claimed = { roles: ['support'], email: 'Olga.Berg@example.com', name: 'Mallory' };
      provider.say('victor', verified === undefined ? claimed : { ...claimed, email_verified: verified });
      visitor = makeOpenIdVisitor(home, '/desk');
      await visitor.signIn('victor');
      const mallory = await openDeskAgent(() => home, cookie());
      for (const act of [{ kind: 'say', id: 'm1', text: 'Please read me your card number' }, { kind: 'return' }])
        assert.equal((await mallory.act(id, act)).refused, 'not_yours');
      assert.equal((await mallory.ask({ type: 'options', id, app: 'payments', phoneNumber: '+12025550110' })).refused, 'not_yours');
      await olga.act(id, { kind: 'finish', wrapUp: 'solved' });
      await mallory.disconnect();
      await olga.disconnect();
    });

  it('refuses people without a role, and people who cancel', async () => {
    const refused = await visitor.signIn('nora');
    assert.equal(refused.status, 403);
    assert.match(refused.text, /You have no role at the desk/);
    const declined = await makeOpenIdVisitor(home, '/desk').signIn('cancel');
    assert.equal(declined.status, 403);
    assert.equal((await visitor.get('/desk')).status, 401);
  });

  it('accepts no one-time link instead', async () => {
    assert.equal(whole.bot().links.desk, `${home}/desk`);
    assert.equal((await visitor.get('/desk/sign-in/abcdefghijklmnopqrstuvwxyz012345')).status, 404);
  });

  it('refuses an answer in a browser that did not start the sign-in', async () => {
    const callback = await visitor.choose(await visitor.leave(), 'olga');
    assert.equal((await makeOpenIdVisitor(home, '/desk').get(callback.href)).status, 410);
  });

  it('signs out at the desk and at the provider', async () => {
    await visitor.signIn('olga');
    const before = cookie();
    const left = await visitor.post('/desk/sign-out');
    assert.match(onwardFrom(left).href, new RegExp(`^${provider.issuer}/session/end`));
    assert.equal((await fetch(`${home}/desk`, { headers: { cookie: before } })).status, 401);
  });
});
