// A form as an Adaptive Card, for the library that renders it in the page: designers know its inputs from chat cards.
// Where scripts are off or the library is late, the server's own fields stay; both post the same names.
import type { FormInput } from '../core/catalogue/form.ts';
import type { Texts } from '../core/texts.ts';
import { choiceName, fieldName } from './form-inputs.ts';

type Entered = Readonly<Record<string, string>>;

/** The card's inputs: the designer's texts, the texts that the library expects from its host, and previous input. */
export const formCard = (body: readonly FormInput[], entered: Entered, texts: Texts): object => ({
  type: 'AdaptiveCard',
  version: '1.5',
  body: body.map((input) => cardInput(input, entered, texts)),
});

/**
 * Text shown unchanged: the functions that the library evaluates in every text are broken up by a zero-width character.
 * They cannot be switched off (learn.microsoft.com/adaptive-cards/authoring-cards/text-features).
 */
const asText = (text: string) => text.replace(/\{\{(?=(?:DATE|TIME)\()/g, '{\u200b{');

const cardInput = (input: FormInput, entered: Entered, texts: Texts): object => {
  const { t } = texts;
  const label = asText(input.label);
  const value = entered[fieldName(input)];
  const common = {
    ...input,
    label: input.isRequired ? label : `${label} (${t('page.optional')})`,
    errorMessage: asText(input.errorMessage ?? whatIsWrong(input, texts)),
    spacing: 'Large',
    ...(value !== undefined && { value }),
  };
  switch (input.type) {
    case 'Input.Text':
      return { ...common, ...(patternOf(input) !== undefined && { regex: patternOf(input) }) };
    case 'Input.Number':
      return { ...common, ...(value !== undefined && { value: Number(value) }) };
    case 'Input.Toggle':
      return { ...common, label, title: asText(input.title), wrap: true, value: String(value === 'on') };
    case 'Input.ChoiceSet':
      if (!input.isMultiSelect) return { ...common, choices: input.choices.map(shown), wrap: true, placeholder: t('page.choose') };
      // The library joins several answers with commas, which a value may contain, so choices are identified by
      // position.
      return {
        ...common,
        wrap: true,
        choices: input.choices.map(shown).map(({ title, value: answer }, index) => ({ title, value: String(index), answer })),
        value: input.choices.flatMap((_, index) => (entered[choiceName(input, index)] === 'on' ? [index] : [])).join(','),
      };
    default:
      return common;
  }
};

const shown = <Choice extends { readonly title: string }>(choice: Choice) => ({ ...choice, title: asText(choice.title) });

/** Matches the whole answer, like the server's check; the library searches for a match anywhere. */
const patternOf = ({ regex, style }: Extract<FormInput, { type: 'Input.Text' }>): string | undefined => {
  if (regex !== undefined) return `^(?:${regex})$`;
  return style === 'email' ? '^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$' : undefined;
};

const whatIsWrong = (input: FormInput, { t, number, day }: Texts): string => {
  const bounds = (show: (value: never) => string) => {
    const { min, max } = input as { min?: never; max?: never };
    return [min !== undefined && t('error.least', { min: show(min) }), max !== undefined && t('error.most', { max: show(max) })];
  };
  const said = (...sentences: (string | false)[]) => sentences.filter((sentence) => sentence !== false).join(' ');
  switch (input.type) {
    case 'Input.Text':
      if (input.style === 'email') return t('error.email');
      return t(input.regex === undefined ? 'error.required' : 'error.format');
    case 'Input.Number':
      return said(t('error.number'), ...bounds(number));
    case 'Input.Date':
      return said(t('error.date'), ...bounds(day));
    case 'Input.Time':
      return said(t('error.time'), ...bounds(String));
    default:
      return t('error.required');
  }
};
