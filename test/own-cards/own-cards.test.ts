/* biome-ignore-all lint/suspicious/noTemplateCurlyInString: templates have placeholders of their own */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { button, choices, enterCode, outcomeCard, waiting } from '../../cards/index.ts';
import { makeTexts } from '../../dialogs/index.ts';
import { readOwnCards } from '../../src/own-cards/own-cards.ts';
import { makeLog } from '../../src/platform/log.ts';
import { SettingsError } from '../../src/platform/settings/settings-error.ts';

const card = (...body: readonly object[]) => ({ type: 'AdaptiveCard', version: '1.3', body });
const run = (text: string) => ({ type: 'RichTextBlock', inlines: [{ type: 'TextRun', text }] });
const block = (text: string) => ({ type: 'TextBlock', text, wrap: true });

describe('cards of an operator', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'cards-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const read = (files: Readonly<Record<string, object | string>>) => {
    for (const [name, content] of Object.entries(files))
      writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content, null, 2));
    return readOwnCards(folder, makeLog('silent'));
  };
  const textsWith = (files: Readonly<Record<string, object | string>>, language = 'en') => makeTexts(language, { redraw: read(files) });
  const linesOf = (files: Readonly<Record<string, object | string>>): readonly string[] => {
    try {
      read(files);
      return [];
    } catch (fault) {
      assert.ok(fault instanceof SettingsError, String(fault));
      return fault.lines;
    }
  };
  const paid = { status: 'success', at: 0, verified: true, subject: 'Rent', actions: [] } as const;

  it('are shown in place of ours, one by one, with the words of the language', () => {
    const t = textsWith({ 'payments.success.json': card(run('${title} (${language})')) }, 'de');
    const ours = makeTexts('de');
    const { card: theirs, text } = outcomeCard('payments', paid, t);
    assert.deepEqual(theirs.body, [run(`${ours('cards.payments.success.title')} (de)`)]);
    assert.equal(text, outcomeCard('payments', paid, ours).text);
    assert.deepEqual(
      outcomeCard('payments', { ...paid, status: 'timeout' }, t),
      outcomeCard('payments', { ...paid, status: 'timeout' }, ours),
    );
  });

  it('repeat a part for each item, and leave it out if there is none', () => {
    const facts = { ...run('${label}: ${value}'), $data: '${facts}' };
    const code = { ...run('${codeLabel} ${code}'), $when: "${code != ''}" };
    const t = textsWith({ 'payments.waiting.json': card(facts, code) });
    const request = {
      app: 'payments',
      to: '+1',
      progress: {},
      about: { subject: 'Rent', price: { amount: 5, currency: 'USD' } },
      actions: [],
    } as const;
    assert.deepEqual(waiting(request, t).card.body, [run('Product: Rent'), run('Amount: $5.00')]);
    assert.equal(waiting({ ...request, code: '47' }, t).card.body.length, 3);
  });

  it('keep the buttons of the conversation', () => {
    const t = textsWith({ 'payments.failure.json': card(run('${text}')) });
    const actions = [button('again', 'act-again', t)];
    const { actions: shown } = outcomeCard('payments', { ...paid, status: 'failure', actions }, t).card;
    assert.deepEqual(
      shown?.map(({ title }) => title),
      ['Try again'],
    );
  });

  it('carry inputs, and choices that can be pressed', () => {
    const tile = { type: 'Container', items: [run('${title}')], selectAction: '${press}', $data: '${choices}' };
    const t = textsWith({ 'one-time-passcode.enter.json': card({ type: 'Container', items: '${inputs}' }), 'choices.json': card(tile) });
    assert.match(JSON.stringify(enterCode({ phone: '+1', actions: [] }, t).card.body), /"type":"Input.Text","id":"code"/);
    const { card: shown } = choices({ question: 'Which?', choices: [{ action: { title: 'Rent', id: 'a1' } }] }, t);
    assert.match(JSON.stringify(shown.body), /"selectAction":\{"type":"Action.Submit","title":"Rent","data":\{"action":"a1"\}\}/);
  });

  it('show untrusted text as it is, wherever it is put', () => {
    const t = textsWith({
      'e-form.timeout.json': card({ ...block('${value}'), $data: '${facts}' }, { ...run('${value}'), $data: '${facts}' }),
    });
    const subject = '[Win](https://evil.example) ${title} **now**';
    const [written, plain] = outcomeCard('e-form', { ...paid, status: 'timeout', subject }, t).card.body as unknown as [
      { text: string },
      object,
    ];
    assert.deepEqual(plain, run(subject));
    assert.doesNotMatch(written.text, /\[Win\]\(|\*\*now/);
  });

  for (const [what, files, lines] of [
    [
      'a name of no kind',
      { 'payment.success.json': card() },
      ['payment.success.json: is named after no kind of card; did you mean payments.success?'],
    ],
    ['what is no JSON', { 'menu.json': '{\n "type": AdaptiveCard }' }, ['menu.json: line 2: is no JSON here (invalid symbol).']],
    [
      'what is no card',
      { 'record.json': { body: [] } },
      ['record.json: line 1: must be an Adaptive Card: "type": "AdaptiveCard" and a list of elements as "body".'],
    ],
    [
      'buttons of its own',
      { 'record.json': { ...card(run('${text}')), actions: [] } },
      ['record.json: line 15: must have no "actions": the conversation puts its buttons below the body.'],
    ],
    [
      'something that its card does not show',
      { 'record.json': card(run('${text} ${amount}')) },
      ['record.json: line 10: ${amount} is nothing that this card shows: it has language, direction, asked, text.'],
    ],
    [
      'a regular expression, which a customer’s words could keep busy',
      { 'record.json': card(run("${if(isMatch(text, '^(a+)+$'), text, '')}")) },
      ['record.json: line 10: must not use isMatch: compare with ==, contains, startsWith or endsWith.'],
    ],
    [
      'an expression that cannot be read',
      { 'record.json': card(run('${text')) },
      ['record.json: line 10: has an expression that cannot be read: ${text.'],
    ],
    [
      'an expression that is none',
      { 'record.json': card(run('${text +}')) },
      ['record.json: line 10: has an expression that cannot be read: ${text +}.'],
    ],
    [
      'an input that is left out',
      { 'one-time-passcode.enter.json': card(run('${title}')) },
      ['one-time-passcode.enter.json: line 1: must put onto the card every one of its "inputs".'],
    ],
    [
      'choices that cannot be pressed',
      { 'menu.json': card({ ...run('${title}'), $data: '${choices}' }) },
      ['menu.json: line 1: must put onto the card the "press" of every choice, as a selectAction.'],
    ],
  ] as const)
    it(`are refused for ${what}, with file and line`, () =>
      assert.deepEqual(
        linesOf(files as Record<string, object | string>),
        lines.map((line) => `CARDS_DIR: ${line}`),
      ));

  it('are refused with every mistake in every file', () =>
    assert.equal(linesOf({ 'record.json': card(run('${a} ${b}')), 'other.json': card(), 'menu.json': '' }).length, 4));
});
