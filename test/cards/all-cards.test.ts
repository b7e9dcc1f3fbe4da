import assert from 'node:assert/strict';
import { IntlMessageFormat } from 'intl-messageformat';
import type { TextKey, Texts, TextValues } from '../../cards/index.ts';
import { chatLanguages, makeTexts, messagesOf } from '../../dialogs/language/texts.ts';
import { appIds } from '../../src/contract/index.ts';
import { cardSamples } from '../../src/gallery/samples.ts';
import { elementsOf, nodesOf, stringsOf } from '../support/card-text.ts';

const spoiled = /undefined|\bnull\b|NaN|\[object|Invalid Date|[{}]|(?:cards|apps)\.[a-z]/;

/** Texts that note the keys that were asked for, and insist on every value. */
const listening = (t: Texts, heard: Set<string>): Texts =>
  Object.assign((key: TextKey, values?: TextValues) => {
    heard.add(key);
    const wanted = new IntlMessageFormat(messagesOf('en').get(key) ?? '', 'en', undefined, { ignoreTag: true });
    // The library itself insists: makeTexts is what makes it lenient.
    // Who can be reached is the same in every message of a bot, so the texts know it themselves.
    wanted.format({ person: 'yes', ...values });
    return t(key, values);
  }, t);

/** Changes all that can be changed of a part of a card. */
const spoil = (part: object) => {
  for (const key of Object.keys(part)) {
    const inner: unknown = Reflect.get(part, key);
    if (!Array.isArray(inner)) Reflect.set(part, key, 'spoiled');
    else if (!Object.isFrozen(inner)) inner.length = 0;
  }
};

describe('every card', () => {
  for (const language of chatLanguages) {
    const samples = cardSamples(makeTexts(language, { timeZone: 'UTC' }));

    it(`says what it means in ${language}, for a host that knows its version`, () => {
      for (const { name, message } of samples) {
        const { card, text } = message;
        for (const said of [...stringsOf(card), text]) {
          assert.notEqual(said.trim(), '', name);
          assert.doesNotMatch(said, spoiled, name);
        }
        assert.ok(card.fallbackText.length > 0, name);
        const hasInputs = nodesOf(card).some((node) => String(node.type).startsWith('Input.'));
        assert.equal(card.version, hasInputs ? '1.3' : '1.2', name);
      }
    });

    it(`says the same in plain text in ${language}, buttons and links included`, () => {
      const t = makeTexts(language);
      const appNames = appIds.map((app) => t(`apps.${app}.name`));
      for (const { name, message } of samples) {
        const { card, text } = message;
        const words = text.replace(/\s+/g, ' ');
        for (const { title, url } of elementsOf(card, 'Action.OpenUrl')) assert.ok(words.includes(`${title}: ${url}`), name);
        for (const { title } of card.actions ?? []) assert.ok(words.includes(title), `${title} of ${name}`);
        for (const run of elementsOf(card, 'TextRun').map((one) => one.text.replace(/\s+/g, ' ').trim())) {
          // The name of the app stands above what already names it; marks and numbers are layout; the text lists all of
          // a menu, and its answers follow words of its own.
          if (run.length < 3 || [...appNames, t('cards.menu.more'), t('cards.waiting.missing')].includes(run)) continue;
          assert.ok(words.includes(run), `${name}: ${JSON.stringify(run)} is not in the text`);
        }
      }
    });

    it(`puts one button first in ${language}, if any`, () => {
      for (const { name, message } of samples) {
        const first = elementsOf(message.card, 'Action.Submit').filter(({ style }) => style === 'positive');
        assert.ok(first.length <= 1, name);
      }
    });

    it(`answers in ${language} with opaque ids alone, each button once`, () => {
      for (const { name, message } of samples) {
        const submits = elementsOf(message.card, 'Action.Submit');
        for (const { data } of submits) assert.deepEqual(Object.keys(data), ['action'], name);
        const ids = submits.map(({ data }) => data.action);
        assert.equal(new Set(ids).size, ids.length, name);
      }
    });
  }

  it('is the same the next time, whatever happened to the one before', () => {
    const t = makeTexts('en', { timeZone: 'UTC' });
    const made = () => cardSamples(t).map(({ name, message }) => ({ name, json: JSON.stringify(message) }));
    const before = made();
    for (const { message } of cardSamples(t)) for (const node of nodesOf(message.card)) spoil(node);
    for (const [index, { name, json }] of made().entries()) assert.equal(json, before[index]?.json, name);
  });

  it('together use every text there is for cards and apps, with all of its values', () => {
    const heard = new Set<string>();
    cardSamples(listening(makeTexts('en'), heard));
    const theirs = [...messagesOf('en').keys()].filter((key) => /^(?:cards|apps)\./.test(key));
    // Shared buttons that only dialogs show so far.
    const unheard = theirs.filter((key) => !heard.has(key) && !key.startsWith('cards.buttons.'));
    assert.deepEqual(unheard, []);
  });

  it('fits into a message: at most 28 KB as JSON, the limit of Teams', () => {
    for (const { name, message } of cardSamples(makeTexts('es'))) assert.ok(JSON.stringify(message).length < 28_000, name);
  });
});
