// One anonymous chat token and no restraint: what it stores and what it makes the process hold stay within bounds.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fetch } from 'undici';
import { until } from '../support/until.ts';
import { startWhole, type Whole } from '../support/whole.ts';

const kilobyte = 1024;

describe('one anonymous chat token', () => {
  let whole: Whole;
  beforeEach(async () => {
    whole = await startWhole({ turnRate: { points: 10, seconds: 60 } });
  });
  afterEach(() => whole.close());

  const begin = async () => {
    const { token, conversationId } = await whole.bot().directLine.issueToken({});
    const base = `http://127.0.0.1:${whole.bot().port}/v3/directline/conversations`;
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    assert.equal((await fetch(base, { method: 'POST', headers, body: '{}' })).status, 201);
    await until(() => stored(conversationId).rows > 0, 'the greeting');
    return { token, conversationId, base, headers, own: `${base}/${conversationId}` };
  };

  const stored = (conversationId: string) => {
    const db = new DatabaseSync(join(whole.dataDir, 'bot.db'), { readOnly: true, timeout: 5_000 });
    try {
      const row = db
        .prepare(
          'select count(*) as rows, coalesce(sum(octet_length(activity)), 0) as bytes from chat_activity join chat on number = chat_number where id = ?',
        )
        .get(conversationId) as { rows: number; bytes: number };
      const { files } = db.prepare('select count(*) as files from chat_file').get() as { files: number };
      return { ...row, files };
    } finally {
      db.close();
    }
  };

  it('stores nothing of what its turn limit refuses', async () => {
    const { conversationId, headers, own } = await begin();
    const before = stored(conversationId);
    const body = JSON.stringify({ type: 'message', text: 'x', value: 'y'.repeat(100 * kilobyte) });
    const statuses = await Promise.all(
      Array.from({ length: 60 }, async () => {
        const answer = await fetch(`${own}/activities`, { method: 'POST', headers, body }).catch(() => undefined);
        await answer?.text().catch(() => '');
        return answer?.status;
      }),
    );
    const taken = statuses.filter((status) => status === 200).length;
    assert.ok(taken <= 10, `${taken} were taken`);
    const { bytes } = stored(conversationId);
    assert.ok(bytes - before.bytes < 11 * 110 * kilobyte, `${bytes - before.bytes} bytes were kept`);
  });

  it('stores no files', async () => {
    const { conversationId, headers, own } = await begin();
    const before = stored(conversationId);
    const form = ['--b', 'Content-Disposition: form-data; name="file"; filename="a.txt"', 'Content-Type: text/plain', '', 'x', '--b--', ''];
    const type = { 'content-type': 'multipart/form-data; boundary=b' };
    const answer = await fetch(`${own}/upload`, { method: 'POST', headers: { ...headers, ...type }, body: form.join('\r\n') });
    assert.equal(answer.status, 415);
    assert.equal(((await answer.json()) as { error: { code: string } }).error.code, 'NotSupported');
    assert.deepEqual(stored(conversationId), before);
  });

  it('cannot fill the process’s memory with unread answers', async () => {
    const { conversationId, token, headers, own } = await begin();
    const body = JSON.stringify({ type: 'message', text: 'x', value: 'y'.repeat(200 * kilobyte) });
    for (let count = 0; count < 8; count++) await fetch(`${own}/activities`, { method: 'POST', headers, body });
    const { port } = whole.bot();
    const request = `GET /v3/directline/conversations/${conversationId}/activities HTTP/1.1\r\nHost: localhost:${port}\r\nAuthorization: Bearer ${token}\r\n\r\n`;
    const held = process.memoryUsage().rss;
    const peers = await Promise.all(
      Array.from({ length: 40 }, async () => {
        const peer = connect({ port, host: '127.0.0.1' });
        peer.on('error', () => {});
        await once(peer, 'connect');
        peer.pause();
        // Ten at a time on each: nothing of any answer is read.
        peer.write(request.repeat(10));
        return peer;
      }),
    );
    try {
      let peak = 0;
      for (let round = 0; round < 50; round++) {
        assert.equal((await fetch(`http://127.0.0.1:${port}/healthz`)).status, 200);
        peak = Math.max(peak, process.memoryUsage().rss);
      }
      const grown = (peak - held) / kilobyte / kilobyte;
      assert.ok(grown < 150, `${grown.toFixed(0)} MB more`);
    } finally {
      for (const peer of peers) peer.destroy();
    }
  });
});
