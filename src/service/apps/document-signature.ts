// document-signature: the customer reads a filled-in document and signs it with their name.
import { z } from 'zod';
import { html } from '../../platform/html.ts';
import { blank } from '../catalogue/document.ts';
import { checkbox, textField } from '../pages/fields.ts';
import type { Texts } from '../texts.ts';
import { defineServiceApp } from './app.ts';
import { checkVariables } from './variables.ts';

const variable = z.object({ name: z.string(), type: z.string(), currency: z.string().optional(), value: z.string().optional() });
const input = z.object({ documentId: z.string(), title: z.string(), paragraphs: z.array(z.string()), variables: z.array(variable) });

export const documentSignature = defineServiceApp({
  id: 'document-signature',
  channel: 'sms',
  answeredBy: 'link',
  input,
  offers: ({ documents }) => ({
    documents: documents.map(({ id, title, variables }) => ({
      id,
      title,
      variables: variables.map(({ name, type, required, choices }) => ({ name, type, required, ...(choices && { choices }) })),
    })),
  }),
  accept: ({ documentId, variables }, { catalogue }) => {
    const document = catalogue.documents.find(({ id }) => id === documentId.toLowerCase());
    if (!document) return { errors: [{ path: 'documentId', message: 'names no document of this account' }] };
    const checked = checkVariables(document.variables, variables);
    if ('errors' in checked) return checked;
    return { value: { documentId: document.id, title: document.title, paragraphs: document.paragraphs, variables: checked.value } };
  },
  answer: (sent) => sent,
  message: ({ title }, { texts, account, link }) => ({
    text: texts.t('message.document-signature', { account: account.name, title, link }),
  }),
  page: ({ title, paragraphs, variables }, { texts, account, entered, errors, contentLanguage }) => ({
    title,
    lead: texts.t('document-signature.lead', { account: account.name }),
    content: html`<div class="document" lang="${contentLanguage}">${paragraphs.map((text) => html`<p>${filled(text, variables, texts)}</p>`)}</div>
      ${checkbox({ name: 'consent', title: texts.t('document-signature.consent'), required: true, checked: entered.consent === 'on' }, errors)}
      ${textField({ name: 'name', label: texts.t('document-signature.name'), required: true, autocomplete: 'name', value: entered.name, maxLength: 120 }, errors, texts)}`,
    accept: texts.t('document-signature.accept'),
  }),
  complete: ({ title }, { consent, name }, { texts: { t } }) => {
    const errors = [
      ...(consent === 'on' ? [] : [{ path: 'consent', message: t('error.consent') }]),
      ...(name?.trim() ? [] : [{ path: 'name', message: t('error.name') }]),
    ];
    return errors.length > 0 ? { errors } : { value: { title } };
  },
  sample: ({ title }) => ({ title }),
  known: ({ title }) => ({ title }),
});

/** A paragraph with its blanks filled, each value set off from the text around it. */
const filled = (paragraph: string, variables: z.output<typeof input>['variables'], texts: Texts) =>
  paragraph.split(blank).map((part, index) => {
    // Splitting at a pattern with one group alternates between text and that group.
    if (index % 2 === 0) return part;
    const found = variables.find(({ name }) => name === part);
    return html`<mark>${shown(found, texts)}</mark>`;
  });

const shown = (variable: z.output<typeof input>['variables'][number] | undefined, texts: Texts): string => {
  if (variable?.value === undefined) return texts.t('page.empty');
  const { type, value, currency } = variable;
  if (type === 'currency' && currency !== undefined) return texts.money(Number(value), currency);
  if (type === 'date') return texts.day(value);
  if (type === 'boolean') return texts.t(value === 'true' ? 'page.yes' : 'page.no');
  return value;
};
