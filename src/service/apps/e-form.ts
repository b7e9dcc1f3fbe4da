// e-form: the customer fills in a form. A zero-knowledge form's answers must never be readable here, so they are not asked for.
import type { FormAnswer } from '../../contract/index.ts';
import { html } from '../../platform/html.ts';
import { type FormInput, type FormValue, form } from '../catalogue/form.ts';
import { fieldName, renderInput } from '../pages/form-inputs.ts';
import { answerType, readAnswers } from './answers.ts';
import { defineServiceApp } from './app.ts';

export const eForm = defineServiceApp({
  id: 'e-form',
  channel: 'sms',
  answeredBy: 'link',
  input: form,
  offers: () => ({}),
  accept: ({ formId }, { catalogue }) => {
    const found = catalogue.forms.find(({ id }) => id === formId.toLowerCase());
    return found ? { value: found } : { errors: [{ path: 'formId', message: 'names no form of this account' }] };
  },
  answer: (sent) => sent,
  message: ({ title }, { texts, account, link }) => ({ text: texts.t('message.e-form', { account: account.name, title, link }) }),
  page: ({ title, introduction, zeroKnowledge, body }, { texts, account, entered, errors, contentLanguage }) => ({
    title,
    lead: texts.t(zeroKnowledge ? 'e-form.privateLead' : 'e-form.lead', { account: account.name }),
    content: html`${introduction && html`<p lang="${contentLanguage}">${introduction}</p>`}
      ${
        zeroKnowledge
          ? html`<p>${texts.t('e-form.private', { account: account.name })}</p>
              <ul lang="${contentLanguage}">${body.map(({ label }) => html`<li>${label}</li>`)}</ul>`
          : html`<div class="inputs" lang="${contentLanguage}">${body.map((one) => renderInput(one, { texts, entered, errors }))}</div>`
      }`,
    accept: texts.t(zeroKnowledge ? 'e-form.confirm' : 'e-form.accept'),
    labels: Object.fromEntries(body.map((one) => [fieldName(one), one.label])),
  }),
  complete: ({ body, zeroKnowledge }, entered, { texts }) => {
    if (zeroKnowledge) return { value: { data: [], zeroKnowledge } };
    const answers = readAnswers(body, entered, texts);
    return 'errors' in answers ? answers : { value: { data: answers.value, zeroKnowledge } };
  },
  sample: ({ body, zeroKnowledge, sample }) => ({ data: zeroKnowledge ? [] : sampleAnswers(body, sample), zeroKnowledge }),
  known: ({ zeroKnowledge }) => ({ zeroKnowledge }),
  frame: ({ id, title }, result) => ({ 'e-form': { form: { id, title }, ...(result?.data && { data: result.data }) } }),
});

const sampleAnswers = (body: readonly FormInput[], sample: Readonly<Record<string, FormValue>>): FormAnswer[] =>
  body.filter(({ id }) => Object.hasOwn(sample, id)).map((input) => ({ type: answerType(input), key: input.id, value: sample[input.id] }));
