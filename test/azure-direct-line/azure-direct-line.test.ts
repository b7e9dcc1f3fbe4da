import assert from 'node:assert/strict';
import { createServer, request as forward, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { fetch } from 'undici';
import { makeLog } from '../../src/platform/log.ts';
import { launchBrowser, type TestBrowser } from '../support/browser.ts';
import { pageBot, say, startPage, transcript } from '../support/chat-page.ts';
import { startDirectLine } from '../support/direct-line.ts';
import { until } from '../support/until.ts';

const secret = 'azure-key-that-is-nobody-elses-business';
const ours = 'the-secret-of-the-direct-line-behind-it';

/**
 * Stands in for Azure's Direct Line: its token endpoint and its CORS, with a Direct Line of our own behind it, to which
 * the rest is forwarded.
 */
const startStandIn = async () => {
  const line = await startDirectLine({ bot: pageBot, secret: ours });
  const asked: { path: string; authorization: string; body: string }[] = [];
  let down = false;
  const sockets = new Set<import('node:net').Socket>();
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { url: path = '', headers } = request;
    const headersAllowed = 'authorization, content-type, x-ms-bot-agent, x-requested-with';
    const cors = { 'access-control-allow-origin': '*', 'access-control-allow-headers': headersAllowed };
    // Not chained: restify replaces writeHead for every server of the process with one that returns nothing.
    const answers = (status: number) => {
      response.writeHead(status, cors);
      response.end();
    };
    if (request.method === 'OPTIONS') return answers(204);
    asked.push({ path, authorization: headers.authorization ?? '', body });
    if (down) return answers(503);
    let { authorization } = headers;
    if (path.endsWith('/tokens/generate')) {
      if (authorization !== `Bearer ${secret}`) return answers(403);
      authorization = `Bearer ${ours}`;
      body = JSON.stringify({ user: JSON.parse(body).user });
    }
    const { origin: _, connection: __, 'content-length': ___, ...rest } = headers;
    const passed = { ...rest, ...(authorization && { authorization }), 'content-length': String(Buffer.byteLength(body)) };
    const onward = forward({ port: line.port, host: '127.0.0.1', path, method: request.method, headers: passed }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, { ...answer.headers, ...cors });
      answer.pipe(response);
    });
    onward.end(body);
  });
  server.on('upgrade', ({ url, headers, method }: IncomingMessage, socket, head) => {
    const far = connect(line.port, '127.0.0.1', () => {
      const lines = Object.entries(headers).flatMap(([name, value]) => (name === 'origin' ? [] : [`${name}: ${value}`]));
      far.write(`${method} ${url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
      far.write(head);
      socket.pipe(far).pipe(socket);
    });
    sockets.add(far);
    for (const end of [far, socket]) end.on('error', () => {});
    far.on('close', () => socket.destroy());
    socket.on('close', () => far.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, () => resolve()));
  return {
    line,
    asked,
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    setDown: (is: boolean) => {
      down = is;
    },
    /** The streams break, as they do when Azure moves them. */
    breakStreams: () => {
      for (const socket of sockets) socket.destroy();
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await line.close();
    },
  };
};

describe('the chat page over Azure’s Direct Line', function () {
  this.timeout(90_000);
  const lines: string[] = [];
  let browser: TestBrowser;
  let azure: Awaited<ReturnType<typeof startStandIn>>;
  let site: Awaited<ReturnType<typeof startPage>>;
  before(async () => {
    browser = await launchBrowser();
    azure = await startStandIn();
    const log = makeLog('debug', { write: (line) => void lines.push(line) });
    site = await startPage({ azure: { url: azure.url, secret }, log });
  });
  after(async () => {
    await browser.close();
    await site.close();
    await azure.close();
  });

  const token = (body: object = {}) =>
    fetch(`${site.url}chat/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify(body),
    });

  it('works, continues after lost streams and reloads, and ends; the secret stays on the server', async () => {
    const { page, complaints, context } = await browser.page({ locale: 'en-US' });
    const seen: string[] = [];
    page.on('request', (request) => seen.push(`${request.url()} ${JSON.stringify(request.headers())} ${request.postData()}`));
    page.on('response', async (response) => seen.push(await response.text().catch(() => '')));
    await page.goto(site.url);
    const sees = (text: string) => page.locator('.webchat__basic-transcript__activity').getByText(text).first().waitFor();
    await sees('Hello. What can I do for you?');
    await say(page, 'one');
    await sees('Echo (en-US): one');
    assert.equal(site.turns.length, 0);

    azure.breakStreams();
    await say(page, 'two');
    await sees('Echo (en-US): two');
    assert.ok(
      azure.asked.some(({ path }) => /conversations\/[^/]+\?watermark=\d/.test(path)),
      'goes on at its watermark',
    );

    await page.reload();
    await sees('Echo (en-US): two');
    await say(page, 'three');
    await sees('Echo (en-US): three');
    const all = ['one', 'Echo (en-US): one', 'two', 'Echo (en-US): two', 'three', 'Echo (en-US): three'];
    assert.deepEqual(await transcript(page), ['Hello. What can I do for you?', ...all]);
    assert.equal(new Set(azure.line.turns.map(({ conversation }) => conversation.id)).size, 1);

    await page.getByRole('button', { name: 'New conversation' }).click();
    await page.getByRole('button', { name: 'Start a new one' }).click();
    await until(async () => (await transcript(page)).join() === 'Hello. What can I do for you?', 'a new conversation');
    assert.deepEqual(complaints, []);
    assert.doesNotMatch(seen.join('\n'), new RegExp(secret));
    await context.close();
  });

  it('asks for a token of one user and of pages of ours only', async () => {
    const page = await startPage({ azure: { url: azure.url, secret }, publicUrl: 'https://chat.example.com/' });
    try {
      const answer = await fetch(`${page.url}chat/token`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      });
      const { userId, token: given } = (await answer.json()) as { userId: string; token: string };
      assert.ok(given);
      const { path, body } = azure.asked.at(-1) ?? {};
      assert.equal(path, '/v3/directline/tokens/generate');
      assert.deepEqual(JSON.parse(body ?? ''), { user: { id: userId }, trustedOrigins: ['https://chat.example.com'] });
      assert.match(userId, /^dl_[\w-]{22}$/);
    } finally {
      await page.close();
    }
  });

  it('may connect there and to nothing else', async () => {
    const policy = (await fetch(site.url)).headers.get('content-security-policy') ?? '';
    const [, sources] = /connect-src ([^;]*)/.exec(policy) ?? [];
    assert.deepEqual(sources?.split(' '), ["'self'", 'blob:', azure.url, azure.url.replace('http:', 'ws:')]);
  });

  it('continues in the same tab only, and starts anew with an invalid token', async () => {
    const { token: held } = (await (await token()).json()) as { token: string };
    await fetch(`${azure.url}/v3/directline/conversations`, { method: 'POST', headers: { authorization: `Bearer ${held}` } });
    const again = async (body: object) => ((await (await token(body)).json()) as { conversationId?: string }).conversationId;
    assert.ok(await again({ token: held, sameTab: true }));
    assert.equal(await again({ token: held }), undefined);
    assert.equal(await again({ token: 'nothing', sameTab: true }), undefined);
    assert.equal(azure.asked.at(-1)?.path, '/v3/directline/tokens/generate');
  });

  it('says that the chat cannot be reached while Azure is down, and logs no secret', async () => {
    azure.setDown(true);
    assert.equal((await token()).status, 503);
    azure.setDown(false);
    const wrong = await startPage({ azure: { url: azure.url, secret: `${secret}-of-yesterday` } });
    assert.equal((await fetch(`${wrong.url}chat/token`, { method: 'POST', headers: { 'sec-fetch-site': 'same-origin' } })).status, 503);
    await wrong.close();
    assert.ok(lines.some((line) => line.includes('gives no token')));
    assert.doesNotMatch(lines.join(), new RegExp(secret));
  });
});
