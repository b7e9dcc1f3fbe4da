// What a customer says in a language, and what is understood: a table for each language in test/dialogs/spoken.
import assert from 'node:assert/strict';
import { readAmount, readDate, readNumber } from '../../dialogs/language/readings.ts';
import { appIn, type ChatCommand, commandIn, pickedBy, type Remark, remarkIn, wishesIn } from '../../dialogs/language/recogniser.ts';
import { type ChatLanguage, makeTexts, makeTextsFor } from '../../dialogs/language/texts.ts';
import { phrasesOf } from '../../dialogs/language/words.ts';
import { languageAskedFor } from '../../dialogs/turn/language.ts';
import type { AppId } from '../../src/contract/index.ts';

type Said<What> = readonly (readonly [string, What])[];

export interface Spoken {
  readonly wishes: Said<AppId | undefined>;
  /** More than one wish in a sentence. */
  readonly several: Said<readonly AppId[]>;
  readonly commands: Said<ChatCommand | undefined>;
  readonly remarks: Said<Remark | undefined>;
  /** Yes, no, “that is somebody else”, or none of them. */
  readonly answers: Said<'yes' | 'no' | 'notMe' | undefined>;
  /** Which of three, from 1. */
  readonly places: Said<number | undefined>;
  readonly numbers: Said<readonly string[]>;
  /** With the currency that is asked for. */
  readonly amounts: readonly (readonly [string, string, readonly string[]])[];
  /** Seen from 20 November 2026. */
  readonly dates: Said<readonly string[]>;
  /** Asks for a language by name. */
  readonly languages: Said<string | undefined>;
}

const shown = (value: unknown) => (value === undefined ? 'nothing' : JSON.stringify(value));

/** Tests a language by its table. @param locale of its numbers and dates */
export const understands = (language: ChatLanguage, spoken: Spoken, locale: string = language): void => {
  const t = makeTexts(language);
  const textsFor = makeTextsFor();
  const answers = [
    { title: t('cards.yes'), name: 'yes', phrases: phrasesOf(t, 'phrases.yes') },
    { title: t('cards.no'), name: 'no', phrases: phrasesOf(t, 'phrases.no') },
    { title: t('customer.another'), name: 'notMe', phrases: phrasesOf(t, 'phrases.notMe') },
  ] as const;
  const list = ['Apfel', 'Birne', 'Kirsche'].map((title, index) => ({ title, place: index + 1 }));
  const each = <What>(kind: string, table: Said<What>, read: (typed: string) => What) => {
    for (const [typed, what] of table) it(`takes “${typed}” for ${kind}: ${shown(what)}`, () => assert.deepEqual(read(typed), what));
  };
  describe(`what is said in ${language}`, () => {
    each('a wish', spoken.wishes, (typed) => appIn(typed, t));
    each('wishes', spoken.several, (typed) => wishesIn(typed, t).map(({ app }) => app));
    each('a command', spoken.commands, (typed) => commandIn(typed, t));
    each('a remark', spoken.remarks, (typed) => remarkIn(typed, t));
    each('an answer', spoken.answers, (typed) => pickedBy(typed, { choices: answers }, t)?.name);
    each('a place', spoken.places, (typed) => pickedBy(typed, { choices: list, numbered: 3 }, t)?.place);
    each('a number', spoken.numbers, (typed) => readNumber(typed, locale));
    for (const [typed, currency, readings] of spoken.amounts)
      it(`takes “${typed}” for ${currency} ${shown(readings)}`, () => assert.deepEqual(readAmount(typed, locale, currency), readings));
    each('a day', spoken.dates, (typed) => readDate(typed, locale, '2026-11-20'));
    each('a language', spoken.languages, (typed) => languageAskedFor(typed, textsFor));

    it('starts what its own menu and buttons say', () => {
      for (const app of ['passkeys', 'one-time-passcode', 'document-signature', 'payments', 'e-form'] as const)
        for (const title of [t(`menu.titles.${app}`), t(`apps.${app}.name`)]) assert.equal(appIn(title, t), app, title);
      for (const [button, command] of [
        ['status', 'status'],
        ['resend', 'resend'],
        ['cancel', 'cancel'],
        ['help', 'help'],
        ['menu', 'restart'],
        ['startOver', 'restart'],
        ['person', 'agent'],
      ] as const)
        assert.equal(commandIn(t(`cards.buttons.${button}`), t), command, t(`cards.buttons.${button}`));
    });

    it('is not taken for its opposite', () => {
      const listed = answers.flatMap(({ phrases }) => [...new Set(phrases)]);
      assert.deepEqual(
        listed.filter((phrase, index) => listed.indexOf(phrase) !== index),
        [],
      );
    });

    it('understands every word that its own texts tell customers to say', () => {
      const quoted = /[“«„「]\s?([^“”«»„「」{}]+?)\s?[”»“」]/gu;
      const told = (
        ['menu.notUnderstood', 'question.wayOut', 'help.question', 'help.waiting', 'passcode.help', 'remarks.identity'] as const
      )
        .flatMap((key) => [...t(key, { app: 'x', to: 'y', person: 'yes' }).matchAll(quoted)])
        .map(([, word = '']) => word);
      assert.ok(told.length >= 8, told.join(', '));
      for (const word of told) assert.ok(commandIn(word, t) ?? appIn(word, t), word);
    });
  });
};
