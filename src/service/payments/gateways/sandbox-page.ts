// The sandbox's page: test cards whose names say what they do.

import { postedFields } from '../../../platform/http/http-body.ts';
import { type Answer, type HttpRequest, redirect } from '../../../platform/http/http-server.ts';
import { html } from '../../../platform/text/html.ts';
import { type Language, negotiateLanguage } from '../../../platform/text/languages.ts';
import type { AppContext } from '../../core/app-context.ts';
import { formLimits, refuseForeign } from '../../core/device/opening.ts';
import { plainAmount } from '../../core/money.ts';
import { choiceList } from '../../core/pages/fields.ts';
import type { Texts } from '../../core/texts.ts';
import type { SandboxCheckoutTable } from '../tables.ts';
import type { Sandbox } from './sandbox.ts';

const cards = ['approved', 'declined', 'challenge', 'funds'] as const;

/**
 * Why the page is shown again. It is in the address, since every post is answered with a redirect, so that reloading a
 * page never pays twice.
 */
const reasons = { choice: 'error.choice', declined: 'sandbox.wasDeclined', denied: 'sandbox.notYou', funds: 'sandbox.noFunds' } as const;
type Reason = keyof typeof reasons;

const isReason = (given: string | null): given is Reason => given !== null && Object.hasOwn(reasons, given);

/** @param notify - sends the sandbox's webhook: something happened to a checkout */
export const addSandboxPage = (
  { server, storage, pagesOf, texts, publicUrl, random, clock }: AppContext,
  { find, move }: Sandbox,
  notify: (checkoutId: string) => Promise<void>,
) => {
  const open = async ({ params, headers }: HttpRequest) => {
    const id = params.id ?? '';
    const checkout = /^[A-Za-z0-9_-]{32}$/.test(id) ? await find(id) : undefined;
    const words = texts(negotiateLanguage(headers['accept-language'], (checkout?.language as Language | undefined) ?? 'en'));
    const request = checkout && (await storage.requests.get(checkout.request_id));
    return { checkout, view: { words, pages: pagesOf(request?.accountId) } };
  };
  /** The customer's language and the account's look. */
  type View = Awaited<ReturnType<typeof open>>['view'];
  const priceOf = ({ amount, currency }: SandboxCheckoutTable, words: Texts) =>
    words.money(plainAmount({ minor: BigInt(amount), currency }), currency);
  const order = (checkout: SandboxCheckoutTable, words: Texts) =>
    html`<div class="order"><div><strong>${checkout.title}</strong></div><dl><dt>${words.t('payments.total')}</dt><dd>${priceOf(checkout, words)}</dd></dl></div>`;
  const back = (checkout: SandboxCheckoutTable, words: Texts) =>
    html`<a class="button" href="${checkout.back_url}">${words.t('sandbox.back')}</a>`;

  const choose = (checkout: SandboxCheckoutTable, { words, pages }: View, reason: Reason | undefined): Answer => {
    const { t } = words;
    const choices = cards.map((card) => ({
      title: t(`sandbox.${card}`),
      name: 'card',
      value: card,
      checked: card === 'approved' && !reason,
    }));
    const errors = reason ? [{ path: 'card', message: t(reasons[reason]) }] : [];
    return pages.plain(
      t('sandbox.title'),
      html`<h1>${t('sandbox.title')}</h1><p class="lead">${t('sandbox.lead')}</p>
        <form method="post" data-device>${order(checkout, words)}
          ${choiceList({ name: 'card', label: t('sandbox.card'), required: true, kind: 'radio', choices }, errors, words)}
          <div class="actions"><button class="primary">${t('sandbox.pay', { amount: priceOf(checkout, words) })}</button>${back(checkout, words)}</div>
        </form>`,
      words,
    );
  };

  const challenge = (checkout: SandboxCheckoutTable, { words, pages }: View): Answer => {
    const { t } = words;
    return pages.plain(
      t('sandbox.bankTitle'),
      html`<h1>${t('sandbox.bankTitle')}</h1><p class="lead">${t('sandbox.bankLead', { amount: priceOf(checkout, words) })}</p>
        <form method="post" data-device><div class="actions">
          <button class="primary" name="bank" value="confirm">${t('sandbox.confirm')}</button>
          <button name="bank" value="deny">${t('sandbox.deny')}</button>
        </div></form>`,
      words,
    );
  };

  const show = (checkout: SandboxCheckoutTable, view: View, reason: Reason | undefined): Answer => {
    if (checkout.state === 'open') return choose(checkout, view, reason);
    if (checkout.state === 'challenged') return challenge(checkout, view);
    return checkout.state === 'paid' ? redirect(checkout.back_url) : view.pages.gone(410, view.words);
  };

  const pay = async (checkout: SandboxCheckoutTable): Promise<Answer> => {
    // Another post was faster: the page shows the current state.
    if (!(await move(checkout.id, ['open', 'challenged'], 'paid', `sandbox-${random.id(clock.now())}`))) return toPage(checkout);
    await notify(checkout.id);
    return redirect(checkout.back_url);
  };

  const answered = async (checkout: SandboxCheckoutTable, { card, bank }: Readonly<Record<string, string>>): Promise<Answer> => {
    if (checkout.state === 'challenged') {
      if (bank === 'confirm') return pay(checkout);
      await move(checkout.id, ['challenged'], 'open');
      return toPage(checkout, 'denied');
    }
    if (checkout.state !== 'open') return toPage(checkout);
    switch (card) {
      case 'approved':
        return pay(checkout);
      case 'challenge':
        await move(checkout.id, ['open'], 'challenged');
        return toPage(checkout);
      case 'declined':
      case 'funds':
        return toPage(checkout, card);
      default:
        return toPage(checkout, 'choice');
    }
  };

  server.route('GET', '/sandbox/:id', async (call) => {
    const { checkout, view } = await open(call);
    const because = call.query.get('because');
    return checkout ? show(checkout, view, isReason(because) ? because : undefined) : view.pages.gone(404, view.words);
  });
  server.route(
    'POST',
    '/sandbox/:id',
    async (call) => {
      refuseForeign(call, publicUrl());
      const { checkout, view } = await open(call);
      return checkout ? answered(checkout, postedFields(call.body)) : view.pages.gone(404, view.words);
    },
    { limits: formLimits },
  );
};

/** Redirects to the page of a checkout. */
const toPage = ({ id }: SandboxCheckoutTable, reason?: Reason): Answer =>
  redirect(`/sandbox/${id}${reason === undefined ? '' : `?because=${reason}`}`);
