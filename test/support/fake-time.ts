// Sinon's fake time, which `node:timers/promises` follows too.
import { createRequire, syncBuiltinESMExports } from 'node:module';
import type sinon from 'sinon';

// Its other build, for `import`, cannot use `require` and leaves `node:timers/promises` real.
const { useFakeTimers }: typeof sinon = createRequire(import.meta.url)('sinon');

export interface FakeTime {
  readonly time: sinon.SinonFakeTimers;
  restore(): void;
}

/** Timers and dates stand still at `now` (epoch ms) until they are moved. */
export const fakeTime = (now = 0): FakeTime => {
  const time = useFakeTimers({ now, toFake: ['setTimeout', 'clearTimeout', 'Date'], ignoreMissingTimers: true });
  // Without this, `import { setTimeout } from 'node:timers/promises'` would keep the real function.
  syncBuiltinESMExports();
  return {
    time,
    restore: () => {
      time.restore();
      syncBuiltinESMExports();
    },
  };
};
