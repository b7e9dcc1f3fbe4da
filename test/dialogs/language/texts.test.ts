import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import type { TextKey } from '../../../cards/index.ts';
import { placeholders, pluralFaults } from '../../../dialogs/language/message-faults.ts';
import { chatLanguages, makeTexts, makeTextsFor, messagesOf, UnknownText, ways } from '../../../dialogs/language/texts.ts';

// Intl separates with spaces that do not break; which one depends on its data's version.
const spaced = (text: string) => text.replace(/[\u00A0\u202F]/g, ' ');

describe('the texts of a language', () => {
  for (const language of chatLanguages) {
    it(`has in ${language} the same keys as in English, with the same placeholders`, () => {
      const english = messagesOf('en');
      const messages = messagesOf(language);
      assert.deepEqual([...messages.keys()].sort(), [...english.keys()].sort());
      for (const [key, message] of messages) assert.deepEqual(placeholders(message), placeholders(english.get(key) ?? ''), key);
    });

    it(`says something under every key in ${language}, without stray spaces`, () => {
      for (const [key, message] of messagesOf(language)) {
        assert.notEqual(message, '', key);
        assert.equal(message, message.trim().replace(/ {2,}/g, ' '), key);
      }
    });
  }

  it('names the address that we have without a clause, so that a German sentence can go on after it', () => {
    const t = makeTexts('de');
    const sentence = t('cards.passkeys.waiting.text', { to: t('passkeys.address') });
    assert.match(sentence, /^[^,]+ und verwenden Sie Ihren Passkey\.$/);
  });

  for (const language of chatLanguages) {
    it(`has in ${language} the plural forms that its grammar asks for, and no others`, () => {
      for (const [key, message] of messagesOf(language)) assert.deepEqual(pluralFaults(message, language), [], key);
    });
  }

  it('fills in values, by the grammar of the language', () => {
    const key: TextKey = 'cards.one-time-passcode.enter.tries';
    assert.equal(makeTexts('en')(key, { count: 1 }), '1 try left');
    assert.equal(makeTexts('es')(key, { count: 3 }), 'Quedan 3 intentos');
    assert.deepEqual(
      [0, 1, 2, 3, 11].map((count) => makeTexts('ar')(key, { count })),
      ['لم تبقَ محاولات', 'بقيت محاولة واحدة', 'بقيت محاولتان', 'بقيت 3 محاولات', 'بقيت 11 محاولة'],
    );
  });

  it('leaves a gap for a missing value instead of failing', () => {
    for (const language of chatLanguages) {
      const t = makeTexts(language);
      for (const key of messagesOf(language).keys()) assert.doesNotMatch(t(key), /[{}]|undefined/, key);
    }
  });

  /** The key of which a text is another form, for one of the ways to a customer. */
  const usualOf = (key: string) => ways.reduce((rest, way) => (rest.startsWith(`${way}.`) ? rest.slice(way.length + 1) : rest), key);

  it('have a variant only of texts that exist', () => {
    const keys = messagesOf('en');
    const others = [...keys.keys()].filter((key) => usualOf(key) !== key);
    assert.ok(others.length > 30);
    assert.deepEqual(
      others.filter((key) => !keys.has(usualOf(key) as TextKey) || keys.get(key) === keys.get(usualOf(key) as TextKey)),
      [],
    );
  });

  for (const way of ways)
    it(`use the variant for texts that are ${way}, and the usual one if there is none`, () => {
      const t = makeTexts('en', { way });
      const messages = messagesOf('en');
      assert.equal(t('cards.choices.text'), messages.get(`${way}.cards.choices.text`));
      assert.equal(t('cards.yes'), 'Yes');
    });

  it('contain no unused text', () => {
    const files = globSync('{cards,dialogs,src/compose,src/flows,src/handoff}/**/*.ts').map((file) => readFileSync(file, 'utf8'));
    const keys = [...messagesOf('en').keys()];
    const parts = new Set(keys.flatMap((key) => key.split('.')));
    // A key as it stands in the code, or a template whose gaps stand for one part of a key or, for an app's ending,
    // two.
    const written = files
      .flatMap((text) => text.match(/'[a-z][\w-]*(?:\.[\w-]+)+'|`[\w.-]*\$\{[^`]*`/gi) ?? [])
      .map((quoted) => quoted.slice(1, -1));
    const isRead = (key: string) =>
      written.some((form) => {
        if (!form.includes('${')) return form === key || `${form}.title` === key || `${form}.text` === key;
        const pattern = form.split(/\$\{[^}]*\}/).map((part) => part.replace(/\./g, '\\.'));
        return /^[a-z]/.test(form) && new RegExp(`^${pattern.join('[\\w-]+')}(?:\\.title|\\.text)?$`).test(key);
      });
    assert.ok(parts.size > 100, 'the locale file was read');
    assert.deepEqual(
      keys.filter((key) => !isRead(usualOf(key))),
      [],
    );
    assert.equal(isRead('menu.nothingSuch'), false);
  });

  it('refuses a key that does not exist', () => {
    assert.throws(
      () => makeTexts('en')('cards.nowhere' as TextKey),
      (fault) => fault instanceof UnknownText && fault.code === 'unknown_text' && fault.key === 'cards.nowhere',
    );
  });

  for (const [tag, locale, said] of [
    ['es', 'es', 'Sí'],
    ['es-MX', 'es-MX', 'Sí'],
    ['es_AR', 'es-AR', 'Sí'],
    ['en-GB', 'en-GB', 'Yes'],
    ['EN-us', 'en-US', 'Yes'],
    ['es-u-nu-arab', 'es', 'Sí'],
    ['de-CH', 'de-CH', 'Ja'],
    ['fr-FR', 'fr-FR', 'Oui'],
    ['ar-EG', 'ar-EG', 'نعم'],
    ['ja-JP', 'ja-JP', 'はい'],
    ['pt-BR', 'en', 'Yes'],
    ['', 'en', 'Yes'],
    ['not a tag', 'en', 'Yes'],
    ['../../etc/passwd', 'en', 'Yes'],
    [undefined, 'en', 'Yes'],
  ] as const) {
    it(`speaks ${locale} when asked for ${JSON.stringify(tag)}`, () => {
      const t = makeTexts(tag);
      assert.equal(t.locale, locale);
      assert.equal(t('cards.yes'), said);
    });
  }

  it('falls back to the configured language', () => assert.equal(makeTexts('pt', { fallback: 'es' })('cards.yes'), 'Sí'));

  for (const [tag, amount, currency, shown] of [
    ['en', 12.5, 'USD', '$12.50'],
    ['en', 1249.5, 'EUR', '€1,249.50'],
    ['es', 12.5, 'EUR', '12,50 €'],
    ['es-MX', 1249.5, 'MXN', '$1,249.50'],
    ['en', 500, 'JPY', '¥500'],
    ['en', 1.234, 'KWD', 'KWD 1.234'],
    ['en', 12.5, 'eur', '€12.50'],
    ['en', 12.5, 'XYZ', 'XYZ 12.50'],
    ['en', 12.5, 'POINTS', '12.50 POINTS'],
    ['es', 12.5, 'POINTS', '12,50 POINTS'],
    ['de', 1249.5, 'EUR', '1.249,50 €'],
    ['fr', 1249.5, 'EUR', '1 249,50 €'],
    ['ar', 1249.5, 'EUR', '\u200f1,249.50 €'],
    ['ar-EG', 1249.5, 'EUR', '\u200f١٬٢٤٩٫٥٠ €'],
    ['ja', 500, 'JPY', '￥500'],
    ['en', 12.5, '', '12.50'],
    ['en', 12.5, '€', '12.50 €'],
    ['en', Number.NaN, 'EUR', '–'],
    ['en', Number.POSITIVE_INFINITY, 'EUR', '–'],
  ] as const) {
    it(`shows ${amount} ${currency || '(no currency)'} in ${tag} as ${shown}`, () =>
      assert.equal(spaced(makeTexts(tag).money(amount, currency)), shown));
  }

  const instant = Date.UTC(2026, 10, 20, 23, 32);
  for (const [tag, timeZone, day, hour] of [
    ['en', undefined, 'Nov 20, 2026', '11:32 PM UTC'],
    ['es', undefined, '20 nov 2026', '23:32 UTC'],
    ['es', 'Europe/Madrid', '21 nov 2026', '0:32'],
    ['de', 'Europe/Berlin', '21.11.2026', '0:32'],
    ['fr', 'Europe/Paris', '21 nov. 2026', '0:32'],
    ['ja', 'Asia/Tokyo', '2026/11/21', '8:32'],
    ['ar', 'Asia/Dubai', '21/11/2026', '3:32 ص'],
    ['en', 'America/New_York', 'Nov 20, 2026', '6:32 PM'],
    ['en', 'Mars/Olympus', 'Nov 20, 2026', '11:32 PM UTC'],
    ['en', '', 'Nov 20, 2026', '11:32 PM UTC'],
  ] as const) {
    it(`shows an instant in ${tag} and the time zone ${timeZone ?? '(unknown)'} as ${day}, ${hour}`, () => {
      const t = makeTexts(tag, { timeZone });
      for (const value of [instant, new Date(instant), new Date(instant).toISOString()]) {
        assert.equal(spaced(t.date(value)), day);
        assert.equal(spaced(t.time(value)), hour);
      }
    });
  }

  it('shows a date without a time unchanged in every time zone', () => {
    for (const timeZone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago', undefined]) {
      assert.equal(makeTexts('en', { timeZone }).date('2026-12-01'), 'Dec 1, 2026');
    }
  });

  it('returns anything but an instant unchanged', () => {
    const t = makeTexts('en');
    assert.equal(t.date('soon'), 'soon');
    assert.equal(t.time('soon'), 'soon');
    assert.equal(t.date(Number.NaN), '');
    assert.equal(t.time(new Date(Number.NaN)), '');
  });

  it('shows numbers exactly and ungrouped', () => {
    assert.equal(makeTexts('en').number(2026), '2026');
    assert.equal(makeTexts('es').number(1234567.125), '1234567,125');
    assert.equal(makeTexts('en').number(1e300), '1e+300');
    assert.equal(makeTexts('en').number(Number.NaN), '–');
  });
});

describe('the texts in use', () => {
  it('are made once per language and time zone', () => {
    const textsFor = makeTextsFor();
    assert.equal(textsFor('es', 'Europe/Madrid'), textsFor('es', 'Europe/Madrid'));
    assert.notEqual(textsFor('es', 'Europe/Madrid'), textsFor('es', 'America/Bogota'));
    assert.equal(textsFor('pt'), textsFor('xx', 'Nowhere/Else'), 'what is unknown shares the fallback');
  });
});
