import assert from 'node:assert/strict';
import { DirectLine, type DirectLineOptions } from 'botframework-directlinejs';
import type { Outgoing } from '../../src/directline/activity.ts';
import { type ActivitySet, type Cursor, makePump, type Page } from '../../src/directline/reading.ts';
import { until } from '../support/until.ts';

const placed = (position: number) => ({ position, activity: { id: `a${position}`, type: 'message' } });
const part = (position: number) => ({ since: position - 1, watermark: position, activities: [placed(position)] });

describe('what a stream sends', () => {
  /** A conversation that has come to this watermark, and a stream that has sent everything so far. */
  const open = async (watermark: number) => {
    let stored = watermark;
    const reads: number[] = [];
    const sent: string[] = [];
    let accepted = Promise.resolve();
    const pump = makePump(
      { since: 0, after: 0 },
      async ({ since }: Cursor): Promise<Page> => {
        reads.push(since);
        const activities = Array.from({ length: stored - since }, (_, index) => placed(since + index + 1));
        return { activities, next: { since: stored, after: 0 }, last: true };
      },
      async ({ activities }) => activities.map(({ activity }) => ({ ...activity, type: 'message' })),
      async (sets: readonly ActivitySet[]) => {
        for (const { activities, watermark } of sets) sent.push(`${activities.map(({ id }) => id).join(' ')} to ${watermark}`);
        await accepted;
      },
    );
    await pump.run();
    sent.length = 0;
    reads.length = 0;
    return {
      pump,
      reads,
      sent,
      store: (to: number) => {
        stored = to;
      },
      hold: () => {
        const { promise, resolve } = Promise.withResolvers<void>();
        accepted = promise;
        return resolve;
      },
    };
  };

  it('is the newly stored messages, without a read, if nothing else follows', async () => {
    const { pump, reads, sent } = await open(2);
    await pump.run({ stored: part(3) });
    await Promise.all([pump.run({ stored: part(4) }), pump.run({ stored: part(5) })]);
    assert.deepEqual({ reads, sent }, { reads: [], sent: ['a3 to 3', 'a4 to 4', 'a5 to 5'] });
  });

  it('is one activity a frame, each with its watermark', async () => {
    const { pump, sent, store } = await open(2);
    store(5);
    await pump.run();
    assert.deepEqual(sent, ['a3 to 2.5.3', 'a4 to 2.5.4', 'a5 to 5']);
  });

  it('is shown in its order by Microsoft’s client, a message before its own update', async () => {
    let socket: FakeSocket | undefined;
    class FakeSocket {
      onmessage?: (message: { data: string }) => void;
      constructor() {
        socket = this;
      }
      close() {}
    }
    const shown: string[] = [];
    const options = { token: 'a.b.c', conversationId: 'c', streamUrl: 'ws://chat.example', WebSocket: FakeSocket };
    const client = new DirectLine(options as DirectLineOptions);
    const seeing = client.activity$.subscribe(({ id = '', type }) => shown.push(`${id} ${type}`));
    const written = (type: string) => ({ position: 2, activity: { id: 'a2', type } });
    const parts = [
      { since: 0, watermark: 2, activities: [placed(1), written('sending')] },
      { since: 2, watermark: 3, activities: [written('sent')] },
    ];
    const pump = makePump(
      { since: 0, after: 0 },
      async ({ since }) => ({ activities: [], next: { since, after: 0 }, last: true }),
      async ({ activities }) => activities.map(({ activity }) => activity as Outgoing),
      async (sets) => {
        for (const set of sets) socket?.onmessage?.({ data: JSON.stringify(set) });
      },
    );
    await until(() => socket?.onmessage !== undefined, 'the client to listen');
    await Promise.all(parts.map((stored) => pump.run({ stored })));
    await until(() => shown.length === 3, 'all to be shown');
    assert.deepEqual(shown, ['a1 message', 'a2 sending', 'a2 sent']);
    seeing.unsubscribe();
  });

  for (const [when, signals] of [
    ['something before it is missing', [{ stored: part(4) }]],
    ['it was sent before', [{ stored: part(2) }]],
    ['a signal does not say what was stored', [{ stored: part(3) }, {}]],
    ['a signal came before that does not say it', [{}, { stored: part(3) }]],
  ] as const) {
    it(`is read when ${when}`, async () => {
      const { pump, reads, sent, store } = await open(2);
      store(4);
      await Promise.all(signals.map((signal) => pump.run(signal)));
      assert.equal(reads.length > 0, true);
      assert.deepEqual(sent.join(', ').match(/a\d/g), ['a3', 'a4']);
      assert.match(sent.at(-1) ?? '', /to 4$/);
    });
  }

  it('is read from storage once a client is too slow for its queue', async () => {
    const { pump, reads, sent, store, hold } = await open(2);
    const accept = hold();
    const running = pump.run({ stored: part(3) });
    await until(() => sent.length === 1, 'the first to be sent');
    for (let position = 4; position <= 9; position += 1) void pump.run({ stored: part(position) });
    store(9);
    accept();
    await running;
    assert.deepEqual(
      { reads, sent },
      { reads: [3], sent: ['a3 to 3', 'a4 to 3.9.4', 'a5 to 3.9.5', 'a6 to 3.9.6', 'a7 to 3.9.7', 'a8 to 3.9.8', 'a9 to 9'] },
    );
  });

  it('includes activities that are not stored, last and without a read', async () => {
    const { pump, reads, sent } = await open(2);
    await Promise.all([pump.run({ passing: { id: 'typing', type: 'typing' } }), pump.run({ stored: part(3) })]);
    assert.deepEqual({ reads, sent }, { reads: [], sent: ['a3 to 3', 'typing to 3'] });
  });
});
