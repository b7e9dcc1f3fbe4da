import assert from 'node:assert/strict';
import { isLanguage, nearestLanguage, negotiateLanguage } from '../../../src/platform/text/languages.ts';

describe('the languages', () => {
  const asked: [string | undefined, string][] = [
    ['es-MX,es;q=0.9,en;q=0.8', 'es'],
    ['de-AT', 'de'],
    ['fr;q=0.5, ja;q=0.9', 'ja'],
    ['ar-EG, en;q=0.1', 'ar'],
    ['sv, it;q=0.5', 'en'],
    ['en;q=0, fr', 'fr'],
    [undefined, 'en'],
  ];
  for (const [header, language] of asked)
    it(`give ${language} to a browser that asks for ${header}`, () => {
      assert.equal(negotiateLanguage(header), language);
    });

  it('give the fallback to a browser that asks for none of ours', () => assert.equal(negotiateLanguage('sv', 'de'), 'de'));

  for (const [tag, language] of [
    ['es-MX', 'es'],
    ['JA', 'ja'],
    ['sv', 'en'],
    ['', 'en'],
  ] as const)
    it(`have ${language} nearest to ${tag || 'an empty tag'}`, () => assert.equal(nearestLanguage(tag), language));

  it('do not include what every object has', () => assert.equal(isLanguage('constructor'), false));
});
