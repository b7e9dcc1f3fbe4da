import assert from 'node:assert/strict';
import { call, chat, json, type Line, startLine } from '../support/direct-line.ts';

describe('the REST side of Direct Line', () => {
  let line: Line;
  before(async () => {
    line = await startLine({ allowedOrigins: ['https://shop.example'] });
  });
  after(() => line.close());

  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
  const typed = (body: string, type = 'application/json') => ({ body, headers: { 'content-type': type } });
  const refusals: [string, number, string, object][] = [
    ['no activity', 400, 'BadArgument', {}],
    ['an activity without a type', 400, 'BadArgument', json({ text: 'x' })],
    ['an invoke', 400, 'BadArgument', json({ type: 'invoke', name: 'signin/verifyState' })],
    ['a conversationUpdate', 400, 'BadArgument', json({ type: 'conversationUpdate', membersAdded: [] })],
    ['text that is not text', 400, 'BadArgument', json({ type: 'message', text: { a: 1 } })],
    [
      'an attachment at an address inside',
      400,
      'BadArgument',
      json({ type: 'message', attachments: [{ contentType: 'image/png', contentUrl: 'http://169.254.169.254/' }] }),
    ],
    [
      'an attachment that says it is an uploaded file',
      400,
      'BadArgument',
      json({ type: 'message', attachments: [{ contentType: 'a/b', contentUrl: 'urn:countersign:file:x' }] }),
    ],
    ['a locale that is none', 400, 'BadArgument', json({ type: 'message', text: 'x', locale: '../en' })],
    ['a client id that is not text', 400, 'BadArgument', json({ type: 'message', text: 'x', channelData: { clientActivityID: 1 } })],
    ['an array', 400, 'BadArgument', json([])],
    ['broken JSON', 400, 'BadArgument', typed('{')],
    ['JSON nested too deep', 400, 'BadArgument', typed(`{"type":"message","value":${nested(40)}}`)],
    ['another type of body', 415, 'BadArgument', typed('<a/>', 'text/xml')],
    ['a compressed body', 415, 'BadArgument', { body: '{}', headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' } }],
    ['257 KB', 413, 'MessageSizeTooBig', json({ type: 'message', text: 'x'.repeat(257 * 1024) })],
  ];
  for (const [what, status, code, init] of refusals) {
    it(`refuses ${what} with ${status} ${code}, and nothing is kept`, async () => {
      const { conversationId, token, sees } = await chat(line);
      await sees('the greeting', ({ text }) => text === 'Hello');
      const reply = await call(line, 'POST', `/conversations/${conversationId}/activities`, token, init);
      assert.deepEqual([reply.status, reply.body.error.code], [status, code]);
      assert.equal((await line.storage.chats.get(conversationId))?.watermark, 1);
    });
  }

  it('refuses a watermark it did not hand out', async () => {
    const { conversationId, token } = await chat(line);
    for (const watermark of ['x', '-1', '1.2', '1e9', '9'.repeat(16), "1' OR '1"]) {
      const reply = await call(
        line,
        'GET',
        `/conversations/${conversationId}/activities?watermark=${encodeURIComponent(watermark)}`,
        token,
      );
      assert.equal(reply.status, 400);
    }
  });

  it('lets pages of listed origins in, and names no origin to others', async () => {
    const { conversationId, token } = await chat(line);
    const from = (origin: string) => call(line, 'GET', `/conversations/${conversationId}/activities`, token, { headers: { origin } });
    assert.equal((await from('https://shop.example')).headers.get('access-control-allow-origin'), 'https://shop.example');
    assert.equal((await from('https://evil.example')).headers.get('access-control-allow-origin'), null);
    const preflight = await call(line, 'OPTIONS', `/conversations/${conversationId}/activities`, undefined, {
      headers: { origin: 'https://shop.example' },
    });
    assert.equal(preflight.status, 204);
    assert.match(
      preflight.headers.get('access-control-allow-headers') ?? '',
      /authorization, content-type, x-ms-bot-agent, x-requested-with/,
    );
    assert.match(preflight.headers.get('vary') ?? '', /Origin/);
    const refused = await call(line, 'GET', `/conversations/${conversationId}`, 'nonsense', {
      headers: { origin: 'https://shop.example' },
    });
    assert.equal(refused.headers.get('access-control-allow-origin'), 'https://shop.example');
  });
});
