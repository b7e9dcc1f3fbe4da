import assert from 'node:assert/strict';
import { form, formIn } from '../../../../src/service/core/catalogue/form.ts';

describe('a form in a language that translates some of it', () => {
  it('keeps the words of inputs and choices without a translation, whatever they are called', () => {
    const choices = ['constructor', 'toString', 'usual'].map((value) => ({ title: `The ${value}`, value }));
    const inputs = ['constructor', 'valueOf', 'kind'].map((id) => ({ type: 'Input.ChoiceSet', id, label: `Your ${id}`, choices }));
    const read = form.parse({
      id: '0b6f3c62-6d0a-4a53-9f0e-6a1c1d0f3c11',
      title: 'Trial',
      body: inputs,
      texts: { es: { title: 'Prueba', inputs: { kind: { label: 'Su tipo', choices: { usual: 'Lo usual' } } } } },
    });
    const { body, title } = formIn(read, 'es', 'en');
    assert.equal(title, 'Prueba');
    assert.deepEqual(
      body.map((input) => [input.label, input.type === 'Input.ChoiceSet' && input.choices.map((choice) => choice.title)]),
      [
        ['Your constructor', ['The constructor', 'The toString', 'The usual']],
        ['Your valueOf', ['The constructor', 'The toString', 'The usual']],
        ['Su tipo', ['The constructor', 'The toString', 'Lo usual']],
      ],
    );
  });
});
