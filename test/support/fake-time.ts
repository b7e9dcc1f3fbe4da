// Sinon's fake time, which `node:timers/promises` follows too.
import { createRequire, syncBuiltinESMExports } from 'node:module';
import type sinon from 'sinon';

// Its other build, for `import`, knows no `require` and so leaves `node:timers/promises` alone.
const { useFakeTimers }: typeof sinon = createRequire(import.meta.url)('sinon');

export interface FakeTime {
  readonly time: sinon.SinonFakeTimers;
  restore(): void;
}

/** Timers and dates stand still at `now` (epoch ms) until they are moved. */
export const fakeTime = (now = 0): FakeTime => {
  const time = useFakeTimers({ now, toFake: ['setTimeout', 'clearTimeout', 'Date'], ignoreMissingTimers: true });
  // `import { setTimeout } from 'node:timers/promises'` sees the fake only once the module's names are brought up to
  // date.
  syncBuiltinESMExports();
  return {
    time,
    restore: () => {
      time.restore();
      syncBuiltinESMExports();
    },
  };
};
