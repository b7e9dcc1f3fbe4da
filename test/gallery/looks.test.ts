import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { appIds } from '../../src/contract/index.ts';
import { compare, foreignTypefaces, kept, nameOf, openSheets, type Sheet, type Sheets } from '../support/sheets.ts';

const groups = ['shared', ...appIds];
const sheetsOf = (channel: string, language: string, theme: string, cards: readonly string[] = groups): Sheet[] =>
  cards.map((one) => ({ cards: one, channel, language, theme }));

describe('the looks of cards', function () {
  this.timeout(120_000);
  let sheets: Sheets;
  before(async () => {
    sheets = await openSheets();
  });
  after(() => sheets.close());

  for (const sheet of [
    // Payments are looked at in every run.
    ...sheetsOf('chat page', 'en', 'light').filter(({ cards }) => cards !== 'payments'),
    ...sheetsOf('chat page', 'ar', 'dark'),
    ...sheetsOf('chat page', 'ja', 'light', ['document-signature']),
    ...sheetsOf('msteams', 'de', 'light', ['shared', 'payments']),
  ])
    it(`match the stored pictures: ${Object.values(sheet).join(', ')}`, async () => {
      await sheets.open(sheet);
      compare(nameOf(sheet), await sheets.picture());
    });

  for (const language of ['en', 'ar', 'ja'])
    it(`are in typefaces that every machine has (${language})`, async () => {
      await sheets.open({ cards: 'document-signature', channel: 'chat page', language, theme: 'light' });
      assert.deepEqual(await foreignTypefaces(sheets.page), []);
    });

  it('take at most 1.5 MB in all', () => {
    const bytes = readdirSync(kept).reduce((sum, file) => sum + statSync(join(kept, file)).size, 0);
    assert.ok(bytes < 1_500_000, `${bytes} bytes`);
  });
});
