import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readFrame } from '../../src/interactions/socket/service-connection.ts';

const frame = {
  id: '01M7W000000000000000000001',
  type: 'task.succeeded',
  timestamp: '2026-11-20T09:00:00.000Z',
  payload: {
    id: '01M7W000000000000000000002',
    app: 'payments',
    timestamp: '2026-11-20T09:00:00.000Z',
    request: { id: '01M7W000000000000000000003' },
  },
};
const read = (value: unknown) => readFrame(Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)));

describe('a frame of the service', () => {
  const rows: [string, unknown, object][] = [
    ['is an event of its type', frame, { type: 'task.succeeded' }],
    ['of the older name means the same', { ...frame, type: 'task_bootstrapped' }, { type: 'task.bootstrapped' }],
    ['of a type that nobody knows is ignored', { ...frame, type: 'task.danced' }, { ignored: 'unknown_event' }],
    ['without a type is malformed', { ...frame, type: undefined }, { ignored: 'malformed_frame' }],
    ['that is no JSON is malformed', 'CONNECT', { ignored: 'malformed_frame' }],
    ['that is nested too deeply is malformed', `${'['.repeat(40)}${']'.repeat(40)}`, { ignored: 'malformed_frame' }],
  ];
  for (const [what, value, expected] of rows) {
    it(what, () => {
      const { frame: _, ...reading } = { frame: undefined, ...read(value) };
      assert.deepEqual(reading, expected);
    });
  }

  it('is read or ignored, whatever bytes it has', () => {
    const bent = fc.tuple(fc.nat(12), fc.option(fc.jsonValue(), { nil: undefined })).map(([place, value]) => {
      let count = 0;
      return Buffer.from(
        JSON.stringify(frame, (name, old) => {
          if (name === '') return old;
          count += 1;
          return count === place ? value : old;
        }),
      );
    });
    const cut = fc.nat(JSON.stringify(frame).length).map((length) => Buffer.from(JSON.stringify(frame).slice(0, length)));
    fc.assert(
      fc.property(
        fc.oneof(
          bent,
          cut,
          fc.uint8Array({ maxLength: 300 }),
          fc.json().map((text) => Buffer.from(text)),
        ),
        (bytes) => {
          const reading = readFrame(bytes);
          if ('ignored' in reading) assert.match(reading.ignored, /^(malformed_frame|unknown_event)$/);
          else assert.equal(typeof reading.frame.id, 'string');
        },
      ),
      { numRuns: 500 },
    );
  });
});
