// document-signature: the customer reads a document to its end, signs it by hand or by name, and gets it as a sealed
// file.

import { createHash } from 'node:crypto';
import { z } from 'zod';
import { usualTextLength } from '../../contract/index.ts';
import type { FieldError } from '../../platform/http/http-problem.ts';
import { inLanguage } from '../../platform/text/direction.ts';
import { html } from '../../platform/text/html.ts';
import { ownValue } from '../../platform/text/own-value.ts';
import { defineServiceApp } from '../core/app.ts';
import { wordsIn } from '../core/catalogue/fields.ts';
import type { ServiceContext } from '../core/context.ts';
import { download } from '../core/pages/device-pages.ts';
import { checkbox, textField } from '../core/pages/fields.ts';
import { isPrintable, plainText } from '../pdf/printable.ts';
import type { SealFile } from '../pdf/sealing.ts';
import { type DocumentContent, documentContent, documentContext, textDigest } from './document-content.ts';
import { readDrawn, signaturePad } from './drawn.ts';
import { fillTemplate } from './fill.ts';
import { contradicted, knownNames, otherInDocument } from './known-name.ts';
import { checkVariables } from './variables.ts';

const input = z.object({
  documentId: z.string(),
  content: documentContent,
  /** Of the content, taken when it was sent: what is shown, signed and stored must still have it. */
  digest: z.string(),
  /** The names of the signer, if known. Requests from before an update have none. */
  names: knownNames.optional(),
});

/** A stored document differs from the one that was sent, so it must not be shown or signed. */
class ContentChanged extends Error {
  override readonly name = 'ContentChanged';
  readonly code = 'content_changed';
}

/** @throws {ContentChanged} */
const intact = ({ content, digest }: z.output<typeof input>): DocumentContent => {
  if (textDigest(content) !== digest) throw new ContentChanged();
  return content;
};

const holdsEntered = ({ paragraphs }: DocumentContent) => paragraphs.flat().some(({ filled }) => filled);

/** @param documentUrl - a temporary address of a request's signed document, until an instant or for some days */
export const defineDocumentSignature = (
  { seal }: ServiceContext,
  sealFile: SealFile,
  documentUrl: (requestId: string, until?: number) => string,
) =>
  defineServiceApp({
    id: 'document-signature',
    channel: 'sms',
    answeredBy: 'link',
    describes: {
      send: 'The customer reads the document with its blanks filled in, signs it, and keeps a sealed PDF.',
    },
    input,
    offers: ({ documents, language: own }, language) => ({
      documents: documents.map((document) => {
        const { words } = wordsIn(document, language, own);
        return {
          id: document.id,
          title: (words ?? document).title,
          variables: document.variables.map(({ name, label, type, required, choices, currency, maxLength, pattern, prefill }) => ({
            name,
            label: ownValue(words?.labels ?? {}, name) ?? label,
            type,
            // Values that are filled in automatically are not required.
            required: required && prefill === undefined,
            ...(choices && { choices }),
            ...(currency !== undefined && { currency }),
            ...(type === 'text' && { maxLength: maxLength ?? usualTextLength }),
            ...(pattern !== undefined && { pattern }),
            ...(prefill !== undefined && { prefill }),
          })),
        };
      }),
    }),
    accept: ({ documentId, variables }, { catalogue, customer, language: wanted, texts }) => {
      const template = catalogue.documents.find(({ id }) => id === documentId.toLowerCase());
      if (!template) return { errors: [{ path: 'documentId', message: 'names no document of this account' }] };
      const checked = checkVariables(template.variables, variables, customer);
      if ('errors' in checked) return checked;
      const errors = checked.value
        .filter(({ value }) => !isPrintable(plainText(value ?? '')))
        .map(({ name }) => ({ path: `variables.${name}`, message: 'has characters that cannot be printed in a document' }));
      if (errors.length > 0) return { errors };
      const { words = template, language } = wordsIn(template, wanted, catalogue.language);
      const content = fillTemplate(words, checked.value, language, texts(language));
      const names = { customer: customer.name, document: checked.value.flatMap(({ isName, value }) => (isName && value ? [value] : [])) };
      return { value: { documentId: template.id, content, digest: textDigest(content), names } };
    },
    answer: (sent) => sent,
    message: ({ content: { title } }, { texts, account, link, number }) => ({
      text: texts.t('message.document-signature', { account: account.name, title, link, number }),
    }),
    page: (request, { texts, account, entered, errors }) => {
      const { t } = texts;
      const { title, language, paragraphs } = intact(request);
      const { names } = request;
      const other = names && otherInDocument(names);
      const warned = entered.name !== undefined && names && contradicted(plainText(entered.name).trim(), names) !== undefined;
      return {
        title,
        lead: t('document-signature.lead', { account: account.name }),
        content: html`<section class="document" id="field-document" aria-label="${title}" ${inLanguage(language)} data-unread="${t('document-signature.unread')}">
          ${paragraphs.map((parts) => html`<p>${parts.map(({ text, filled }) => (filled ? html`<mark>${text}</mark>` : text))}</p>`)}
          <p class="end" id="document-end" ${inLanguage(texts.language)}>${t('document-signature.end')}</p>
        </section>
        ${holdsEntered(request.content) && html`<p class="note">${t('document-signature.entered')}</p>`}
        <p class="unread" id="unread" role="status" hidden></p>
        <input type="hidden" name="shown" value="${request.digest}">
        ${other !== undefined && html`<p class="warned" role="note">${t('document-signature.otherInDocument', { other, customer: names?.customer ?? '' })}</p>`}
        ${warned && html`<input type="hidden" name="warned" value="${plainText(entered.name ?? '').trim()}">`}
        ${textField({ name: 'name', label: t('document-signature.name'), required: true, autocomplete: 'name', value: entered.name, maxLength: 120 }, errors, texts)}
        ${signaturePad({ name: 'drawn', value: entered.drawn }, errors, texts)}
        ${checkbox({ name: 'consent', title: t('document-signature.consent'), required: true, checked: entered.consent === 'on' }, errors)}`,
        accept: t('document-signature.accept'),
        labels: { drawn: t('document-signature.drawn') },
        details: t('document-signature.fingerprint', { digest: request.digest.slice(0, 16) }),
        drafted: true,
        scripts: ['signature_pad.js', 'signing.js'],
      };
    },
    ends: ({ content: { title } }, texts) => ({
      done: texts.t('document-signature.done', { title }),
      declined: texts.t('document-signature.declined'),
      decline: texts.t('document-signature.decline'),
    }),
    complete: (request, { consent, name = '', drawn = '', shown, warned }, { texts: { t } }) => {
      const { title } = intact(request);
      const typed = plainText(name).trim();
      const other = request.names && contradicted(typed, request.names);
      const errors: FieldError[] = [];
      // The page shows another document, or an older version of this one.
      if (shown !== request.digest) errors.push({ path: 'document', message: t('error.shown') });
      if (typed === '') errors.push({ path: 'name', message: t('error.name') });
      else if (typed.length > 120) errors.push({ path: 'name', message: t('error.long', { max: 120 }) });
      else if (!isPrintable(typed)) errors.push({ path: 'name', message: t('error.unprintable') });
      // Asked only once: people marry, and sign as they please.
      else if (other !== undefined && warned !== typed)
        errors.push({ path: 'name', message: t('document-signature.otherName', { typed, other }) });
      if (drawn !== '' && !readDrawn(drawn)) errors.push({ path: 'drawn', message: t('error.drawn') });
      if (consent !== 'on') errors.push({ path: 'consent', message: t('error.consent') });
      return errors.length > 0 ? { errors } : { value: { title } };
    },
    produce: async (request, entered, { request: { id, recipients }, texts, account, at }) => {
      const { t } = texts;
      const content = intact(request);
      // Test numbers sign automatically, with the recipient's name.
      const name = plainText(entered.name ?? recipients[0]?.name ?? '').trim();
      // Loaded with its PDF library, which most starts never need.
      const { typeset } = await import('./typeset.ts');
      const printed = await typeset({
        content,
        account: account.name,
        name,
        drawn: readDrawn(entered.drawn ?? ''),
        signatureHeading: t('document-signature.signature'),
        evidence: [
          ...(holdsEntered(content) ? [t('document-signature.enteredBold')] : []),
          t('document-signature.signedAt', { at: texts.instant(at) }),
          t('document-signature.agreed', { statement: t('document-signature.consent') }),
          t('document-signature.request', { id }),
          t('document-signature.digest', { digest: request.digest }),
        ],
        reference: `${account.name} · ${id}`,
        pageOf: (page, pages) => t('document-signature.page', { page, pages }),
        at,
      });
      const file = await sealFile(printed, at);
      const fileDigest = createHash('sha256').update(file).digest('hex');
      const sealed = seal.seal(file.toString('base64'), documentContext(id));
      const row = { request_id: id, text_digest: request.digest, file_digest: fileDigest, sealed, created_at: at };
      const { names } = request;
      // What they were warned about, without the names: the trail names nobody.
      const warned = [
        ...(names && otherInDocument(names) !== undefined ? ['document'] : []),
        ...(names && contradicted(name, names) !== undefined ? ['signature'] : []),
      ];
      return async (transaction) => {
        await transaction.insertInto('signed_documents').values(row).execute();
        return { text: request.digest, file: fileDigest, ...(warned.length > 0 && { otherName: warned.join(', ') }) };
      };
    },
    links: ({ id }) => ({ url: documentUrl(id) }),
    keepsake: ({ id }, texts, until) => download(documentUrl(id, until), texts.t('document-signature.copy'), until, texts),
    sample: ({ content: { title } }) => ({ title }),
    known: ({ content: { title } }) => ({ title }),
    shown: ({ documentId, content: { title }, digest }) => ({ document: documentId, title, text: digest }),
  });
