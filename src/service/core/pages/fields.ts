// Form fields as all pages show them: a label, a native control and its error, linked for screen readers.

import type { FieldError } from '../../../platform/http/http-problem.ts';
import { inLanguage } from '../../../platform/text/direction.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { ownValue } from '../../../platform/text/own-value.ts';
import type { Texts } from '../texts.ts';

/** The id of a field's control, which an error summary links to. */
export const controlId = (name: string) => `field-${name.replaceAll('.', '-')}`;

const errorOf = (name: string, errors: readonly FieldError[]) => errors.find(({ path }) => path === name)?.message;

/** A field's error, shown below it. */
export const errorText = (name: string, message: string | undefined) =>
  message !== undefined && html`<p class="error" id="${controlId(name)}-error">${message}</p>`;

/** The attributes that mark a control as invalid and refer to its error. */
const wrong = (name: string, message: string | undefined) =>
  message !== undefined && html` aria-invalid="true" aria-describedby="${controlId(name)}-error"`;

const flag = (name: string, on: boolean | undefined) => on === true && html` ${name}`;
const attribute = (name: string, value: string | number | undefined) => value !== undefined && html` ${name}="${value}"`;

const optional = (required: boolean | undefined, texts: Texts) =>
  !required && html` <small ${inLanguage(texts.language)}>(${texts.t('page.optional')})</small>`;

type Field = { readonly name: string; readonly label: string; readonly required?: boolean; readonly value?: string | undefined };

/** A field with one value that is typed or picked. */
export const textField = (
  field: Field & {
    readonly type?: 'date' | 'email' | 'number' | 'tel' | 'text' | 'time' | 'url';
    readonly multiline?: boolean;
    readonly autocomplete?: string | undefined;
    readonly inputmode?: 'numeric';
    readonly maxLength?: number;
    readonly placeholder?: string | undefined;
    readonly min?: string | number | undefined;
    readonly max?: string | number | undefined;
  },
  errors: readonly FieldError[],
  texts: Texts,
): Html => {
  const { name, type = 'text', value, required } = field;
  const message = errorOf(name, errors);
  const common = html`id="${controlId(name)}" name="${name}"${attribute('maxlength', field.maxLength)}${attribute('placeholder', field.placeholder)}${attribute('autocomplete', field.autocomplete)}${attribute('inputmode', field.inputmode)}${flag('required', required)}${wrong(name, message)}`;
  return html`<div class="field">
    <label for="${controlId(name)}">${field.label}${optional(required, texts)}</label>
    ${
      field.multiline
        ? html`<textarea rows="4" ${common}>${value}</textarea>`
        : html`<input type="${type}" ${common}${attribute('value', value)}${attribute('min', field.min)}${attribute('max', field.max)}${type === 'number' && html` step="any" inputmode="decimal"`}>`
    }
    ${errorText(name, message)}
  </div>`;
};

/** A single checkbox. */
export const checkbox = (
  field: { readonly name: string; readonly title: string; readonly required?: boolean; readonly checked: boolean },
  errors: readonly FieldError[],
): Html => {
  const message = errorOf(field.name, errors);
  return html`<div class="field">
    <label class="choice"><input type="checkbox" id="${controlId(field.name)}" name="${field.name}"${flag('required', field.required)}${flag('checked', field.checked)}${wrong(field.name, message)}><span>${field.title}</span></label>
    ${errorText(field.name, message)}
  </div>`;
};

/** A choice of one from a drop-down list. */
export const select = (
  field: Field & { readonly choices: readonly { readonly title: string; readonly value: string }[] },
  errors: readonly FieldError[],
  texts: Texts,
): Html => {
  const message = errorOf(field.name, errors);
  return html`<div class="field">
    <label for="${controlId(field.name)}">${field.label}${optional(field.required, texts)}</label>
    <select id="${controlId(field.name)}" name="${field.name}"${flag('required', field.required)}${wrong(field.name, message)}>
      <option value="" ${inLanguage(texts.language)}>${texts.t('page.choose')}</option>
      ${field.choices.map(({ title, value }) => html`<option value="${value}"${flag('selected', value === field.value)}>${title}</option>`)}
    </select>
    ${errorText(field.name, message)}
  </div>`;
};

/** A choice of one or several from a list shown in full. If several are allowed, each choice has its own name. */
export const choiceList = (
  field: Omit<Field, 'value'> & {
    readonly kind: 'checkbox' | 'radio';
    readonly choices: readonly { readonly title: string; readonly name: string; readonly value: string; readonly checked: boolean }[];
  },
  errors: readonly FieldError[],
  texts: Texts,
): Html => {
  const message = errorOf(field.name, errors);
  return html`<fieldset class="field" id="${controlId(field.name)}" tabindex="-1"${message !== undefined && html` aria-describedby="${controlId(field.name)}-error"`}>
    <legend>${field.label}${optional(field.required, texts)}</legend>
    ${field.choices.map(
      ({ title, name, value, checked }) =>
        html`<label class="choice"><input type="${field.kind}" name="${name}" value="${value}"${flag('checked', checked)}${flag('required', field.kind === 'radio' && field.required)}><span>${title}</span></label>`,
    )}
    ${errorText(field.name, message)}
  </fieldset>`;
};

/** The errors, at the top of the form, each with its field's label and a link to the field. */
export const errorSummary = (errors: readonly FieldError[], labels: Readonly<Record<string, string>>, texts: Texts) =>
  errors.length > 0 &&
  html`<div class="summary" role="alert" tabindex="-1" id="summary">
    ${errors.some(({ path }) => path !== '') && html`<p>${texts.t('page.problems')}</p>`}
    <ul>${errors.map((error) => html`<li>${summarised(error, labels)}</li>`)}</ul>
  </div>`;

/** An error with a link to its field; errors that concern no particular field have none. */
const summarised = ({ path, message }: FieldError, labels: Readonly<Record<string, string>>) => {
  if (path === '') return message;
  const label = ownValue(labels, path);
  return html`<a href="#${controlId(path)}">${label ?? message}</a>${label !== undefined && html` ${message}`}`;
};
