import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type ChatLanguage, chatLanguages, makeTexts } from '../../dialogs/language/texts.ts';
import { listedIn } from '../../dialogs/language/words.ts';
import { type AppId, appIds } from '../../src/contract/index.ts';
import { type ConversationUnderTest, startConversation } from '../support/conversation-under-test.ts';
import { flowOf, flowsOf } from '../support/flows.ts';
import { itFurther } from '../support/tier.ts';

/** Everything that would start an app: its identifier, its names, and the words that people use for it. */
const wordings = (app: AppId, language: ChatLanguage): string[] => {
  const t = makeTexts(language);
  return [app, t(`apps.${app}.name`), t(`menu.titles.${app}`), ...listedIn(t, `phrases.apps.${app}`)];
};

const swapped = (text: string, at: number) => text.slice(0, at) + (text[at + 1] ?? '') + (text[at] ?? '') + text.slice(at + 2);
/** The mistakes that the bot forgives, at a place in the text. */
const mistakes: readonly ((text: string, at: number) => string)[] = [
  (text) => text,
  swapped,
  (text, at) => text.slice(0, at) + text.slice(at + 1),
  (text, at) => text.slice(0, at) + (text[at] ?? '') + text.slice(at),
  (text, at) => `${text.slice(0, at)}x${text.slice(at + 1)}`,
];
const around: Readonly<Record<ChatLanguage, readonly ((words: string) => string)[]>> = {
  en: [
    (words) => words,
    (words) => `I want to ${words} please`,
    (words) => `${words}, and then pay my bill`,
    (words) => words.toUpperCase(),
  ],
  de: [(words) => words, (words) => `Ich möchte ${words}, bitte`, (words) => `${words} und dann meine Rechnung bezahlen`],
  es: [(words) => words, (words) => `Quiero ${words}, por favor`, (words) => `${words} y luego pagar mi factura`],
  fr: [(words) => words, (words) => `Je voudrais ${words} s’il vous plaît`],
  ar: [(words) => words, (words) => `أريد ${words} من فضلك`],
  ja: [(words) => words, (words) => `${words}をお願いします`],
};

/** The answers that send a payment, up to the given one. */
const paying = async (chat: ConversationUnderTest, answers = 3) => {
  await chat.say(...['payments', '+12025550102', '1'].slice(0, answers));
};

const failed = async (chat: ConversationUnderTest) => {
  const interaction = chat.sent.at(-1);
  assert.ok(interaction, chat.said.at(-1)?.text);
  const outcome = { status: 'failure', by: 'service', at: chat.now };
  await chat.hears({ kind: 'outcome', interaction: { ...interaction, state: 'decided', outcome } as never });
};

/** Where a chat may stand when the words come. Each leads there from the first words on. */
const states: Readonly<Record<string, (chat: ConversationUnderTest) => Promise<unknown>>> = {
  'before the first words': async () => {},
  'at the menu': (chat) => chat.say('menu'),
  'at the number of another app': (chat) => paying(chat, 1),
  'at the name of another app': (chat) => paying(chat, 2),
  'at the choice of another app': (chat) => paying(chat, 3),
  'before another app is sent': (chat) => paying(chat, 4),
  'while another app waits': (chat) => paying(chat),
  'after another app has failed': async (chat) => {
    await paying(chat);
    await failed(chat);
  },
  'at a question of a flow': (chat) => chat.say('trial'),
};

const dialogsOf = (chat: ConversationUnderTest) =>
  ((chat.state as { dialogs?: { dialogStack?: { id: string }[] } }).dialogs?.dialogStack ?? []).map(({ id }) => id);

describe('a hidden app', function () {
  this.timeout(60_000);
  const trial = flowsOf({
    trial: flowOf('- ask: choice\n  as: why\n  text: Why?\n  choices: [{ value: a, title: One }, { value: b, title: Two }]'),
  });
  const chatWithout = (hidden: readonly AppId[], language: string) => {
    const chat = startConversation({ hidden, flows: trial });
    chat.locale = language;
    return chat;
  };

  const isBegunByNoWords = async (numRuns: number) => {
    const cases = fc
      .record({
        app: fc.constantFrom<AppId>(...appIds.filter((app) => app !== 'payments')),
        language: fc.constantFrom<ChatLanguage>(...chatLanguages),
        state: fc.constantFrom(...Object.keys(states)),
      })
      .chain((one) =>
        fc.record({
          ...{ app: fc.constant(one.app), language: fc.constant(one.language), state: fc.constant(one.state) },
          words: fc.constantFrom(...wordings(one.app, one.language)),
          frame: fc.constantFrom(...around[one.language]),
          mistake: fc.constantFrom(...mistakes),
          at: fc.nat(30),
        }),
      );
    await fc.assert(
      fc.asyncProperty(cases, async ({ app, at, frame, language, mistake, state, words }) => {
        const said = frame(mistake(words, Math.min(at, words.length - 1)));
        const chat = chatWithout([app], language);
        await states[state]?.(chat);
        await chat.say(said);
        // Whatever comes next is offered without it too.
        for (const answer of ['1', '1', '1']) {
          assert.ok(!dialogsOf(chat).includes(app), `${said} (${language}, ${state})`);
          await chat.say(answer);
        }
        assert.deepEqual(
          chat.sent.filter((one) => one.app === app),
          [],
          `${said} (${language}, ${state})`,
        );
      }),
      { numRuns, verbose: 1 },
    );
  };
  it('is begun by no words, in no language, wherever the chat stands', () => isBegunByNoWords(60));
  itFurther('is begun by no words, in more runs', () => isBegunByNoWords(150));

  for (const language of chatLanguages)
    it(`is on no menu, whose numbers begin only the others: ${language}`, async () => {
      for (const app of appIds) {
        const title = makeTexts(language)(`menu.titles.${app}`);
        const menu = await chatWithout([app], language).say('menu');
        assert.ok(!menu.includes(title), `${title} in ${menu}`);
        for (let number = 1; number <= 8; number += 1) {
          const chat = chatWithout([app], language);
          await chat.say('menu', String(number));
          assert.ok(!dialogsOf(chat).includes(app), `${app} ${number}`);
        }
      }
    });

  it('is not begun by a button, a wish or a question from before it was hidden', async () => {
    const before = startConversation();
    await before.say('menu');
    const after = startConversation({ hidden: ['e-form'] });
    Object.assign(after, { state: before.state });
    after.said.push(...before.said);
    await after.press('Fill in a form');
    assert.ok(!dialogsOf(after).includes('e-form'));

    const wished = startConversation();
    await wished.say('pay my bill and then fill in a form');
    const later = startConversation({ hidden: ['e-form'] });
    later.state = wished.state;
    await later.say('cancel', 'yes');
    assert.ok(!dialogsOf(later).includes('e-form'));

    const asked = startConversation();
    await asked.say('fill in a form', '+12025550102', 'Feedback');
    const confirmed = startConversation({ hidden: ['e-form'] });
    confirmed.state = asked.state;
    await confirmed.say('send');
    assert.deepEqual(confirmed.sent, []);
    assert.deepEqual(dialogsOf(confirmed), ['menu']);
  });

  it('is not promised while another is waited for', async () => {
    const chat = chatWithout(['e-form'], 'en');
    await states['while another app waits']?.(chat);
    assert.doesNotMatch(await chat.say('fill in a form'), /form/i);
  });

  it('is not what another app leads to', async () => {
    const chat = chatWithout(['one-time-passcode'], 'en');
    await chat.say('passkeys', '+12025550102', 'send');
    await failed(chat);
    await chat.press('Menu');
    assert.deepEqual(dialogsOf(chat), ['menu']);
    chat.found = { ...chat.found, customers: [{ ...chat.found.customers[0], email: '' }] as never };
    await chat.say('passkeys', '+12025550102');
    assert.ok(!/code/i.test(chat.said.at(-1)?.text ?? ''), chat.said.at(-1)?.text);
  });

  it('is begun by a flow', async () => {
    const form = '6f1c0000-0000-4000-8000-000000000003';
    const flows = flowsOf({ trial: flowOf(`- e-form: { form: ${form} }\n  else: end`) });
    const chat = startConversation({ hidden: ['e-form'], flows });
    chat.callerNumber = '+12025550102';
    await chat.say('trial', 'yes', 'send');
    assert.deepEqual(
      chat.sent.map(({ app }) => app),
      ['e-form'],
    );
  });

  it('leaves a menu even if it is the last', async () => {
    const chat = startConversation({ hidden: appIds });
    assert.match(await chat.say('menu'), /person/);
  });
});
