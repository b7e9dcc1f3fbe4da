import assert from 'node:assert/strict';
import { SignJWT } from 'jose';
import { call, chat, json, type Line, startLine, testKey } from '../support/direct-line.ts';

describe('tokens of Direct Line', () => {
  let line: Line;
  let now = Date.parse('2026-11-20T08:00:00Z');
  const minutes = (count: number) => {
    now += count * 60_000;
  };
  before(async () => {
    line = await startLine({ clock: { now: () => now } });
  });
  after(() => line.close());

  it('name a user with 128 random bits and a conversation of their own', async () => {
    const [one, other] = [await line.directLine.issueToken(), await line.directLine.issueToken()];
    assert.match(one.userId, /^dl_[\w-]{22}$/);
    assert.notEqual(one.userId, other.userId);
    assert.notEqual(one.conversationId, other.conversationId);
    assert.equal(one.expires_in, 1800);
  });

  it('are refreshed for the same user and conversation', async () => {
    const { conversationId, token, userId } = await chat(line);
    minutes(20);
    const fresh = await call(line, 'POST', '/tokens/refresh', token);
    assert.equal(fresh.status, 200);
    assert.equal(fresh.body.conversationId, conversationId);
    minutes(20);
    assert.equal((await call(line, 'GET', `/conversations/${conversationId}`, token)).body.error.code, 'TokenExpired');
    assert.equal((await call(line, 'GET', `/conversations/${conversationId}`, fresh.body.token)).status, 200);
    const claims = JSON.parse(Buffer.from(fresh.body.token.split('.')[1], 'base64url').toString());
    assert.equal(claims.user, userId);
  });

  it('are renewed while they live, and after they expired for their own browser session only, without what was verified', async () => {
    const { token } = await chat(line, { session: 'secret', verified: { phoneNumber: '+12025550101' } });
    const claims = (text: string | undefined) => JSON.parse(Buffer.from(text?.split('.')[1] ?? '', 'base64url').toString());
    const moved = (await line.directLine.renewToken(token, 'another'))?.token ?? '';
    assert.deepEqual(claims(moved).verified, { phoneNumber: '+12025550101' });
    minutes(120);
    const renewed = await line.directLine.renewToken(token, 'secret');
    assert.equal(claims(renewed?.token).verified, undefined);
    assert.equal(claims(renewed?.token).user, claims(token).user);
    assert.equal(await line.directLine.renewToken(token, 'another'), undefined);
    assert.equal((await line.directLine.renewToken(moved, 'another'))?.userId, claims(token).user);
    assert.equal(await line.directLine.renewToken('nonsense', 'secret'), undefined);
    minutes(25 * 60);
    assert.equal(await line.directLine.renewToken(token, 'secret'), undefined);
    const unused = await line.directLine.issueToken({ session: 'secret' });
    assert.equal(await line.directLine.renewToken(unused.token, 'secret'), undefined);
    const sessionless = await chat(line);
    minutes(31);
    assert.equal(await line.directLine.renewToken(sessionless.token, ''), undefined);
  });

  const forge = (claims: object, { key = testKey, audience = 'chat', issuer = 'countersign', alg = 'HS256' } = {}) =>
    new SignJWT({ ...claims })
      .setProtectedHeader({ alg })
      .setIssuer(issuer)
      .setAudience(audience)
      .setIssuedAt(Math.floor(now / 1000))
      .setExpirationTime(Math.floor(now / 1000) + 600)
      .sign(key);
  const unsigned = (claims: object) =>
    [{ alg: 'none' }, claims, ''].map((part) => (part === '' ? '' : Buffer.from(JSON.stringify(part)).toString('base64url'))).join('.');

  const refusals: [string, (claims: object) => Promise<string> | string, number][] = [
    ['no token', () => '', 401],
    ['a token that is not one', () => 'abc', 403],
    ['a token signed with another key', (claims) => forge(claims, { key: new Uint8Array(32) }), 403],
    ['an unsigned token', unsigned, 403],
    ["a token with another algorithm's signature", (claims) => forge(claims, { key: new Uint8Array(64).fill(7), alg: 'HS512' }), 403],
    ['the token of a stream', (claims) => forge(claims, { audience: 'stream' }), 403],
    ['a token of another issuer', (claims) => forge(claims, { issuer: 'someone' }), 403],
    ['a token without a user', (claims) => forge({ ...claims, user: undefined }), 403],
    ['a token of another user for the conversation', (claims) => forge({ ...claims, user: 'dl_other' }), 403],
  ];
  for (const [what, make, status] of refusals) {
    it(`are refused: ${what}`, async () => {
      const { conversationId, userId } = await chat(line);
      const token = await make({ conversation: conversationId, user: userId });
      for (const [method, path] of [
        ['GET', ''],
        ['GET', '/activities'],
        ['POST', '/activities'],
      ] as const) {
        const reply = await call(
          line,
          method,
          `/conversations/${conversationId}${path}`,
          token,
          method === 'POST' ? json({ type: 'message', text: 'x' }) : {},
        );
        assert.equal(reply.status, status);
        assert.equal(typeof reply.body.error.code, 'string');
        assert.equal(typeof reply.body.error.message, 'string');
      }
    });
  }

  it('are of no use in another conversation, and do not tell whether there is one', async () => {
    const [a, b] = [await chat(line), await chat(line)];
    const paths: [string, string][] = [
      ['GET', ''],
      ['GET', '/activities'],
      ['POST', '/activities'],
      ['POST', '/upload'],
    ];
    for (const [method, path] of paths) {
      const real = await call(line, method, `/conversations/${b.conversationId}${path}`, a.token);
      const none = await call(line, method, `/conversations/nowhere${path}`, a.token);
      assert.equal(real.status, 403);
      assert.deepEqual(real.body, none.body);
    }
  });

  it('answer 404 for their own conversation before it was begun', async () => {
    const { conversationId, token } = await line.directLine.issueToken();
    const reply = await call(line, 'GET', `/conversations/${conversationId}`, token);
    assert.equal(reply.status, 404);
    assert.equal(reply.body.error.code, 'ConversationNotFound');
  });

  it('are not generated over the network without a secret', async () => {
    assert.equal((await call(line, 'POST', '/tokens/generate', 'secret')).status, 403);
  });

  describe('for pages of other sites', () => {
    const secret = 'a-secret-of-at-least-32-characters';
    let other: Line;
    before(async () => {
      other = await startLine({ secret });
    });
    after(() => other.close());

    it('are generated for whoever holds the secret, for the user they name', async () => {
      const { status, body } = await call(other, 'POST', '/tokens/generate', secret, json({ user: { id: 'dl_site-user-1' } }));
      assert.equal(status, 200);
      assert.equal(body.userId, 'dl_site-user-1');
      assert.equal(body.expires_in, 1800);
      assert.equal((await call(other, 'POST', '/conversations', body.token)).status, 201);
      assert.match((await call(other, 'POST', '/tokens/generate', secret)).body.userId, /^dl_/);
    });

    it('carry what the site vouches for to the bot', async () => {
      const { body } = await call(other, 'POST', '/tokens/generate', secret, json({ verified: { phoneNumber: '+12025550101' } }));
      await call(other, 'POST', '/conversations', body.token);
      await call(other, 'POST', `/conversations/${body.conversationId}/activities`, body.token, json({ type: 'message', text: 'hi' }));
      assert.equal(other.turns.at(-1)?.channelData?.verified?.phoneNumber, '+12025550101');
    });

    const refusals: [string, string | undefined, object, number][] = [
      ['no secret', undefined, {}, 403],
      ['a wrong secret', `${secret}x`, {}, 403],
      ['an empty secret', '', {}, 403],
      ['the id of no Direct Line user', secret, { user: { id: '29:teams-user' } }, 400],
      ['a number that is none', secret, { verified: { phoneNumber: '555' } }, 400],
      ['a body that is no object', secret, [1], 400],
    ];
    for (const [what, bearer, body, status] of refusals) {
      it(`are refused for ${what}`, async () => {
        assert.equal((await call(other, 'POST', '/tokens/generate', bearer, json(body))).status, status);
      });
    }
  });
});
