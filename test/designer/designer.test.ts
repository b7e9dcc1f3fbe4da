import assert from 'node:assert/strict';
import { request } from 'undici';
import { startBot } from '../../src/compose/start/bot.ts';
import { readSettings } from '../../src/compose/start/settings.ts';
import { makeLog } from '../../src/platform/log.ts';
import { type DesignerUnderTest, startDesigner } from '../support/designer.ts';
import { flowOf } from '../support/flows.ts';
import { startWhole } from '../support/whole.ts';

describe('the designer’s routes', () => {
  let designer: DesignerUnderTest;
  before(async () => {
    const flow = (name: string, says: string) => flowOf('- say: x', `says: { en: ${says} }\nneeds: { bill: text }`, name);
    designer = await startDesigner({
      'late-bill': flow('late-bill', '[late bill]'),
      'other-bill': flow('other-bill', '[other bill, "other bill {bill}"]'),
    });
  });
  after(() => designer.close());

  const ask = async (path: string, headers: Record<string, string> = {}, body?: object) => {
    const answer = await request(new URL(path, designer.url), {
      method: body ? 'POST' : 'GET',
      headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
  };

  it('show the page under a strict policy, with only its own chat in a frame', async () => {
    const page = await ask('/designer');
    assert.equal(page.status, 200);
    assert.match(
      String(page.headers['content-security-policy']),
      /^default-src 'none'; script-src 'nonce-[^']+';.* frame-ancestors 'none'$/,
    );
    assert.doesNotMatch(page.text, /<script(?![^>]* src=)|style="|onclick=/);
    const policyOf = async (path: string) => String((await ask(path)).headers['content-security-policy']);
    assert.match(await policyOf('/designer/chat'), /frame-ancestors 'self'$/);
    assert.match(await policyOf('/'), /frame-ancestors 'none'$/);
  });

  it('answer 304 if nothing has changed', async () => {
    const { headers, status } = await ask('/designer/view');
    assert.equal(status, 200);
    assert.equal((await ask('/designer/view', { 'if-none-match': String(headers.etag) })).status, 304);
  });

  it('name words that begin a flow, or say that none do', async () => {
    const standingOf = async (flow: string) => /role="status">(.*?)<\/p>/.exec((await ask(`/designer/view?run=&flow=${flow}`)).text)?.[1];
    assert.match((await standingOf('late-bill')) ?? '', /^No words begin this flow, because it needs <code>bill<\/code>\./);
    assert.equal(await standingOf('other-bill'), 'Say <q>other bill {bill}</q> in the chat to begin this flow.');
  });

  const refused: [what: string, path: string, headers: Record<string, string>, body: object | undefined, status: number][] = [
    [
      'an end that another page asks for',
      '/designer/end',
      { 'sec-fetch-site': 'cross-site' },
      { interaction: 'x', outcome: 'success' },
      403,
    ],
    ['a clock that another page moves', '/designer/advance', { origin: 'https://example.com' }, { ms: 60_000 }, 403],
    ['an end of what does not wait', '/designer/end', {}, { interaction: 'x', outcome: 'success' }, 409],
    ['its withdrawal', '/designer/end', {}, { interaction: 'x', outcome: 'cancelled' }, 409],
    ['an end that there is not', '/designer/end', {}, { interaction: 'x', outcome: 'paid' }, 422],
    ['a clock set back', '/designer/advance', {}, { ms: -1 }, 422],
    ['a clock set ahead by more than a day', '/designer/advance', {}, { ms: 86_400_001 }, 422],
    ['the page, handed on by a proxy', '/designer', { 'x-forwarded-for': '203.0.113.7' }, undefined, 421],
    ['the page under another name', '/designer', { host: 'chat.example.com' }, undefined, 421],
  ];
  for (const [what, path, headers, body, status] of refused)
    it(`refuse ${what} with ${status}`, async () => {
      assert.equal((await ask(path, headers, body)).status, status);
    });

  it('exist only if a setting turns them on', async () => {
    const whole = await startWhole();
    try {
      for (const path of ['/cards', '/designer', '/designer/view', '/designer/chat'])
        assert.equal((await request(new URL(path, whole.addresses().chatUrl))).statusCode, 404, path);
    } finally {
      await whole.close();
    }
  });
});

describe('the designer of a bot that others reach', () => {
  it('answers this machine only, even on a public server', async () => {
    const whole = await startWhole();
    const identity = { MicrosoftAppId: '6f1c0000-0000-4000-8000-000000000001', MicrosoftAppPassword: 'a-secret-of-at-least-32-characters' };
    const settings = { ...readSettings({ DATA_DIR: `${whole.dataDir}/public`, PORT: '0' }), ...identity };
    const bot = await startBot({
      settings,
      service: { baseUrl: whole.proxy.baseUrl, wsUrl: whole.proxy.wsUrl, secretKey: whole.service.secretKey, idempotent: true },
      log: makeLog('silent'),
      trial: {},
    });
    try {
      const get = async (headers: Record<string, string>) =>
        (await request(`http://127.0.0.1:${bot.port}/designer`, { headers })).statusCode;
      assert.equal(await get({}), 200);
      assert.equal(await get({ 'x-forwarded-for': '203.0.113.7' }), 404);
      assert.equal(await get({ host: 'chat.example.com' }), 404);
    } finally {
      await bot.close();
      await whole.close();
    }
  });
});
