import assert from 'node:assert/strict';
import { makeLog } from '../../../src/platform/log.ts';
import { openConsole } from '../../../src/service/console/open.ts';
import { pagesOf } from '../../../src/service/console/section.ts';
import { makeSections } from '../../../src/service/console/sections.ts';
import type { openConsoleStore } from '../../../src/service/console/store.ts';
import type { Core } from '../../../src/service/core/core.ts';
import { freePort } from '../../support/free-port.ts';
import { makeTestProvider, type PersonName, type TestProvider } from '../../support/openid-provider.ts';
import { makeOpenIdVisitor } from '../../support/openid-visitor.ts';
import { startTestService, type TestService } from '../../support/running-service.ts';
import { sendBody } from '../../support/sends.ts';
import { statement } from '../../support/service-database.ts';

/** Every page there is: what it takes its parts for shows only when it is asked for. */
const nothing = {} as never;
const pages = makeSections({ storage: { database: {} } } as Core, nothing, nothing, nothing).flatMap(pagesOf);
/** Whose data these do not show. */
const nobodys = ['', '/products', '/documents', '/forms', '/keys', '/webhooks', '/accesses'];

describe('each role at each route of the console', function () {
  this.timeout(120_000);
  let provider: TestProvider;
  let service: TestService;
  let home: string;
  beforeEach(async () => {
    const port = await freePort();
    home = `http://localhost:${port}`;
    provider = await makeTestProvider({ redirectUris: [`${home}/console/sign-in/callback`] });
    await provider.start();
    const delivery = { deliver: async () => ({ accepted: true }) as const };
    service = await startTestService({
      port,
      demo: false,
      delivery,
      openId: provider.settings,
      limits: {
        resendCooldownsMs: [0],
        oneActive: false,
        messagesPerDestination: { points: 1000, seconds: 600 },
        messagesPerCustomer: { points: 1000, seconds: 600 },
        messagesPerCustomerDaily: { points: 1000, seconds: 600 },
        messagesInAllDaily: { points: 1000, seconds: 600 },
        messagesInAll: { points: 1000, seconds: 600 },
      },
    });
  });
  afterEach(async () => {
    await service?.close();
    await provider?.stop();
  });

  it('is checked for every route', async () => {
    const routed: string[] = [];
    const server = { route: (method: string, path: string) => void routed.push(`${method} ${path}`) };
    const core = { server, storage: { database: {} }, assets: {}, looks: { service: {} }, clock: { now: () => 0 }, log: makeLog('silent') };
    const store = {} as ReturnType<typeof openConsoleStore>;
    const desk = openConsole(core as unknown as Core, store, { audit: nothing, webhooks: nothing }, provider.settings);
    await desk.close();
    assert.deepEqual(
      routed.sort(),
      [
        ...pages.map(({ method, path }) => `${method} /console${path}`),
        'GET /console/sign-in/callback',
        'POST /console/sign-in',
        'POST /console/sign-out',
      ].sort(),
    );
  });

  const everybody: [string, PersonName | undefined, 'none' | 'operator' | 'viewer'][] = [
    ['somebody signed out', undefined, 'none'],
    ['somebody with no role', 'nora', 'none'],
    ['a viewer', 'victor', 'viewer'],
    ['an operator', 'olga', 'operator'],
  ];
  for (const [who, person, role] of everybody) {
    it(`as ${who}`, async () => {
      const visitor = makeOpenIdVisitor(home);
      if (person) await visitor.signIn(person);
      else (visitor.cookies(home) as Map<string, string>).set('console', 'a'.repeat(32));
      const recorded = async () => Number((await statement(service, 'select count(*) as count from console_accesses'))[0]?.count);
      for (const { method, path, role: least, looked } of pages) {
        const { requestId } = (await service.call('POST', '/payments/send', { body: sendBody('payments') })).json;
        await service.running.settled();
        const before = await recorded();
        const address = `/console${path.replace(':account', 'none').replace(':id', requestId)}`;
        const { status, text } =
          method === 'GET' ? await visitor.get(address) : await visitor.post(address, { customer: 'cust-0102-mei brightwater' });
        const what = `${method} ${path}`;
        const allowed = role === 'operator' || role === least;
        if (!allowed) {
          assert.equal(status, role === 'none' ? 401 : 403, what);
          assert.doesNotMatch(text, /Tanaka|2025550102|cust-0102/, what);
        } else {
          assert.ok(method === 'GET' ? status === 200 : status === 303 || status === 404, `${what}: ${status}`);
        }
        assert.equal((await recorded()) - before, allowed && looked ? 1 : 0, what);
        assert.ok(looked || nobodys.includes(path), `${what} shows or does something that is not recorded`);
        const state = (await service.call('GET', `/requests/${requestId}`)).json.state;
        assert.equal(state, allowed && path.endsWith('/cancel') ? 'cancelled' : 'pending', what);
      }
      const out = await visitor.post('/console/sign-out');
      assert.equal(out.status, role === 'none' ? 401 : 200);
    });
  }
});
