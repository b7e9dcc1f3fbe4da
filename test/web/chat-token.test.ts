import assert from 'node:assert/strict';
import { fetch, request } from 'undici';
import { startPage } from '../support/chat-page.ts';
import { call } from '../support/direct-line.ts';

describe("the chat page's token and assets", () => {
  let now = Date.now();
  let site: Awaited<ReturnType<typeof startPage>>;
  before(async () => {
    site = await startPage({ clock: { now: () => now } });
  });
  after(() => site.close());

  const ask = (headers: Record<string, string>, body: string | null = '{}') =>
    fetch(`${site.url}chat/token`, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body });
  const own = () => ({ 'sec-fetch-site': 'same-origin' });

  it('is issued to the page itself, for a new conversation', async () => {
    const response = await ask(own());
    assert.equal(response.status, 200);
    const body = (await response.json()) as Record<string, unknown>;
    assert.deepEqual(Object.keys(body).sort(), ['expires_in', 'token', 'userId']);
    assert.match(String(body.userId), /^dl_/);
    assert.match(response.headers.get('set-cookie') ?? '', /^countersign-chat=[\w-]{43}; Path=\/chat; HttpOnly; SameSite=Strict$/);
    assert.equal(response.headers.get('cache-control'), 'no-store');
  });

  it('is renewed while it lives, and then for the browser that had it', async () => {
    const first = await ask(own());
    const cookie = (first.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '';
    const { token } = (await first.json()) as { token: string };
    const begun = await call(site, 'POST', '/conversations', token);
    const again = async (headers: Record<string, string>) =>
      (await (await ask({ ...own(), ...headers }, JSON.stringify({ token }))).json()) as { conversationId?: string };
    assert.equal((await again({ cookie })).conversationId, begun.body.conversationId);
    assert.equal((await again({})).conversationId, undefined);
    assert.equal((await again({ cookie: `countersign-chat=${'A'.repeat(43)}` })).conversationId, undefined);
    now += 3_600_000;
    assert.equal((await again({ cookie: `other=1; ${cookie}` })).conversationId, begun.body.conversationId);
    assert.equal((await again({})).conversationId, undefined);
    assert.equal((await again({ cookie: `countersign-chat=${'A'.repeat(43)}` })).conversationId, undefined);
  });

  it('notifies the bot of a continuation in another tab, unless the page says that it is the same', async () => {
    const first = await ask(own());
    const cookie = (first.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '';
    const { token } = (await first.json()) as { token: string };
    await call(site, 'POST', '/conversations', token);
    const resumed = () => site.turns.filter(({ name }) => name === 'chat.resumed').length;
    const before = resumed();
    assert.equal((await ask({ ...own(), cookie }, JSON.stringify({ token, sameTab: true }))).status, 200);
    assert.equal(resumed(), before);
    assert.equal((await ask({ ...own(), cookie }, JSON.stringify({ token }))).status, 200);
    assert.equal(resumed(), before + 1);
  });

  it('can end a conversation: its token no longer works, and another one begins', async () => {
    const first = await ask(own());
    const cookie = (first.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '';
    const { token } = (await first.json()) as { token: string };
    const { conversationId } = (await call(site, 'POST', '/conversations', token)).body;
    const leave = async (headers: Record<string, string>) => (await ask({ ...own(), ...headers }, JSON.stringify({ ended: token }))).json();
    await leave({});
    assert.equal((await call(site, 'GET', `/conversations/${conversationId}`, token)).status, 200, 'a token alone ends nothing');
    const next = (await leave({ cookie })) as { token: string; conversationId?: string };
    assert.equal(next.conversationId, undefined);
    assert.equal((await call(site, 'GET', `/conversations/${conversationId}`, token)).body.error.code, 'TokenExpired');
    assert.equal((await call(site, 'POST', '/conversations', next.token)).status, 201);
  });

  it('comes with a cookie that is bound to this host if the connection is secure', async () => {
    const away = await startPage({ publicUrl: 'https://chat.example.com' });
    try {
      const answer = await fetch(`${away.url}chat/token`, { method: 'POST', headers: { 'content-type': 'application/json', ...own() } });
      assert.match(
        answer.headers.get('set-cookie') ?? '',
        /^__Host-countersign-chat=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Strict$/,
      );
    } finally {
      await away.close();
    }
  });

  for (const [what, framed, embedOrigins, cookie] of [
    [
      'in a frame, with one for that site alone',
      true,
      ['https://www.example.com'],
      /^__Host-countersign-framed=[\w-]{43}; .*SameSite=None; Partitioned$/,
    ],
    ['beside a frame, with its own', false, ['https://www.example.com'], /^__Host-countersign-chat=.*SameSite=Strict$/],
    ['in a frame that nobody may make, with its own', true, [], /^__Host-countersign-chat=.*SameSite=Strict$/],
  ] as const)
    it(`comes ${what}`, async () => {
      const away = await startPage({ publicUrl: 'https://chat.example.com', embedOrigins });
      try {
        const headers = { 'content-type': 'application/json', ...own() };
        const answer = await fetch(`${away.url}chat/token`, { method: 'POST', headers, body: JSON.stringify({ framed }) });
        assert.match(answer.headers.get('set-cookie') ?? '', cookie);
      } finally {
        await away.close();
      }
    });

  const { port } = new URL('http://localhost:1');
  const refusals: [string, number, () => ReturnType<typeof ask>][] = [
    ['another site', 403, () => ask({ 'sec-fetch-site': 'cross-site' })],
    ['another host of our site', 403, () => ask({ 'sec-fetch-site': 'same-site' })],
    ['an address typed in', 403, () => ask({ 'sec-fetch-site': 'none' })],
    ['another origin, told by an older browser', 403, () => ask({ origin: `http://evil.example:${port}` })],
    ['a sandboxed frame', 403, () => ask({ origin: 'null' })],
    ['a page with something else in the body', 422, () => ask(own(), '{"token":1}')],
  ];
  for (const [who, status, request] of refusals) {
    it(`is refused with ${status}: ${who}`, async () => {
      assert.equal((await request()).status, status);
    });
  }

  it('is issued to an older browser that names our origin', async () => {
    assert.equal((await ask({ origin: new URL(site.url).origin })).status, 200);
  });

  it('is issued to a program, which could name any origin', async () => {
    assert.equal((await ask({})).status, 200);
  });

  it('comes with a page whose policy runs nothing but its own scripts', async () => {
    const response = await fetch(site.url, { headers: { 'accept-language': 'pt, es;q=0.5, en;q=0.4' } });
    const policy = response.headers.get('content-security-policy') ?? '';
    assert.match(policy, /default-src 'none'/);
    assert.match(policy, /script-src 'nonce-[\w+/=]+'(;|$)/);
    assert.match(policy, /frame-ancestors 'none'/);
    assert.doesNotMatch(policy, /unsafe|\*/);
    const page = await response.text();
    assert.match(page, /^<!doctype html><html lang="es" dir="ltr">/);
    assert.doesNotMatch(page, / on\w+=|style="/);
    assert.notEqual(policy, (await fetch(site.url)).headers.get('content-security-policy'));
  });

  it('serves its scripts and styles compressed and cached for good', async () => {
    const page = await (await fetch(site.url)).text();
    const paths = [...page.matchAll(/\/assets\/[\w.-]+/g)].map(([path]) => path);
    assert.equal(new Set(paths).size, 19);
    for (const path of new Set(paths)) {
      const address = new URL(path, site.url);
      for (const [accepted, encoding] of [
        ['gzip, deflate, br', 'br'],
        ['gzip', 'gzip'],
        ['br;q=0, gzip;q=0.5', 'gzip'],
        ['identity', null],
      ] as const) {
        const response = await fetch(address, { headers: { 'accept-encoding': accepted } });
        assert.equal(response.status, 200);
        assert.equal(response.headers.get('content-encoding'), encoding);
        assert.match(response.headers.get('cache-control') ?? '', /max-age=31536000, immutable/);
        const etag = response.headers.get('etag') ?? '';
        await response.arrayBuffer();
        const held = await fetch(address, { headers: { 'accept-encoding': accepted, 'if-none-match': etag } });
        assert.equal(held.status, 304);
      }
    }
    assert.equal((await fetch(`${site.url}assets/chat.js`)).status, 404);
    assert.equal((await fetch(`${site.url}assets/..%2findex.ts`)).status, 404);
  });

  it('is not issued for unlimited new chats from one address, but still renewed', async () => {
    const few = await startPage({ rate: { points: 2, seconds: 600 } });
    try {
      const cookie = `countersign-chat=${'A'.repeat(43)}`;
      const from = (token?: string) =>
        fetch(`${few.url}chat/token`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', cookie, ...own() },
          body: JSON.stringify({ token }),
        });
      const { token } = (await (await from()).json()) as { token: string };
      await call(few, 'POST', '/conversations', token);
      assert.equal((await from()).status, 200);
      const refused = await from();
      assert.equal(refused.status, 429);
      assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/);
      assert.equal(((await refused.json()) as { code: string }).code, 'too_many_chats');
      assert.equal((await from(token)).status, 200);
    } finally {
      await few.close();
    }
  });

  it('lets the page connect to the public address, not to a host that a request names', async () => {
    const published = await startPage({ publicUrl: 'https://chat.example.com' });
    try {
      const { headers, body } = await request(published.url, { headers: { host: 'evil.example' } });
      await body.dump();
      const [, sources] = /connect-src ([^;]*)/.exec(String(headers['content-security-policy'])) ?? [];
      assert.deepEqual(sources?.split(' '), ["'self'", 'blob:', 'ws://chat.example.com', 'wss://chat.example.com']);
    } finally {
      await published.close();
    }
  });
});
