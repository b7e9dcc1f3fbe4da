// A form's Adaptive Card inputs as native controls.

import type { FieldError } from '../../platform/http/http-problem.ts';
import { type Html, html } from '../../platform/text/html.ts';
import type { FormInput } from '../core/catalogue/form.ts';
import { checkbox, choiceList, select, textField } from '../core/pages/fields.ts';
import type { Texts } from '../core/texts.ts';

/** The name under which an input's answer is posted, distinct from the names of the page's own fields. */
export const fieldName = ({ id }: FormInput) => `a.${id}`;
/** The name of a choice among several, since only one value per name is read from a posted form. */
export const choiceName = (input: FormInput, index: number) => `${fieldName(input)}.${index}`;

/** An input with its previous value and its errors. */
export const renderInput = (
  input: FormInput,
  texts: Texts,
  entered: Readonly<Record<string, string>>,
  errors: readonly FieldError[],
): Html => {
  const name = fieldName(input);
  const common = { name, label: input.label, required: input.isRequired, value: entered[name] };
  switch (input.type) {
    case 'Input.Text': {
      const { isMultiline: multiline, maxLength, placeholder, autocomplete, style } = input;
      return textField({ ...common, type: style, multiline, maxLength, placeholder, autocomplete }, errors, texts);
    }
    case 'Input.Number':
      return textField({ ...common, type: 'number', min: input.min, max: input.max }, errors, texts);
    case 'Input.Date':
      return textField({ ...common, type: 'date', min: input.min, max: input.max, autocomplete: input.autocomplete }, errors, texts);
    case 'Input.Time':
      return textField({ ...common, type: 'time', min: input.min, max: input.max }, errors, texts);
    case 'Input.Toggle':
      return html`<div class="toggle"><p>${input.label}</p>${checkbox({ name, title: input.title, required: input.isRequired, checked: entered[name] === 'on' }, errors)}</div>`;
    case 'Input.ChoiceSet':
      if (input.isMultiSelect) {
        const choices = input.choices.map(({ title }, index) => {
          const own = choiceName(input, index);
          return { title, name: own, value: 'on', checked: entered[own] === 'on' };
        });
        return choiceList({ ...common, kind: 'checkbox', choices }, errors, texts);
      }
      if (input.style === 'compact') return select({ ...common, choices: input.choices }, errors, texts);
      return choiceList(
        {
          ...common,
          kind: 'radio',
          choices: input.choices.map((choice) => ({ ...choice, name, checked: entered[name] === choice.value })),
        },
        errors,
        texts,
      );
  }
};
