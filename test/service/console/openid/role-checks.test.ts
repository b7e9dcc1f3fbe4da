import assert from 'node:assert/strict';
import { againMs, freshMs, silentMs } from '../../../../src/sign-in/openid/role-checks.ts';
import { onEachDatabase } from '../../../support/each-database.ts';
import { people, type TestProvider } from '../../../support/openid-provider.ts';
import { startBesideProvider } from '../../../support/openid-service.ts';
import { makeOpenIdVisitor, type OpenIdVisitor } from '../../../support/openid-visitor.ts';
import type { TestService } from '../../../support/running-service.ts';
import { everythingIn, statement } from '../../../support/service-database.ts';
import { makeTestTime, type TestTime } from '../../../support/test-time.ts';

const forOperators = '/console/sessions';

onEachDatabase('a role at the provider', function (start) {
  this.timeout(60_000);
  for (const [way, refreshing] of [
    ['a refresh token', true],
    ['the access token', false],
  ] as const) {
    describe(`that is asked for again with ${way}`, () => {
      let provider: TestProvider;
      let service: TestService;
      let home: string;
      let time: TestTime;
      let visitor: OpenIdVisitor;
      before(async () => {
        time = makeTestTime();
        ({ provider, service, home } = await startBesideProvider(start, { refreshing }, { clock: time.clock, alarm: time.alarm }));
      });
      beforeEach(async () => {
        await provider.stop();
        await provider.start();
        provider.say('olga', people.olga);
        provider.tamper(() => {});
        // The limit on attempts to sign in is tried elsewhere.
        await service.restart();
        visitor = makeOpenIdVisitor(home);
        await pass(1000);
      });
      after(async () => {
        await service?.close();
        await provider?.stop();
      });

      const pass = (milliseconds: number) => time.advance(milliseconds, () => service.running.settled());
      const status = async (path = forOperators, who = visitor) => (await who.get(path)).status;
      const sessions = async () => Number((await statement(service, 'select count(*) as count from console_sessions'))[0]?.count);
      const lastAccess = async () => {
        const [{ person, role, action } = {}] = await statement(service, 'select * from console_accesses order by id desc limit 1');
        return [person, role, action];
      };
      const olga = 'olga.berg@example.com (olga)';

      it('counts for five minutes, and is checked again at the next click', async () => {
        await visitor.signIn('olga');
        provider.say('olga', { ...people.olga, roles: ['payroll'] });
        await pass(freshMs - 1);
        assert.equal(await status(), 200);
        await pass(1);
        assert.equal(await status(), 401);
        assert.deepEqual(await lastAccess(), [olga, 'none', 'role-lost']);
        assert.equal(await sessions(), 0);
        assert.equal(await status('/console'), 401);
      });

      it('that is taken away ends the person’s sessions in other browsers too', async () => {
        const other = makeOpenIdVisitor(home);
        await visitor.signIn('olga');
        await other.signIn('olga');
        provider.say('olga', { ...people.olga, roles: [] });
        await pass(freshMs);
        assert.equal(await status(), 401);
        assert.equal(await sessions(), 0);
        assert.equal(await status('/console', other), 401);
      });

      it('that changes takes effect at that click, in either direction', async () => {
        await visitor.signIn('olga');
        for (const [role, roles, answered] of [
          ['viewer', ['countersign-viewer'], 403],
          ['operator', ['countersign-operator'], 200],
        ] as const) {
          provider.say('olga', { ...people.olga, roles });
          await pass(freshMs);
          assert.equal(await status('/console'), 200);
          assert.deepEqual(await lastAccess(), [olga, role, 'role-changed']);
          assert.equal(await status(), answered);
        }
      });

      it('of somebody whom the provider no longer knows ends the session', async () => {
        await visitor.signIn('olga');
        provider.say('olga', undefined);
        await pass(freshMs);
        assert.equal(await status('/console'), 401);
        assert.deepEqual(await lastAccess(), [olga, 'operator', 'sign-in-over']);
      });

      it('is checked repeatedly for as long as the session lasts', async () => {
        await visitor.signIn('olga');
        for (let click = 0; click < 4; click += 1) {
          await pass(freshMs);
          assert.deepEqual(await Promise.all([status(), status(), status()]), [200, 200, 200]);
        }
        provider.say('olga', { ...people.olga, roles: [] });
        await pass(freshMs);
        assert.equal(await status(), 401);
      });

      it('is reduced to viewer while the provider does not answer, and restored when it does', async () => {
        await visitor.signIn('olga');
        await provider.stop();
        await pass(freshMs - 1);
        assert.equal(await status(), 200);
        await pass(1);
        const page = await visitor.get(forOperators);
        assert.equal(page.status, 403);
        assert.match(page.text, /cannot be confirmed right now/);
        assert.equal(await status('/console'), 200);
        await provider.start();
        await pass(againMs - 1);
        assert.equal(await status(), 403, 'it is left alone for a while');
        await pass(1);
        assert.equal(await status(), 200);
      });

      it('ends with the session when the provider has not answered for twenty minutes', async () => {
        await visitor.signIn('olga');
        await provider.stop();
        await pass(freshMs);
        assert.equal(await status('/console'), 200);
        await pass(silentMs - freshMs - 1);
        assert.equal(await status('/console'), 200);
        await pass(1);
        assert.equal(await status('/console'), 401);
        assert.deepEqual(await lastAccess(), [olga, 'operator', 'unconfirmed']);
      });

      it('is not trusted after a break while the provider does not answer', async () => {
        await visitor.signIn('olga');
        await provider.stop();
        await pass(silentMs);
        assert.equal(await status('/console'), 401);
      });

      it('is not needed to sign somebody out', async () => {
        await visitor.signIn('olga');
        await provider.stop();
        await pass(freshMs);
        assert.equal((await visitor.post('/console/sign-out')).status, 200);
        assert.deepEqual(await lastAccess(), [olga, 'operator', 'sign-out']);
      });

      it('is checked with tokens that are encrypted in the database', async () => {
        const tokens: string[] = [];
        provider.tamper(({ access_token, refresh_token }) => {
          tokens.push(String(access_token));
          if (refresh_token !== undefined) tokens.push(String(refresh_token));
        });
        await visitor.signIn('olga');
        await pass(freshMs);
        assert.equal(await status(), 200);
        assert.equal(tokens.length, refreshing ? 4 : 1);
        const stored = await everythingIn(service);
        for (const token of tokens) assert.ok(!stored.includes(token));
      });
    });
  }
});
