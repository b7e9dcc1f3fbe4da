import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TextKey, TextValues } from '../../cards/index.ts';
import { asSpoken } from '../../dialogs/language/speech.ts';
import { chatLanguages, makeTexts, messagesOf, ways } from '../../dialogs/language/texts.ts';
import { cardSamples } from '../../src/gallery/samples.ts';
import { maskEmail, maskName, maskPhoneNumber } from '../../src/platform/text/masks.ts';

// Every sentence that a caller can hear, in a file per language beside this test: after a change, run it with
// SPOKEN=write and read what is new aloud.

/** What stands in sentences, masked as it is in a chat. */
const values: TextValues = {
  agent: 'Avery',
  app: 'Payments',
  choice: 'Router',
  code: '42',
  contact: '0800 555 0147',
  count: 2,
  customer: maskName('Mei Tanaka'),
  date: '2026-12-24',
  document: 'Mandate',
  email: maskEmail('mei.tanaka@example.com'),
  example: '12.5',
  first: 'J',
  label: 'Limit',
  labels: 'Limit or Start',
  languages: 'English and Spanish',
  last: '0102',
  left: 2,
  max: 2000,
  method: 'passkeys',
  minutes: 5,
  name: maskName('Mei Tanaka'),
  next: 'Limit',
  number: '2',
  options: 'Send or Cancel',
  person: 'yes',
  phone: maskPhoneNumber('+12025550102'),
  rest: 'Sign a document',
  sender: 'Brightwater Energy',
  subject: 'Router',
  time: '10:05',
  title: 'Router',
  to: maskPhoneNumber('+12025550102'),
  until: '10:05',
  value: '1,500',
  when: '10:05',
  wish: 'Payments',
};

/**
 * What is compared with what customers say, goes by other ways, or is part of another sentence; and what is said where
 * somebody comes in from the desk, who never comes into a call.
 */
const unsaid = /^(?:phrases|manifest|brief|speech\.(?:number|email|link|numbered)$|conversation\.privately$)/;

describe('every sentence that a caller can hear', () => {
  for (const language of chatLanguages) {
    const t = makeTexts(language, { way: 'heard', timeZone: 'UTC' });
    const said = { ...values, amount: t.money(128.4, 'USD') };
    const keys = [...messagesOf(language).keys()].filter((key) => !unsaid.test(key) && !ways.some((way) => key.startsWith(`${way}.`)));
    const sentences = [
      ...keys.map((key: TextKey) => asSpoken(t(key, said), t)),
      ...cardSamples(t).map(({ message }) => asSpoken(message.speak, t)),
    ];
    const lines = [...new Set(sentences.flatMap(({ text }) => text.split('\n')))].sort();

    it(`has no address, symbol or mask in it, and nothing to click or type (${language})`, () => {
      for (const line of lines) {
        assert.doesNotMatch(line, /https?:|www\.|[●✓✕○•›‹“”„«»…|_*<>{}[\]\uE000-\uE00F]|\s–\s/, line);
        assert.doesNotMatch(line, /\b(?:type|typed|button|click|write|chat|teclee|escriba|botón|haga clic|chatee)\b/i, line);
      }
      for (const { ssml } of sentences)
        assert.match(ssml, /^<speak [^>]+>(?:<s>(?:[^<>]|<say-as [^>]+>[^<>]+<\/say-as>)+<\/s>)+<\/speak>$/);
    });

    it(`is unchanged since it was reviewed (${language})`, () => {
      const file = join(import.meta.dirname, 'spoken', `${language}.txt`);
      const now = `${lines.join('\n')}\n`.replace(/[\u00A0\u202F]/g, ' ');
      if (process.env.SPOKEN === 'write') writeFileSync(file, now);
      assert.equal(now, readFileSync(file, 'utf8'));
    });
  }
});
