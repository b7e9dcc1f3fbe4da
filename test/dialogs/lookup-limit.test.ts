import assert from 'node:assert/strict';
import sinon from 'sinon';
import { makeLookupLimit } from '../../dialogs/lookup-limit.ts';

describe('the limit of lookups', () => {
  let clock: sinon.SinonFakeTimers;
  beforeEach(() => {
    clock = sinon.useFakeTimers({ now: Date.parse('2026-11-20T09:00:00Z'), toFake: ['Date', 'setTimeout', 'clearTimeout'] });
  });
  afterEach(() => clock.restore());

  it('is three in ten minutes for each user, and twenty a day', async () => {
    const limit = makeLookupLimit({ perTenMinutes: 3, perDay: 20 });
    let allowed = 0;
    for (let round = 0; round < 10; round += 1) {
      for (let lookup = 0; lookup < 3; lookup += 1) if (await limit('directline/a')) allowed += 1;
      assert.equal(await limit('directline/a'), false);
      await clock.tickAsync(601_000);
    }
    assert.ok(allowed >= 12 && allowed <= 20, `${allowed} were allowed`);
    assert.equal(await limit('directline/b'), true);
    await clock.tickAsync(86_400_000);
    assert.equal(await limit('directline/a'), true);
  });
});
