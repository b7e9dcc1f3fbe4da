import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeHandoffStore } from '../../src/handoff/index.ts';
import { openStorage, type Storage } from '../../src/storage/index.ts';
import { backends } from '../support/backends.ts';
import { accepted, intent } from '../support/samples.ts';

const none = { interaction: 0, bot_state: 0, answer: 0, chat: 0, chat_activity: 0, chat_file: 0, handoff: 0, handoff_letter: 0 };
const keyOf = (chat: string) => JSON.stringify(['urn:chat', chat]);

for (const backend of backends) {
  describe(`erasing a customer on ${backend.kind}`, () => {
    let storage: Storage;
    beforeEach(async () => {
      storage = await backend.open();
    });
    afterEach(() => storage.close());

    /** A chat with an activity, a file, a memory and an answered delivery. */
    const fill = async (chat: string, memory: object) => {
      const { botState, chats } = storage;
      await chats.open(chat, 'user', 1);
      await chats.append(chat, { id: '1' });
      await chats.keepFile(chat, `file-${chat}`, { name: 'n', contentType: 't/t', content: new Uint8Array([1]) });
      const stateKey = keyOf(chat);
      const asked = { id: `handoff-${chat}`, conversation: stateKey, address: '{}', hub: 'webhook', reason: 'asked', language: 'en' };
      await storage.of(makeHandoffStore).add(asked, { type: 'requested', key: 'requested', data: {} });
      await botState.write({ [stateKey]: { json: JSON.stringify(memory) } }, { delivery: { name: chat, stateKey }, answer: {} });
    };

    it('removes their interactions and chats, reports what was removed, and leaves all other customers', async () => {
      const { botState, chats, erasure, interactions } = storage;
      const told = await interactions.record(intent('a', { customerRef: 'c_stomer-1', conversation: keyOf('one') }));
      for (const transition of [
        accepted,
        { kind: 'decided', outcome: { status: 'success', by: 'result', at: 1 } },
        { kind: 'delivered' },
      ] as const)
        await interactions.apply(told, transition);
      await interactions.record(intent('b', { customerRef: 'c_stomer-1', conversation: keyOf('one') }));
      await interactions.record(intent('c', { customerRef: 'customer-1', conversation: keyOf('other') }));
      await fill('one', {});
      // Looked up here, and nothing was sent.
      await fill('two', { found: [{ id: 'c_stomer-1' }] });
      await fill('other', { found: [{ id: 'customer-1' }] });

      const expected = {
        rows: { interaction: 2, bot_state: 2, answer: 2, chat: 2, chat_activity: 2, chat_file: 2, handoff: 2, handoff_letter: 2 },
        undelivered: 1,
      };
      assert.deepEqual(await erasure.count('c_stomer-1'), expected);
      assert.deepEqual(await erasure.erase('c_stomer-1'), expected);
      assert.deepEqual(await erasure.erase('c_stomer-1'), { rows: none, undelivered: 0 });
      for (const id of ['a', 'b']) assert.equal(await interactions.get(id), undefined);
      for (const chat of ['one', 'two']) {
        assert.equal(await chats.get(chat), undefined);
        assert.deepEqual(await botState.read([keyOf(chat)]), {});
        assert.equal(await botState.answerTo({ name: chat, stateKey: keyOf(chat) }), undefined);
      }
      assert.ok(await interactions.get('c'));
      assert.ok((await botState.read([keyOf('other')]))[keyOf('other')]);
      assert.ok(await chats.file('other', 'file-other'));
    });

    it('ends at once if there is nothing', async () => {
      assert.deepEqual(await storage.erasure.erase("'; drop table interaction; --"), { rows: none, undelivered: 0 });
    });
  });
}

describe('erasing a customer from an embedded database', () => {
  it('leaves nothing of the customer in its files', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'countersign-erase-'));
    const canary = 'canary-customer-of-the-erasure';
    const inFiles = () => readdirSync(folder).filter((name) => readFileSync(join(folder, name)).includes(canary));
    const storage = await openStorage(folder);
    try {
      const { botState, chats, interactions, erasure } = storage;
      await interactions.record(intent('a', { customerRef: canary, conversation: keyOf('one') }));
      await chats.open('one', 'user', 1);
      for (let count = 0; count < 50; count += 1) await chats.append('one', { id: String(count), text: `${canary} ${'x'.repeat(2000)}` });
      await botState.write({ [keyOf('one')]: { json: JSON.stringify({ found: [{ id: canary }] }) } });
      assert.notDeepEqual(inFiles(), []);
      await erasure.erase(canary);
      assert.deepEqual(inFiles(), []);
    } finally {
      await storage.close();
      rmSync(folder, { recursive: true });
    }
  });
});
