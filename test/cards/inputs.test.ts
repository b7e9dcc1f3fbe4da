import assert from 'node:assert/strict';
import type { CardInput } from '../../cards/card.ts';
import { type Card, codeInput, documentVariables, enterCode, readVariables, type VariableEntry } from '../../cards/index.ts';
import { chatLanguages, makeTexts } from '../../dialogs/language/texts.ts';
import { nodesOf } from '../support/card-text.ts';

const t = makeTexts('en');
const next = { title: 'Continue', id: 'n' };
const cancel = { title: 'Cancel', id: 'c' };

const inputsOf = (card: Card) => nodesOf(card).filter((node) => String(node.type).startsWith('Input.')) as unknown as CardInput[];
const variablesCard = (entry: Partial<VariableEntry>) =>
  documentVariables({ document: 'Rental agreement', variables: [], next, actions: [cancel], ...entry }, t);
const only = (type: string, entry: Partial<VariableEntry> = {}, required = true) => {
  const input = inputsOf(variablesCard({ variables: [{ name: 'the_value', type, required }], ...entry }).card)[0];
  assert.ok(input);
  return input;
};

describe('the inputs of a document', () => {
  for (const [type, input] of [
    ['text', 'Input.Text'],
    ['number', 'Input.Text'],
    ['currency', 'Input.Text'],
    ['date', 'Input.Date'],
    ['boolean', 'Input.Toggle'],
    ['choice', 'Input.Text'],
    ['something-new', 'Input.Text'],
    ['', 'Input.Text'],
    ['constructor', 'Input.Text'],
  ] as const) {
    it(`take ${type || '(no type)'} as ${input}`, () => {
      const { type: made, label } = only(type);
      assert.equal(made, input);
      assert.equal(label, 'The value');
    });
  }

  it('offer the values of a choice if they are known', () => {
    const variables = [{ name: 'the_value', type: 'choice', required: true, choices: ['gas', 'none'] }];
    const input = only('choice', { variables, values: { the_value: 'none' } });
    assert.ok(input.type === 'Input.ChoiceSet');
    assert.deepEqual(input.choices, [
      { title: 'gas', value: 'gas' },
      { title: 'none', value: 'none' },
    ]);
    assert.equal(input.value, 'none');
  });

  it('say which are required, but never of a toggle', () => {
    assert.equal(only('text').isRequired, true);
    assert.ok(only('text').errorMessage);
    assert.equal(only('text', {}, false).isRequired, undefined);
    assert.equal(only('boolean').isRequired, undefined);
    assert.match(variablesCard({ variables: [{ name: 'a', type: 'text', required: false }] }).text, /– A \(optional\)/);
  });

  for (const [type, value, kept] of [
    ['text', 'Jane', 'Jane'],
    ['number', '12.5', '12.5'],
    ['number', '1.500', '1.500'],
    ['number', 'a lot', 'a lot'],
    ['date', '2026-12-01', '2026-12-01'],
    ['date', 'soon', undefined],
    ['boolean', 'true', 'true'],
    ['boolean', 'maybe', 'false'],
  ] as const) {
    it(`keep ${JSON.stringify(value)} of a ${type} ${kept === undefined ? 'out of an input that cannot hold it' : ''}`, () =>
      assert.equal(only(type, { values: { the_value: value } }).value, kept));
  }

  it('suit what is asked: a count that can be whole, and a yes or no of two choices beside each other', () => {
    const number = only('number');
    assert.equal('placeholder' in number && number.placeholder, '12');
    const optional = only('boolean', {}, false);
    assert.ok(optional.type === 'Input.ChoiceSet');
    assert.deepEqual(
      [optional.style, optional.choices.map(({ title }) => title), optional.placeholder],
      ['expanded', ['Yes', 'No'], undefined],
    );
    assert.equal(only('boolean').type, 'Input.Toggle');
  });

  it('say under each one what was wrong with it', () => {
    const { card, text } = variablesCard({
      variables: [
        { name: 'start', type: 'date', required: true },
        { name: 'end', type: 'date', required: true },
      ],
      faults: { start: 'date' },
    });
    assert.match(text, /– Start: Please enter a date, for example Dec 24, 2026\./);
    assert.match(text, /– End \(a date, for example Dec 24, 2026\)$/m);
    const types = card.body.map(({ type }) => type);
    assert.deepEqual(types.slice(-3), ['Input.Date', 'ColumnSet', 'Input.Date']);
  });

  it('are read back by name, whatever the names are', () => {
    const variables = ['action', '__proto__', 'constructor', 'full_name', 'pets', 'empty', 'missing'].map((name) => ({
      name,
      type: 'text',
      required: true,
    }));
    const { card } = variablesCard({ variables });
    const submitted: Record<string, unknown> = Object.fromEntries(inputsOf(card).map(({ id }) => [id, ' x ']));
    assert.ok(!Object.hasOwn(submitted, 'action'), 'no variable takes the place of the action');
    delete submitted['variable:missing'];
    const value = { ...submitted, 'variable:pets': true, 'variable:empty': ' ', 'variable:foreign': 'y', action: 'n' };
    const read = readVariables(value, variables);
    assert.deepEqual(Object.keys(read).sort(), ['__proto__', 'action', 'constructor', 'full_name', 'pets']);
    assert.equal(read.pets, 'true');
    assert.equal(read.full_name, 'x');
  });

  for (const value of [undefined, null, 'text', 7, [], { 'variable:a': { b: 1 } }]) {
    it(`read nothing from ${JSON.stringify(value)}`, () =>
      assert.deepEqual(readVariables(value, [{ name: 'a', type: 'text', required: true }]), {}));
  }

  it('are not asked for by the buttons that do without', () => {
    const { card } = variablesCard({ variables: [{ name: 'a', type: 'text', required: true }] });
    assert.deepEqual(
      (card.actions ?? []).map((action) => [action.title, 'associatedInputs' in action ? action.associatedInputs : undefined]),
      [
        ['Continue', undefined],
        ['Cancel', 'none'],
      ],
    );
  });
});

describe('the card for a code', () => {
  const card = (more: Partial<Parameters<typeof enterCode>[0]>) =>
    enterCode({ phone: '+1•••0101', check: next, actions: [cancel], ...more }, t);

  it('takes any six characters, with room for the spaces that a pasted code may have', () => {
    const [input] = inputsOf(card({}).card);
    assert.ok(input?.type === 'Input.Text');
    assert.equal(input.id, codeInput);
    assert.equal(input.maxLength, 20);
    // No keyboard and no pattern of digits: a code may have letters.
    assert.equal('style' in input || 'regex' in input, false);
    assert.equal(input.isRequired, true);
  });

  for (const language of chatLanguages)
    it(`asks for it before it names the number to compare, which is no heading (${language})`, () => {
      const words = makeTexts(language);
      const { body } = enterCode({ phone: '+1•••0101', compare: '78', triesLeft: 5, check: next, actions: [cancel] }, words).card;
      const [at, compared] = [/"id":"code"/, /78/].map((part) => body.findIndex((element) => part.test(JSON.stringify(element))));
      assert.ok(at !== undefined && compared !== undefined && at > 0 && at < compared, JSON.stringify(body));
      assert.match(JSON.stringify(body[compared]), /"size":"Small"[^}]*"isSubtle":true/);
      const [field] = inputsOf({ body } as unknown as Card);
      assert.match(field?.label ?? '', /6/);
      assert.doesNotMatch(JSON.stringify(body), /placeholder|"78"/);
      assert.ok(!JSON.stringify(body).includes(words('apps.one-time-passcode.name')), 'one name on the card');
    });

  it('says what was wrong and how many tries are left', () => {
    assert.match(card({ because: 'wrong', triesLeft: 2 }).text, /^That is not the right code\.\n.*\n2 tries left$/m);
    assert.match(card({ because: 'wrong', triesLeft: 1 }).text, /1 try left/);
    assert.match(card({ because: 'resent' }).text, /^A new code is on its way/);
    assert.doesNotMatch(card({}).text, /left|right/);
  });
});
