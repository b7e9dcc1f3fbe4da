// The passkeys page: use a passkey, prove the phone, create a passkey.

import type { z } from 'zod';
import type { FieldError } from '../../platform/http/http-problem.ts';
import { inLanguage } from '../../platform/text/direction.ts';
import { html } from '../../platform/text/html.ts';
import type { Account } from '../core/accounts.ts';
import type { PageButton, PageParts } from '../core/app.ts';
import { textField } from '../core/pages/fields.ts';
import type { Texts } from '../core/texts.ts';
import type { passkeyQuestion } from './app.ts';

export interface PageInputs {
  readonly words: Texts;
  readonly account: Account;
  /** In the account's words. */
  readonly question: z.output<typeof passkeyQuestion>;
  readonly contentLanguage: string;
}

/** The form field of an authenticator's answer. */
export const answerField = 'answer';

const scripts = ['simplewebauthn.js', 'passkeys.js'] as const;

/** What the page's script needs: a field for the answer, a text for the wait, and a way out. */
const ceremony = ({ t }: Texts) => html`<input type="hidden" name="${answerField}">
  <div class="ceremony" data-ceremony-state data-waiting="${t('passkeys.waiting')}" data-given-up="${t('passkeys.givenUp')}" data-known="${t('passkeys.known')}" data-unusable="${t('passkeys.unusable')}" data-refused="${t('passkeys.tooOften')}">
    <p role="status" aria-live="polite"></p>
    <button type="button" hidden>${t('passkeys.cancel')}</button>
  </div>
  <noscript><p class="error">${t('passkeys.script')}</p></noscript>`;

const backTo = ({ t }: Texts): PageButton => ({ decision: 'begin', label: t('page.back') });
const byPasskey = (decision: string, label: string): PageButton => ({ decision, label, scripted: true });

/** For a customer who has a passkey. */
export const signInPage = ({ words, question, contentLanguage }: PageInputs): PageParts => ({
  title: words.t('passkeys.title'),
  content: html`<blockquote class="quote" ${inLanguage(contentLanguage)}><strong>${question.subject}</strong><p>${question.message}</p></blockquote>
    ${ceremony(words)}`,
  accept: byPasskey('authenticate', words.t('passkeys.accept')),
  others: [{ decision: 'setup', label: words.t('passkeys.none') }],
  note: words.t('passkeys.note'),
  scripts,
});

/** For a customer who has none, or none on this device. */
export const proofPage = ({ words }: PageInputs, phone: string, enrolled: boolean): PageParts => ({
  title: words.t('passkeys.setupTitle'),
  lead: words.t('passkeys.setup', { phone }),
  content: enrolled ? ceremony(words) : html``,
  accept: { decision: 'code', label: words.t('passkeys.sendCode') },
  ...(enrolled && { others: [byPasskey('prove', words.t('passkeys.other'))], back: backTo(words), scripts }),
});

export const codePage = ({ words }: PageInputs, phone: string, errors: readonly FieldError[]): PageParts => ({
  title: words.t('passkeys.codeTitle'),
  lead: words.t('passkeys.codeLead', { phone }),
  content: textField(
    { name: 'code', label: words.t('passkeys.code'), required: true, autocomplete: 'one-time-code', inputmode: 'numeric', maxLength: 20 },
    errors,
    words,
  ),
  accept: { decision: 'verify', label: words.t('passkeys.checkCode') },
  labels: { code: words.t('passkeys.code') },
  others: [{ decision: 'code', label: words.t('passkeys.sendAgain') }],
  back: backTo(words),
});

/** `proof`: a secret of this page, which only it can continue with. */
export const createPage = ({ words, account }: PageInputs, proof: string): PageParts => ({
  title: words.t('passkeys.createTitle'),
  lead: words.t('passkeys.createLead', { account: account.name }),
  content: html`<input type="hidden" name="proof" value="${proof}">${ceremony(words)}`,
  accept: byPasskey('enrol', words.t('passkeys.create')),
  back: backTo(words),
  note: words.t('passkeys.note'),
  scripts,
});

/** The passkey that was just created is used at once: only that confirms who the customer is. */
export const readyPage = ({ words }: PageInputs): PageParts => ({
  title: words.t('passkeys.readyTitle'),
  lead: words.t('passkeys.ready'),
  content: ceremony(words),
  accept: byPasskey('authenticate', words.t('passkeys.accept')),
  note: words.t('passkeys.note'),
  scripts,
});
