import assert from 'node:assert/strict';
import { SignJWT } from 'jose';
import { streamLimits } from '../../src/directline/streams.ts';
import { backends } from '../support/backends.ts';
import { call, chat, type DirectLineServer, json, listen, startDirectLine, testKey } from '../support/direct-line.ts';

describe('tokens of Direct Line', () => {
  let line: DirectLineServer;
  let now = Date.parse('2026-11-20T08:00:00Z');
  const minutes = (count: number) => {
    now += count * 60_000;
  };
  before(async () => {
    line = await startDirectLine({ clock: { now: () => now } });
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
    assert.equal(await line.directLine.renewToken(token, 'another'), undefined, 'a copied token is not bound to another browser');
    const alive = await line.directLine.renewToken(token, 'secret');
    assert.deepEqual(claims(alive?.token).verified, { phoneNumber: '+12025550101' });
    minutes(120);
    const renewed = await line.directLine.renewToken(token, 'secret');
    assert.equal(claims(renewed?.token).verified, undefined);
    assert.equal(claims(renewed?.token).user, claims(token).user);
    assert.equal(await line.directLine.renewToken(token, 'another'), undefined);
    assert.equal(await line.directLine.renewToken('nonsense', 'secret'), undefined);
    minutes(10 * 60);
    assert.equal(await line.directLine.renewToken(token, 'secret'), undefined);
    const unused = await line.directLine.issueToken({ session: 'secret' });
    assert.equal(await line.directLine.renewToken(unused.token, 'secret'), undefined);
    const sessionless = await chat(line);
    const renewedAlive = await line.directLine.renewToken(sessionless.token, 'whoever');
    assert.equal(claims(renewedAlive?.token).session, undefined, 'whoever shows it first does not get it for good');
    minutes(31);
    assert.equal(await line.directLine.renewToken(sessionless.token, ''), undefined);
  });

  it('are renewed for another tab only after the bot knows that somebody may have joined', async () => {
    const { token, conversationId } = await chat(line, { session: 'secret' });
    const before = line.turns.length;
    await line.directLine.renewToken(token, 'secret');
    assert.equal(line.turns.length, before);
    assert.equal(await line.directLine.renewToken(token, 'another', { resumed: true }), undefined);
    assert.equal(line.turns.length, before, 'of a token that is not renewed nobody hears');
    assert.ok(await line.directLine.renewToken(token, 'secret', { resumed: true }));
    const told = line.turns.at(-1);
    assert.deepEqual([told?.type, told?.name, told?.conversation.id], ['event', 'chat.resumed', conversationId]);
  });

  it('are not renewed for another tab if the bot could not be notified', async () => {
    const deaf = await startDirectLine({
      bot: async ({ name }) => {
        if (name === 'chat.resumed') throw new Error('deaf');
      },
    });
    try {
      const { token } = await chat(deaf, { session: 'secret' });
      assert.equal(await deaf.directLine.renewToken(token, 'secret', { resumed: true }), undefined);
    } finally {
      await deaf.close();
    }
  });

  it('end twelve hours after the first of a conversation, however often they are refreshed, and its streams with them', async () => {
    const end = 12 * 60;
    const own = await startDirectLine({
      clock: { now: () => now },
      streamLimits: { ...streamLimits, perConversation: 5, pingMs: 400, sendMs: 1000, incoming: 100 },
    });
    try {
      const chatter = await chat(own, { session: 'secret' });
      let { token } = chatter;
      for (let age = 29; age < end - 29; age += 29) {
        minutes(29);
        token = (await call(own, 'POST', '/tokens/refresh', token)).body.token;
      }
      const began = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).begun * 1000;
      now = began + end * 60_000 - 20_000;
      const last = await own.directLine.renewToken(token, 'secret');
      assert.equal(last?.expires_in, 20);
      const { conversationId } = chatter;
      const { body } = await call(own, 'GET', `/conversations/${conversationId}`, last?.token);
      const { socket } = await listen(body.streamUrl);
      const closed = new Promise((resolve) => socket.once('close', resolve));
      now += 19_000;
      assert.equal((await call(own, 'POST', '/tokens/refresh', last?.token)).status, 200);
      assert.equal(socket.readyState, socket.OPEN);
      now += 1_000;
      for (const [method, path] of [
        ['POST', '/tokens/refresh'],
        ['GET', `/conversations/${conversationId}`],
        ['POST', `/conversations/${conversationId}/activities`],
      ] as const) {
        const { status, body } = await call(own, method, path, last?.token);
        assert.deepEqual([status, body.error.code], [403, 'TokenExpired']);
      }
      assert.equal(await own.directLine.renewToken(last?.token ?? '', 'secret'), undefined);
      assert.equal(await closed, 4404);
    } finally {
      await own.close();
    }
  });

  for (const { kind, open } of backends) {
    it(`are dead on every replica the moment the conversation is ended, its streams closed (${kind})`, async () => {
      const storage = await open();
      const [one, other] = [await startDirectLine({ storage }), await startDirectLine({ storage })];
      try {
        const { conversationId, token, socket, sees } = await chat(one, { session: 'secret' });
        await sees('the greeting', ({ text }) => text === 'Hello');
        const refreshed = (await call(one, 'POST', '/tokens/refresh', token)).body.token;
        const { streamUrl } = (await call(one, 'GET', `/conversations/${conversationId}`, token)).body;
        const closed = new Promise((resolve) => socket.once('close', resolve));
        await one.directLine.endConversation(token, 'of somebody else');
        assert.equal((await call(other, 'GET', `/conversations/${conversationId}`, token)).status, 200);
        await one.directLine.endConversation(token, 'secret');
        assert.equal(await closed, 4404);
        for (const held of [token, refreshed]) {
          for (const [method, path, init] of [
            ['GET', `/conversations/${conversationId}`, {}],
            ['GET', `/conversations/${conversationId}/activities`, {}],
            ['POST', `/conversations/${conversationId}/activities`, json({ type: 'message', text: 'x' })],
            ['POST', '/conversations', {}],
            ['POST', '/tokens/refresh', {}],
          ] as const) {
            const { status, body } = await call(other, method, path, held, init);
            assert.deepEqual([status, body.error.code], [403, 'TokenExpired'], `${method} ${path}`);
          }
        }
        assert.equal(await other.directLine.renewToken(token, 'secret'), undefined);
        await assert.rejects(listen(streamUrl.replace(`:${one.port}`, `:${other.port}`)), /403/);
      } finally {
        await Promise.all([one.close(), other.close()]);
        await storage.close();
      }
    });
  }

  it('of a conversation that was never begun can be ended too', async () => {
    const { token } = await line.directLine.issueToken({ session: 'secret' });
    await line.directLine.endConversation(token, 'secret');
    assert.equal((await call(line, 'POST', '/conversations', token)).body.error.code, 'TokenExpired');
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
    ['a token that does not say when its conversation began', (claims) => forge({ ...claims, begun: undefined }), 403],
    ['a token without a user', (claims) => forge({ ...claims, user: undefined }), 403],
    ['a token of another user for the conversation', (claims) => forge({ ...claims, user: 'dl_other' }), 403],
  ];
  for (const [what, make, status] of refusals) {
    it(`are refused: ${what}`, async () => {
      const { conversationId, userId } = await chat(line);
      const token = await make({ conversation: conversationId, user: userId, begun: Math.floor(now / 1000) });
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

  it('are useless in another conversation, and do not reveal whether it exists', async () => {
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
    let other: DirectLineServer;
    before(async () => {
      other = await startDirectLine({ secret });
    });
    after(() => other.close());

    it('are generated for the holder of the secret, for the user they name', async () => {
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
