import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { placeholders, pluralFaults } from '../../../dialogs/language/message-faults.ts';
import { type Language, languages } from '../../../src/platform/text/languages.ts';
import { makeServiceTexts, type TextKey } from '../../../src/service/core/texts.ts';

const read = (language: Language): Readonly<Record<string, string>> =>
  JSON.parse(readFileSync(new URL(`../../../src/service/locales/${language}.json`, import.meta.url), 'utf8'));

describe('the texts of the service', () => {
  const english = read('en');
  for (const language of languages) {
    it(`are in ${language} the same as in English, with the same placeholders and the plural forms of its grammar`, () => {
      const messages = read(language);
      assert.deepEqual(Object.keys(messages), Object.keys(english));
      for (const [key, message] of Object.entries(messages)) {
        assert.deepEqual(placeholders(message), placeholders(english[key] ?? ''), key);
        assert.deepEqual(pluralFaults(message, language), [], key);
        assert.equal(message, message.trim().replace(/ {2,}/g, ' '), key);
        assert.notEqual(message, '', key);
      }
    });
  }

  it('use Arabic’s plural forms', () => {
    const { t } = makeServiceTexts()('ar');
    assert.deepEqual(
      [1, 2, 3, 11, 100].map((count) => t('outbox.count', { count })),
      ['رسالة واحدة', 'رسالتان', '3 رسائل', '11 رسالة', '100 رسالة'],
    );
  });

  it('contain no unused text', () => {
    const code = globSync('src/service/**/*.{ts,js}', { exclude: ['**/dist/**', '**/node_modules/**'] })
      .map((file) => readFileSync(file, 'utf8'))
      .join('\n');
    // A key as it stands in the code, or a template whose gaps stand for parts of a key.
    const written = new Set((code.match(/['"][a-z][\w-]*(?:\.[\w-]+)+['"]/gi) ?? []).map((quoted) => quoted.slice(1, -1)));
    const templates = (code.match(/`[a-z][\w-]*\.[\w.-]*\$\{[^`]*`/gi) ?? []).map(
      (quoted) =>
        new RegExp(
          `^${quoted
            .slice(1, -1)
            .split(/\$\{[^}]*\}/)
            .map((part) => part.replace(/\./g, '\\.'))
            .join('[\\w.-]+')}(?:\\.title|\\.text)?$`,
        ),
    );
    // Some names a page, which has a title and a text.
    const isRead = (key: string) =>
      written.has(key) || written.has(key.replace(/\.(?:title|text)$/, '')) || templates.some((template) => template.test(key));
    assert.deepEqual(
      (Object.keys(english) as TextKey[]).filter((key) => !isRead(key)),
      [],
    );
    assert.equal(isRead('nothing.such'), false);
  });
});
