import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeTexts, messagesOf } from '../../../dialogs/index.ts';
import { manifestOf } from '../../../src/compose/commands/manifest.ts';
import { countOf, readOwnTexts } from '../../../src/compose/settings/own-texts.ts';
import { SettingsError } from '../../../src/platform/settings/settings-error.ts';
import { textsWith } from '../../../src/web/texts.ts';

describe('texts of an operator', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'texts-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const written = (files: Readonly<Record<string, object | string>>) => {
    for (const [name, content] of Object.entries(files))
      writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content, null, 2));
    return readOwnTexts(folder);
  };

  const linesOf = (files: Readonly<Record<string, object | string>>): readonly string[] => {
    try {
      written(files);
      return [];
    } catch (fault) {
      assert.ok(fault instanceof SettingsError, String(fault));
      return fault.lines;
    }
  };

  it('replace ours in their language only', () => {
    const { chat } = written({ 'de.json': { cards: { menu: { title: 'Womit fangen wir an?' } } } });
    const t = makeTexts('de-AT', { own: chat });
    assert.equal(t('cards.menu.title'), 'Womit fangen wir an?');
    assert.equal(t('cards.menu.text'), makeTexts('de')('cards.menu.text'));
    assert.equal(makeTexts('en', { own: chat })('cards.menu.title'), makeTexts('en')('cards.menu.title'));
  });

  it('leave our texts for text messages and calls unchanged, unless they replace those too', () => {
    const { chat } = written({ 'en.json': { cards: { menu: { text: 'Pick one.' } }, heard: { cards: { menu: { text: 'Say one.' } } } } });
    const said = (way?: 'brief' | 'heard') => makeTexts('en', { own: chat, way })('cards.menu.text');
    assert.deepEqual(
      [said(), said('heard'), said('brief')],
      ['Pick one.', 'Say one.', messagesOf('en').get('brief.cards.menu.text' as never)],
    );
  });

  it('take the same placeholders as ours, by the grammar of the language', () => {
    const tries = '{count, plural, one {One try} other {# tries}} to go';
    const { chat } = written({ 'en.json': { cards: { 'one-time-passcode': { enter: { tries } } } } });
    const t = makeTexts('en', { own: chat });
    assert.deepEqual(
      [1, 4].map((count) => t('cards.one-time-passcode.enter.tries', { count })),
      ['One try to go', '4 tries to go'],
    );
  });

  it('may be for the page around the chat, too', () => {
    const words = written({ 'page.fr.json': { trust: 'Chat privé.' } });
    const texts = textsWith(words.page);
    assert.equal(texts.fr.trust, 'Chat privé.');
    assert.equal(texts.fr.skip, textsWith({}).fr.skip);
    assert.equal(countOf(words), 1);
  });

  it('name the apps in Teams as in the chat', () => {
    const { chat } = written({ 'en.json': { menu: { titles: { payments: 'Pay a bill' } } } });
    const titles = manifestOf({ appId: '', host: '', texts: chat }).bots[0]?.commandLists[0]?.commands.map(({ title }) => title);
    assert.ok(titles?.includes('Pay a bill'));
  });

  it('are not read from hidden files', () => {
    assert.equal(countOf(written({ '.note.txt': 'Not for the bot.' })), 0);
  });

  for (const [what, files, lines] of [
    [
      'a text that there is not',
      { 'de.json': { cards: { menu: { titel: 'Was?' } } } },
      ['de.json: line 4: cards.menu.titel is no text of ours; did you mean cards.menu.title?'],
    ],
    ['a group in a text’s place', { 'de.json': { cards: { menu: 'Was?' } } }, ['de.json: line 3: cards.menu is a group of texts']],
    [
      'a text in a group’s place',
      { 'en.json': { cards: { yes: { no: 'Yes' } } } },
      ['en.json: line 4: cards.yes.no is no text of ours; did you mean cards.yes?'],
    ],
    ['a number', { 'en.json': { cards: { yes: 1 } } }, ['en.json: line 3: cards.yes must be a text']],
    ['nothing', { 'en.json': { cards: { yes: ' ' } } }, ['en.json: line 3: cards.yes must not be empty']],
    [
      'a placeholder that is gone, and one that nobody fills in',
      { 'en.json': { cards: { when: '{date}, at {hour}' } } },
      [
        'en.json: line 3: cards.when must have {time}, as our text has',
        'en.json: line 3: cards.when has {hour}, which nobody fills in: this text has {date}, {time}',
      ],
    ],
    [
      'plural forms that the language has',
      { 'ar.json': { cards: { 'one-time-passcode': { enter: { tries: '{count, plural, one {محاولة} other {#}}' } } } } },
      ['zero', 'two', 'few', 'many'].map(
        (form) => `ar.json: line 5: cards.one-time-passcode.enter.tries lacks ${form} among its plural forms, by the grammar of ar`,
      ),
    ],
    [
      'a brace that is left open',
      { 'en.json': { cards: { yes: 'Yes {' } } },
      ['en.json: line 3: cards.yes is no ICU message (EXPECT_ARGUMENT_CLOSING_BRACE)'],
    ],
    [
      'a mark that the page needs',
      { 'page.en.json': { notSent: 'Not sent.' } },
      ['page.en.json: line 2: notSent must have [RETRY], as our text has'],
    ],
    ['what is no JSON', { 'en.json': '{\n  "cards": {\n    "yes": Yes\n  }\n}' }, ['en.json: line 3: is no JSON here (invalid symbol)']],
    ['a comma at the end', { 'en.json': '{ "cards": { "yes": "Yes" },\n}' }, ['en.json: line 2: is no JSON here (property name expected)']],
    ['a key that stands twice', { 'en.json': '{\n"cards": {},\n"cards": {} }' }, ['en.json: line 3: has cards a second time']],
    ['a list', { 'en.json': '["Yes"]' }, ['en.json: line 1: must hold texts by their names, as ours do']],
    ['an empty file', { 'en.json': '' }, ['en.json: line 1: is no JSON here (value expected)']],
    [
      'a language that the bot does not speak',
      { 'pt.json': {} },
      ['pt.json: pt is no language that the bot speaks: en, de, es, fr, ar, ja'],
    ],
    ['another file', { 'en.yaml': 'cards:' }, ['en.yaml: is no file of texts: those are called de.json, or page.de.json']],
  ] as const) {
    it(`are refused for ${what}, with file and line`, () =>
      assert.deepEqual(
        linesOf(files as Record<string, object | string>),
        lines.map((line) => `TEXTS_DIR: ${line}${line.endsWith('?') ? '' : '.'}`),
      ));
  }

  it('are refused with every mistake in every file', () => {
    const lines = linesOf({ 'en.json': { nothing: 'x', cards: { yes: '' } }, 'de.json': { nothing: 'x' }, 'pt.json': {} });
    for (const mistake of ['de.json: line 2: nothing ', 'en.json: line 2: nothing ', 'en.json: line 4: cards.yes ', 'pt.json: '])
      assert.equal(lines.filter((line) => line.startsWith(`TEXTS_DIR: ${mistake}`)).length, 1, `${mistake}\n${lines.join('\n')}`);
    assert.equal(lines.length, 4);
  });

  it('are refused if the folder does not exist', () => {
    assert.throws(
      () => readOwnTexts(join(folder, 'none')),
      (fault) => fault instanceof SettingsError && /^TEXTS_DIR: the folder .+ cannot be read\.$/.test(fault.message),
    );
  });
});
