import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { addChatwootCallback } from '../../../src/handoff/chatwoot/chatwoot-callback.ts';
import type { HttpRequest, HttpServer } from '../../../src/platform/http/http-server.ts';
import { systemClock } from '../../../src/platform/time/clock.ts';

describe('a callback of Chatwoot', () => {
  /** The conversations that a callback makes the bot read. */
  const readAfter = async (body: object): Promise<string[]> => {
    const read: string[] = [];
    const handlers: ((call: HttpRequest) => unknown)[] = [];
    const http = { route: (_method: string, _path: string, handler: (call: HttpRequest) => unknown) => handlers.push(handler) };
    const hint = async (place: string) => read.push(place) > 0;
    addChatwootCallback(http as unknown as HttpServer, { key: 'the-key' }, hint, systemClock);
    const raw = Object.assign(Readable.from([Buffer.from(JSON.stringify(body))]), { headers: {} });
    const call = { clientAddress: '192.0.2.1', headers: {}, params: { key: 'the-key' }, raw };
    assert.deepEqual(await handlers[0]?.(call as unknown as HttpRequest), { status: 204 });
    return read;
  };

  const rows: [string, object, string[]][] = [
    ['of a message', { event: 'message_created', id: 99, conversation: { id: 7 } }, ['7']],
    ['of a message that was changed', { event: 'message_updated', id: 99, conversation: { id: 7 } }, ['7']],
    ['of an assignment', { event: 'conversation_updated', id: 7 }, ['7']],
    ['of an end', { event: 'conversation_status_changed', id: 7, status: 'resolved' }, ['7']],
    ['of something else', { event: 'contact_updated', id: 7 }, []],
  ];
  for (const [what, body, expected] of rows)
    it(`${what} makes the bot read ${expected.length > 0 ? 'its conversation' : 'nothing'} at once`, async () =>
      assert.deepEqual(await readAfter(body), expected));
});
