import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { languages } from '../../src/platform/text/languages.ts';
import { aboutTexts, texts } from '../../src/web/texts.ts';

describe('the texts of the chat page', () => {
  const page = ['pages/chat', 'embed'].map((name) => readFileSync(`src/web/${name}.ts`, 'utf8')).join('\n');
  const scripts = ['chat', 'kept', 'news', 'record', 'store'].map((name) => readFileSync(`src/web/assets/${name}.js`, 'utf8')).join('\n');

  it('are the same in every language', () => {
    const keysOf = (tree: object): readonly string[] =>
      Object.entries(tree).flatMap(([key, value]) => (typeof value === 'string' ? [key] : keysOf(value).map((inner) => `${key}.${inner}`)));
    for (const language of languages) {
      assert.deepEqual(keysOf(texts[language]), keysOf(texts.en), language);
      assert.deepEqual(keysOf(aboutTexts[language]), keysOf(aboutTexts.en), language);
      for (const words of Object.values(texts[language])) assert.match(words, /^\S(?:.*\S)?$/, language);
    }
  });

  it('are all used, by the page or its scripts', () => {
    const isRead = (key: string) =>
      [`text.${key}`, `data-text="${key}"`, `data-label="${key}"`, `'${key}'`].some((form) => page.includes(form)) ||
      new RegExp(`['.]${key}\\b`).test(scripts);
    assert.deepEqual(
      Object.keys(texts.en).filter((key) => !isRead(key)),
      [],
    );
    assert.equal(isRead('nothingSuch'), false);
  });
});
