import assert from 'node:assert/strict';
import { compare, nameOf, openSheets, type Sheets } from '../support/sheets.ts';

describe('the look of cards', function () {
  this.timeout(60_000);
  let sheets: Sheets;
  before(async () => {
    sheets = await openSheets();
  });
  after(() => sheets.close());

  const sheet = { cards: 'payments', channel: 'chat page', language: 'en', theme: 'light' };

  it('matches the stored picture: payments, on the chat page', async () => {
    await sheets.open(sheet);
    compare(nameOf(sheet), await sheets.picture());
  });

  it('differs from it if only the colour of a symbol changes', async () => {
    await sheets.page.route(/\/tokens\./, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.text()).replace('--good: #0b6a3c', '--good: #0b3c6a') });
    });
    await sheets.open(sheet);
    const picture = await sheets.picture();
    if (process.env.SCREENS !== 'write')
      assert.throws(() => compare(nameOf(sheet), picture), /^AssertionError.* pixels of .+ differ: see .+diff\.png/);
    assert.deepEqual(sheets.complaints, []);
  });
});
