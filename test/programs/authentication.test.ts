import assert from 'node:assert/strict';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { publicLimits } from '../../src/compose/bot/limits.ts';
import { HttpProblem } from '../../src/platform/http/http-problem.ts';
import { systemClock } from '../../src/platform/time/clock.ts';
import { makeAuthentication } from '../../src/programs/authentication.ts';
import type { Authentication } from '../../src/programs/index.ts';
import type { ProgramsOptions } from '../../src/programs/options.ts';
import { failureOf } from '../support/failure-of.ts';
import { fakeTime } from '../support/fake-time.ts';

const key = 'the-key-of-the-programs-in-these-tests';
const resource = 'https://chat.example.com/mcp';

describe('the caller of an operation', () => {
  const open: Authentication[] = [];
  afterEach(() => Promise.all(open.splice(0).map((one) => one.close())));
  const authenticationFor = (access: ProgramsOptions) => {
    const made = makeAuthentication(access, publicLimits.programs, systemClock);
    open.push(made);
    return (authorization: string | undefined, clientAddress = '192.0.2.1') => {
      const headers: IncomingHttpHeaders = authorization === undefined ? {} : { authorization };
      return made.authenticate({ headers, clientAddress }, resource, 'resource_metadata="x"');
    };
  };
  const refusal = (work: Promise<unknown>): Promise<HttpProblem> => failureOf(work, HttpProblem);

  it('is the holder of the key', async () => {
    const authenticate = authenticationFor({ key });
    for (const way of [`Bearer ${key}`, `bearer ${key}`]) assert.deepEqual(await authenticate(way), { name: 'key' });
  });

  for (const authorization of [
    undefined,
    '',
    'Bearer',
    `Bearer ${key}x`,
    `Bearer ${key.slice(1)}`,
    `Basic ${btoa(key)}`,
    key,
    'Bearer a.b.c',
  ])
    it(`is nobody with ${authorization}`, async () => {
      const { headers, status } = await refusal(authenticationFor({ key })(authorization));
      assert.equal(status, 401);
      const given = /^Bearer +\S+$/i.test(authorization ?? '');
      assert.equal(
        headers['WWW-Authenticate'],
        given ? 'Bearer error="invalid_token", resource_metadata="x"' : 'Bearer resource_metadata="x"',
      );
    });

  it('may try twenty times a minute without the key, and continue with it', async () => {
    const clock = fakeTime();
    try {
      const authenticate = authenticationFor({ key });
      for (let tries = 0; tries < 20; tries += 1) assert.equal((await refusal(authenticate('Bearer wrong'))).status, 401);
      // An IPv6 network is one, whatever the rest of its addresses.
      for (let tries = 0; tries < 20; tries += 1)
        assert.equal((await refusal(authenticate('Bearer wrong', `2001:db8::${tries}`))).status, 401);
      assert.equal((await refusal(authenticate('Bearer wrong', '2001:db8::ffff'))).status, 429);
      const limited = await refusal(authenticate('Bearer wrong'));
      assert.deepEqual([limited.status, limited.headers['Retry-After']], [429, '60']);
      assert.equal((await refusal(authenticate('Bearer wrong', '192.0.2.2'))).status, 401);
      assert.deepEqual(await authenticate(`Bearer ${key}`), { name: 'key' });
      await clock.time.tickAsync(60_000);
      assert.equal((await refusal(authenticate('Bearer wrong'))).status, 401);
    } finally {
      clock.restore();
    }
  });

  it('may call 1,200 times a minute, and not once more', async () => {
    const clock = fakeTime();
    try {
      const authenticate = authenticationFor({ key });
      for (let calls = 0; calls < 1_200; calls += 1) await authenticate(`Bearer ${key}`);
      assert.equal((await refusal(authenticate(`Bearer ${key}`))).code, 'too_many_requests');
      await clock.time.tickAsync(60_000);
      await authenticate(`Bearer ${key}`);
    } finally {
      clock.restore();
    }
  });

  describe('with a token of an authorization server', () => {
    let server: Server;
    let issuer: string;
    let sign: (claims: JWTPayload, how?: { alg?: string; kid?: string; typ?: string }) => Promise<string>;
    let up = true;
    before(async () => {
      const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
      const { privateKey: other } = await generateKeyPair('ES256');
      server = createServer((req, res) => {
        const found = {
          '/tenant/.well-known/openid-configuration': { issuer, jwks_uri: `${issuer}/keys` },
          '/tenant/keys': { keys: [] as object[] },
        }[req.url ?? ''];
        res.statusCode = up ? (found ? 200 : 404) : 500;
        if (!up || !found) return res.end();
        return void exportJWK(publicKey).then((jwk) =>
          res.end(JSON.stringify('keys' in found ? { keys: [{ ...jwk, kid: 'k', alg: 'ES256', use: 'sig' }] } : found)),
        );
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}/tenant`;
      sign = (claims, { alg = 'ES256', kid = 'k', typ } = {}) => {
        const all = { iss: issuer, aud: resource, sub: 'olga@example.com', exp: Math.floor(Date.now() / 1000) + 300, ...claims };
        const token = new SignJWT(Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)));
        token.setProtectedHeader({ alg, kid, ...(typ !== undefined && { typ }) });
        return token.sign(kid === 'other' ? other : alg === 'HS256' ? new TextEncoder().encode(key) : privateKey);
      };
    });
    after(() => server.close());
    beforeEach(() => {
      up = true;
    });
    const ask = async (claims: JWTPayload = {}, access: ProgramsOptions = { issuer }, how = {}) =>
      authenticationFor(access)(`Bearer ${await sign(claims, how)}`);

    it('is a separate program, under a name that reveals nothing about its subject', async () => {
      const { name } = await ask();
      assert.match(name, /^oauth-[\w-]{22}$/);
      assert.deepEqual(await ask(), { name });
      assert.notEqual((await ask({ sub: 'victor@example.com' })).name, name);
    });

    for (const claim of ['client_id', 'azp', 'appid', 'cid'])
      it(`is a separate program for each client of a person, named by ${claim}`, async () => {
        const names = [];
        for (const client of ['one', 'two', 'two']) names.push((await ask({ [claim]: client })).name);
        assert.equal(new Set(names).size, 2);
        assert.equal(names[1], names[2]);
      });

    for (const typ of ['at+jwt', 'AT+JWT', 'application/at+jwt', 'JWT', 'jwt', undefined])
      it(`is accepted as ${typ ?? 'one that does not name its type'}`, async () => {
        assert.match((await ask({}, { issuer }, { typ })).name, /^oauth-/);
      });

    describe('that must have scopes', () => {
      const scope = 'customers:ask customers:read';
      const accepted: [string, JWTPayload][] = [
        ['both', { scope }],
        ['more than those', { scope: `openid customers:read  customers:ask` }],
        ['both in Entra ID’s claim', { scp: scope }],
        ['both in a list', { scp: scope.split(' ') }],
      ];
      for (const [what, claims] of accepted)
        it(`is accepted with ${what}`, async () => {
          assert.match((await ask(claims, { issuer, scope })).name, /^oauth-/);
        });
      const refused: [string, JWTPayload][] = [
        ['none', {}],
        ['one of two', { scope: 'customers:ask' }],
        ['a longer one', { scope: 'customers:ask customers:readers' }],
        ['what is no text', { scope: 7, scp: { 'customers:ask': true } }],
      ];
      for (const [what, claims] of refused)
        it(`is told which it lacks with ${what}`, async () => {
          const { code, headers, status } = await refusal(ask(claims, { issuer, scope }));
          assert.deepEqual([status, code], [403, 'insufficient_scope']);
          assert.equal(headers['WWW-Authenticate'], `Bearer error="insufficient_scope", scope="${scope}", resource_metadata="x"`);
        });

      it('is told them beside the refusal of a token, and without one', async () => {
        const authenticate = authenticationFor({ issuer, key, scope });
        assert.equal(
          (await refusal(authenticate(undefined))).headers['WWW-Authenticate'],
          `Bearer scope="${scope}", resource_metadata="x"`,
        );
        assert.equal(
          (await refusal(authenticate('Bearer a.b.c'))).headers['WWW-Authenticate'],
          `Bearer error="invalid_token", scope="${scope}", resource_metadata="x"`,
        );
        assert.deepEqual(await authenticate(`Bearer ${key}`), { name: 'key' });
      });

      it('may come without them twenty times a minute', async () => {
        const authenticate = authenticationFor({ issuer, scope });
        const bearer = `Bearer ${await sign({})}`;
        for (let tries = 0; tries < 20; tries += 1) assert.equal((await refusal(authenticate(bearer))).status, 403);
        assert.equal((await refusal(authenticate(bearer))).status, 429);
      });
    });

    it('is accepted beside the key', async () => {
      assert.match((await ask({}, { issuer, key })).name, /^oauth-/);
      assert.deepEqual(await authenticationFor({ issuer, key })(`Bearer ${key}`), { name: 'key' });
    });

    it('may be for the audience in the setting', async () => {
      assert.match((await ask({ aud: 'api://countersign' }, { issuer, audience: 'api://countersign' })).name, /^oauth-/);
      assert.equal((await refusal(ask({}, { issuer, audience: 'api://countersign' }))).status, 401);
    });

    const now = () => Math.floor(Date.now() / 1000);
    const wrong: [what: string, claims: () => JWTPayload, how?: object][] = [
      ['has expired', () => ({ exp: now() - 61 })],
      ['never expires', () => ({ exp: undefined as never })],
      ['is not valid yet', () => ({ nbf: now() + 120 })],
      ['is made out to another', () => ({ aud: 'https://chat.example.com' })],
      ['is of another issuer', () => ({ iss: 'https://login.example.org' })],
      ['names nobody', () => ({ sub: undefined as never })],
      ['is signed by another', () => ({}), { kid: 'other' }],
      ['is bound to a key of its holder', () => ({ cnf: { jkt: 'x'.repeat(43) } })],
      ['is bound to a certificate', () => ({ cnf: { 'x5t#S256': 'x'.repeat(43) } })],
      ['is bound to what is not said', () => ({ cnf: null })],
      ...['logout+jwt', 'dpop+jwt', 'secevent+jwt', 'id+jwt', 'application/logout+jwt', ''].map((typ): (typeof wrong)[number] => [
        `is of the type “${typ}”`,
        () => ({}),
        { typ },
      ]),
      ['is signed with a shared secret', () => ({}), { alg: 'HS256' }],
    ];
    for (const [what, claims, how] of wrong)
      it(`is nobody if it ${what}`, async () => {
        assert.equal((await refusal(ask(claims(), { issuer }, how))).status, 401);
      });

    it('is accepted until a minute after it has expired, as clocks differ', async () => {
      assert.match((await ask({ exp: now() - 55 })).name, /^oauth-/);
    });

    it('is told to try again while its issuer is unreachable', async () => {
      up = false;
      const { code, status } = await refusal(ask());
      assert.deepEqual([status, code], [503, 'keys_unavailable']);
    });

    it('is heard twenty times in five seconds from one network while its issuer is unreachable, and the key always', async () => {
      const clock = fakeTime(Date.now());
      try {
        up = false;
        const authenticate = authenticationFor({ issuer, key });
        const token = `Bearer ${await sign({})}`;
        const statuses: number[] = [];
        for (let tries = 0; tries < 25; tries++) statuses.push((await refusal(authenticate(token, `2001:db8::${tries}`))).status);
        assert.deepEqual(statuses, [...Array(20).fill(503), ...Array(5).fill(429)]);
        assert.equal((await refusal(authenticate(token, '192.0.2.2'))).status, 503);
        assert.deepEqual(await authenticate(`Bearer ${key}`, '2001:db8::1'), { name: 'key' });
        up = true;
        await clock.time.tickAsync(5000);
        assert.match((await authenticate(token, '2001:db8::1')).name, /^oauth-/);
      } finally {
        clock.restore();
      }
    });

    it('is nobody if no authorization server is set', async () => {
      assert.equal((await refusal(ask({}, { key }))).status, 401);
    });
  });
});
