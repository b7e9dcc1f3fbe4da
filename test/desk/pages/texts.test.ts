import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { deskTexts } from '../../../src/desk/pages/texts.ts';

/** What a text has filled in. */
const filled = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort();
const english = deskTexts.en as Readonly<Record<string, string>>;

describe('the texts of the desk', () => {
  for (const [language, texts] of Object.entries(deskTexts)) {
    it(`are complete in ${language}: every text, with its placeholders`, () => {
      assert.deepEqual(Object.keys(texts), Object.keys(english));
      for (const [key, text] of Object.entries(texts)) {
        assert.deepEqual(filled(text), filled(english[key] ?? ''), key);
        assert.ok(text.trim() === text && text !== '', key);
      }
    });
  }

  it('are translated, unless they are names', () => {
    const names = /^(app|brand|channel|event\.outcome|saidNew|bot|role|reference|you|overview|timeline|queue)/;
    for (const [language, texts] of Object.entries(deskTexts)) {
      if (language === 'en') continue;
      const same = Object.entries(texts).filter(([key, text]) => text === english[key] && !names.test(key) && text.length > 12);
      assert.deepEqual(same, [], language);
    }
  });

  it('are laid out in the direction of their language', () => {
    const assets = new URL('../../../src/desk/assets/styles/', import.meta.url);
    for (const file of readdirSync(assets).filter((name) => name.endsWith('.css'))) {
      const css = readFileSync(new URL(file, assets), 'utf8');
      const sided = css.match(/^\s*(?:(?:margin|padding|border)-(?:left|right)|left|right|float|text-align: (?:left|right))\b.*$/gm);
      assert.equal(sided, null, file);
    }
  });
});
