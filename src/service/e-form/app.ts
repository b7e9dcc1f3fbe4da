// e-form: the customer fills in a form. The answers of a zero-knowledge form leave their device encrypted for the
// account alone.
import { z } from 'zod';
import type { FormAnswer } from '../../contract/index.ts';
import { sha256 } from '../../platform/secrets/sealing.ts';
import { inLanguage } from '../../platform/text/direction.ts';
import { html } from '../../platform/text/html.ts';
import { defineServiceApp } from '../core/app.ts';
import { encryptionKey } from '../core/catalogue/fields.ts';
import { type FormInput, type FormValue, formFields, formIn } from '../core/catalogue/form.ts';
import { answerType, readAnswers } from './answers.ts';
import { formCard } from './form-card.ts';
import { fieldName, renderInput } from './form-inputs.ts';
import { readSealed, sealedField, sealing } from './sealed-answers.ts';

/**
 * A form as it was sent, in one language: later changes of the catalogue or its key do not affect it. An earlier
 * version stored no language: it was the catalogue's.
 */
const input = z.object({ ...formFields, encryptionKey: encryptionKey.optional(), language: z.string().optional() });

export const eForm = defineServiceApp({
  id: 'e-form',
  channel: 'sms',
  answeredBy: 'link',
  describes: {
    send: 'The customer fills in the form. The answers come with the result.',
  },
  input,
  offers: () => ({}),
  accept: ({ formId }, { catalogue, language }) => {
    const found = catalogue.forms.find(({ id }) => id === formId.toLowerCase());
    if (!found) return { errors: [{ path: 'formId', message: 'names no form of this account' }] };
    const { encryptionKey: key } = catalogue.account;
    return { value: { ...formIn(found, language, catalogue.language), ...(found.zeroKnowledge && key && { encryptionKey: key }) } };
  },
  answer: (sent) => sent,
  message: ({ title }, { texts, account, link, number }) => ({
    text: texts.t('message.e-form', { account: account.name, title, link, number }),
  }),
  page: (form, { texts, account, assets, requestId, entered, errors, contentLanguage }) => {
    const { t } = texts;
    const { id: formId, title, introduction, zeroKnowledge, body, encryptionKey: key, language = contentLanguage } = form;
    const fields = body.map((one) => renderInput(one, texts, entered, errors));
    const sealed = zeroKnowledge ? JSON.stringify({ requestId, formId, key, field: sealedField, ...sealing }) : '';
    return {
      title,
      lead: t('e-form.lead', { account: account.name }),
      content: html`${introduction && html`<p ${inLanguage(language)}>${introduction}</p>`}
        ${zeroKnowledge && html`<p class="sealed">${t('e-form.sealed', { account: account.name })}</p>`}
        <div class="inputs" ${inLanguage(language)} data-card="${JSON.stringify(formCard(body, zeroKnowledge ? {} : entered, texts))}" data-errors="${JSON.stringify(errors)}"
          data-library="${assets['adaptivecards.js']}" data-seal="${sealed}" data-jose="${assets['jose.js']}"
          data-loading="${t('e-form.loading')}" data-unusable="${t('e-form.unusable')}">${zeroKnowledge ? html`<noscript><p class="error">${t('e-form.script')}</p></noscript>` : fields}</div>`,
      accept: { decision: 'accept', label: t('e-form.accept'), scripted: zeroKnowledge },
      labels: Object.fromEntries(body.map((one) => [fieldName(one), one.label])),
      drafted: true,
      scripts: zeroKnowledge ? ['sealed-form.js', 'e-form.js'] : ['e-form.js'],
    };
  },
  ends: ({ title }, texts) => ({
    done: texts.t('e-form.done'),
    subject: title,
    declined: texts.t('e-form.declined'),
    decline: texts.t('e-form.decline'),
  }),
  complete: ({ body, zeroKnowledge, encryptionKey: key }, entered, { texts }) => {
    if (!zeroKnowledge) {
      const answers = readAnswers(body, entered, texts);
      return 'errors' in answers ? answers : { value: { data: answers.value, zeroKnowledge } };
    }
    const sealed = key && readSealed(entered[sealedField], key);
    return sealed ? { value: { data: [sealed], zeroKnowledge } } : { errors: [{ path: '', message: texts.t('e-form.script') }] };
  },
  sample: ({ body, zeroKnowledge, sample }) => ({ data: zeroKnowledge ? [] : sampleAnswers(body, sample), zeroKnowledge }),
  known: ({ zeroKnowledge }) => ({ zeroKnowledge }),
  shown: ({ id, title, introduction = '', body }) => ({
    form: id,
    title,
    text: sha256(JSON.stringify([title, introduction, body])).toString('hex'),
  }),
  // Sealed answers are only in the result, for the account; events do not carry them.
  frame: ({ id, title, zeroKnowledge }, result) => ({
    'e-form': { form: { id, title }, ...(!zeroKnowledge && result?.data && { data: result.data }) },
  }),
});

const sampleAnswers = (body: readonly FormInput[], sample: Readonly<Record<string, FormValue>>): FormAnswer[] =>
  body.filter(({ id }) => Object.hasOwn(sample, id)).map((input) => ({ type: answerType(input), key: input.id, value: sample[input.id] }));
