import assert from 'node:assert/strict';
import { makeSharedSignals } from '../../src/directline/signals.ts';
import { type Bus, makeBus } from '../../src/platform/database/bus.ts';
import { makeLog } from '../../src/platform/log.ts';
import { openStorage, type Storage } from '../../src/storage/index.ts';
import { call, chat, type DirectLineServer, listen, startDirectLine } from '../support/direct-line.ts';
import { newDatabase } from '../support/postgres.ts';
import { until } from '../support/until.ts';

describe('Direct Line on several replicas', () => {
  const open: { line: DirectLineServer; signals: ReturnType<typeof makeSharedSignals>; storage: Storage }[] = [];
  afterEach(async () => {
    for (const { line, signals, storage } of open.splice(0)) {
      await line.close();
      await signals.close();
      await storage.close();
    }
  });
  const start = async (url: string, busOf: (storage: Storage) => Bus = ({ bus }) => bus) => {
    const storage = await openStorage(undefined, { url });
    const signals = makeSharedSignals(busOf(storage), storage.chats, makeLog('silent'), 100);
    const line = await startDirectLine({ storage, signals });
    open.push({ line, signals, storage });
    return line;
  };
  /** A chat begun on one replica, with its stream on the other. */
  const across = async (busOf?: (storage: Storage) => Bus) => {
    const url = await newDatabase();
    const [one, other] = [await start(url, busOf), await start(url, busOf)];
    const chatter = await chat(one);
    await chatter.sees('the greeting', ({ text }) => text === 'Hello');
    const resumed = await call(other, 'GET', `/conversations/${chatter.conversationId}?watermark=0`, chatter.token);
    assert.equal(resumed.status, 200);
    const stream = await listen(resumed.body.streamUrl);
    const texts = () => stream.sets.flatMap(({ activities }) => activities.map(({ text }) => text));
    return { one, other, chatter, stream, texts };
  };

  it('shows messages from either replica, and greets once', async () => {
    const { chatter, texts } = await across();
    await chatter.say('hi');
    await until(() => texts().includes('Echo: hi'));
    // Whatever comes twice comes before what follows it.
    await chatter.say('bye');
    await until(() => texts().includes('Echo: bye'));
    assert.deepEqual(texts(), ['Hello', 'hi', 'Echo: hi', 'bye', 'Echo: bye']);
  });

  it('shows typing too, which is stored nowhere', async () => {
    const { one, chatter, stream } = await across();
    await until(async () => {
      await one.directLine.connector.post(chatter.conversationId, { type: 'typing' });
      return stream.sets.some(({ activities }) => activities.some(({ type }) => type === 'typing'));
    });
  });

  it('shows messages a little later if every notification between them is lost', async () => {
    const { chatter, texts } = await across(() => makeBus());
    await chatter.say('hi');
    await until(() => texts().includes('Echo: hi'));
    await chatter.say('bye');
    await until(() => texts().includes('Echo: bye'));
    assert.deepEqual(texts(), ['Hello', 'hi', 'Echo: hi', 'bye', 'Echo: bye']);
  });
});
