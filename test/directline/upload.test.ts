import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { FormData, fetch } from 'undici';
import { discard, uploadLimits } from '../../src/directline/files.ts';
import { call, chat, type DirectLineServer, startDirectLine } from '../support/direct-line.ts';

const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');

describe('an upload', () => {
  let now = Date.parse('2026-11-20T08:00:00Z');
  let line: DirectLineServer;
  before(async () => {
    line = await startDirectLine({ clock: { now: () => now }, uploads: true });
  });
  after(() => line.close());

  const form = (files: [name: string, type: string, content: Uint8Array | string][], activity?: object | string) => {
    const data = new FormData();
    if (activity !== undefined) {
      const text = typeof activity === 'string' ? activity : JSON.stringify(activity);
      data.append('activity', new Blob([text], { type: 'application/vnd.microsoft.activity' }));
    }
    for (const [name, type, content] of files) data.append('file', new Blob([content as Uint8Array<ArrayBuffer>], { type }), name);
    return data;
  };

  const upload = ({ conversationId, token }: { conversationId: string; token: string }, body: FormData | Buffer, headers = {}) =>
    call(line, 'POST', `/conversations/${conversationId}/upload?userId=someone-else`, token, { body, headers });

  it('becomes a message of the token’s user whose files open at a signed address', async () => {
    const chatter = await chat(line);
    const activity = {
      type: 'message',
      text: 'here',
      channelData: { clientActivityID: 'u1' },
      attachments: [{ contentType: 'image/png', name: 'a.png' }],
    };
    const { status, body } = await upload(
      chatter,
      form(
        [
          ['a.png', 'image/png', png],
          ['../../é\u202e.html', 'text/html', '<script>'],
        ],
        activity,
      ),
    );
    assert.equal(status, 200);
    const seen = await chatter.sees('the message', ({ id }) => id === body.id);
    assert.equal(seen.from.id, chatter.userId);
    assert.equal(seen.channelData.clientActivityID, 'u1');
    assert.deepEqual(
      seen.attachments.map(({ contentType, name }: { contentType: string; name: string }) => [contentType, name]),
      [
        ['image/png', 'a.png'],
        ['text/html', 'é.html'],
      ],
    );

    // Web Chat shows a customer's own picture only by its thumbnail, and any other file by its name.
    assert.deepEqual(
      seen.attachments.map((shown: { contentUrl: string; thumbnailUrl?: string }) => shown.thumbnailUrl === shown.contentUrl),
      [true, false],
    );
    assert.equal(seen.attachments[1].thumbnailUrl, undefined);
    const [picture, page] = await Promise.all(seen.attachments.map(({ contentUrl }: { contentUrl: string }) => fetch(contentUrl)));
    assert.equal(picture.status, 200);
    assert.equal(picture.headers.get('content-type'), 'image/png');
    assert.deepEqual(Buffer.from(await picture.arrayBuffer()), png);
    assert.equal(page.headers.get('content-type'), 'application/octet-stream');
    assert.equal(page.headers.get('content-disposition'), "attachment; filename*=UTF-8''%C3%A9.html");
    for (const answer of [picture, page]) {
      assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
      assert.match(answer.headers.get('content-security-policy') ?? '', /sandbox/);
    }

    const [own, other] = seen.attachments.map(({ contentUrl }: { contentUrl: string }) => new URL(contentUrl));
    const status403 = async (url: string) => assert.equal((await fetch(url)).status, 403);
    await status403(own.origin + own.pathname);
    await status403(`${own.origin}${own.pathname}${other.search}`);
    await status403(`${own.origin}${own.pathname}?t=${chatter.token}`);
    now += 61 * 60_000;
    await status403(own.href);
    // A page that is opened later gets an address that opens again.
    const { body: history } = await call(
      line,
      'GET',
      `/conversations/${chatter.conversationId}/activities`,
      (await line.directLine.issueToken({ userId: chatter.userId, conversationId: chatter.conversationId })).token,
    );
    assert.equal((await fetch(history.activities.at(-2).attachments[0].contentUrl)).status, 200);
  });

  it('reaches the bot with the files it has', async () => {
    const chatter = await chat(line);
    const { body } = await upload(chatter, form([['a.png', 'image/png', png]]));
    const turn = line.turns.find(({ id }) => id === body.id);
    assert.equal(turn?.type, 'message');
    assert.equal(turn?.attachments?.[0]?.name, 'a.png');
    assert.equal((await fetch(turn?.attachments?.[0]?.contentUrl ?? '')).status, 200);
  });

  it('may write its media type in capitals', async () => {
    const chatter = await chat(line);
    const parts = ['--b', 'Content-Disposition: form-data; name="file"; filename="a.png"', 'Content-Type: image/png', '', 'x', '--b--', ''];
    const { status } = await upload(chatter, Buffer.from(parts.join('\r\n')), { 'content-type': 'Multipart/Form-Data; Boundary=b' });
    assert.equal(status, 200);
  });

  const deep = (levels: number): unknown => (levels === 0 ? 1 : [deep(levels - 1)]);
  const big = new Uint8Array(uploadLimits.fileSize + 1);
  const refusals: [string, number, string, () => [FormData | Buffer, Record<string, string>?]][] = [
    ['six files', 413, 'MessageSizeTooBig', () => [form(Array.from({ length: 6 }, (_, index) => [`${index}`, 'image/png', png]))]],
    ['a file that is too large', 413, 'MessageSizeTooBig', () => [form([['big', 'image/png', big]])]],
    [
      'more than all files may have together',
      413,
      'MessageSizeTooBig',
      () => [form(Array.from({ length: 6 }, () => ['big', 'image/png', big]))],
    ],
    [
      'an activity that is too large',
      413,
      'MessageSizeTooBig',
      () => [form([], { type: 'message', text: 'x'.repeat(uploadLimits.activitySize) })],
    ],
    ['an activity that is not JSON', 400, 'BadArgument', () => [form([['a.png', 'image/png', png]], '{')]],
    ['an activity nested too deep', 400, 'BadArgument', () => [form([['a.png', 'image/png', png]], { type: 'message', value: deep(40) })]],
    ['an activity of another type', 400, 'BadArgument', () => [form([['a.png', 'image/png', png]], { type: 'invoke' })]],
    [
      'a body that ends in the middle',
      400,
      'BadArgument',
      () => [
        Buffer.from('--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc'),
        { 'content-type': 'multipart/form-data; boundary=b' },
      ],
    ],
    ['a body without a boundary', 400, 'BadArgument', () => [Buffer.from('x'), { 'content-type': 'multipart/form-data; charset=utf-8' }]],
    ['JSON', 415, 'BadArgument', () => [Buffer.from('{}'), { 'content-type': 'application/json' }]],
  ];
  for (const [what, status, code, make] of refusals) {
    it(`is refused with ${status}: ${what}`, async () => {
      const chatter = await chat(line);
      const [body, headers] = make();
      const reply = await upload(chatter, body, headers);
      assert.equal(reply.status, status);
      assert.equal(reply.body.error.code, code);
      assert.equal(await line.storage.chats.countFiles(chatter.conversationId), 0);
    });
  }

  it('is refused with 415 if no files are expected, and nothing is stored', async () => {
    const plain = await startDirectLine();
    try {
      const chatter = await chat(plain);
      await chatter.sees('the greeting', ({ text }) => text === 'Hello');
      for (const content of [png, new Uint8Array(uploadLimits.fileSize - 1000)]) {
        const path = `/conversations/${chatter.conversationId}/upload`;
        const reply = await call(plain, 'POST', path, chatter.token, { body: form([['a.png', 'image/png', content]]) });
        assert.deepEqual([reply.status, reply.body.error.code], [415, 'NotSupported']);
      }
      assert.equal(await plain.storage.chats.countFiles(chatter.conversationId), 0);
      assert.equal((await plain.storage.chats.get(chatter.conversationId))?.watermark, 1);
    } finally {
      await plain.close();
    }
  });

  it('is read no further than the limit if no files are expected', async () => {
    let sent = 0;
    async function* endless() {
      for (;;) {
        sent += 1_000;
        yield Buffer.alloc(1_000);
      }
    }
    await discard(Readable.from(endless()) as IncomingMessage, { ...uploadLimits, fileSize: 10_000 });
    assert.ok(sent > 10_000 && sent <= 40_000, `${sent} bytes were read`);
  });

  it('is refused when the conversation has its fill of files', async () => {
    const chatter = await chat(line);
    const five = () => form(Array.from({ length: 5 }, (_, index) => [`${index}.png`, 'image/png', png]));
    for (let count = 0; count < 50; count += 5) assert.equal((await upload(chatter, five())).status, 200);
    assert.equal((await upload(chatter, five())).status, 413);
  });
});
