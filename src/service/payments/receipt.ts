// The receipt of a payment: a sealed PDF for the device that paid, created on demand. The chat never gets its address.

import { z } from 'zod';
import { timestamp } from '../../contract/index.ts';
import type { Keepsake } from '../core/app.ts';
import type { AppContext } from '../core/app-context.ts';
import type { ServiceContext } from '../core/context.ts';
import { openTicket } from '../core/device/opening.ts';
import { Download } from '../core/download.ts';
import { download } from '../core/pages/device-pages.ts';
import { erasedRef, type Request } from '../core/store/request.ts';
import type { Texts } from '../core/texts.ts';
import { printable } from '../pdf/printable.ts';
import type { SealFile } from '../pdf/sealing.ts';
import { orderOf, priceIn } from './app.ts';

/** The fields of a stored result that a receipt shows. */
const payment = z.object({ timestamp, gateway: z.string(), transactionId: z.string() });

/** The download for a customer who has paid. */
export const makeReceiptDownload =
  ({ tickets, publicUrl }: ServiceContext): Keepsake =>
  ({ id }, words, until) =>
    download(new URL(`/receipts/${tickets.issue('receipt', id, until)}`, publicUrl()).href, words.t('receipt.download'), until, words);

/** Adds the route behind the links. */
export const addReceipts = (context: AppContext, sealFile: SealFile): void => {
  const { server, accounts, pagesOf, clock } = context;
  server.route('GET', '/receipts/:ticket', async (call) => {
    const { request, words } = await openTicket(context, 'receipt', call);
    const account = request && accounts.find(request.accountId)?.account;
    // Nothing is known about a customer who was erased.
    if (request?.state !== 'success' || !account || request.customerRef === erasedRef) return pagesOf(undefined).gone(404, words);
    const file = await sealFile(await print(account.name, request, words), clock.now());
    return new Download(file, [words.t('receipt.title'), orderOf(request.input).title]).answer;
  });
};

/** The receipt as a PDF, not sealed yet. */
const print = async (account: string, request: Request, texts: Texts): Promise<Uint8Array> => {
  // Loaded with its PDF library, which most starts never need.
  const { openPaper } = await import('../pdf/paper.ts');
  const { t } = texts;
  const order = orderOf(request.input);
  const { timestamp: at, gateway, transactionId } = payment.parse(request.result);
  const paper = await openPaper({ title: t('receipt.title'), language: texts.language, author: account, at: Date.parse(at) });
  const { regular, bold } = paper;
  paper.print(printable(account), regular, 10, 14, { quiet: true });
  paper.skip(10);
  paper.print(t('receipt.title'), bold, 20, 26);
  paper.skip(12);
  const facts: readonly (readonly [label: string, value: string])[] = [
    [t('receipt.paidBy'), request.recipients[0]?.name ?? ''],
    [t('receipt.for'), order.quantity > 1 ? `${order.title} × ${texts.number(order.quantity)}` : order.title],
    [t('receipt.when'), texts.instant(Date.parse(at))],
    [t('receipt.transaction'), transactionId],
    [t('receipt.request'), request.id],
  ];
  for (const [label, value] of facts) {
    paper.print(label, regular, 10, 18, { quiet: true, width: 130 });
    paper.skip(-18);
    paper.print(printable(value), regular, 11, 18, { x: 140 });
  }
  paper.skip(10);
  paper.rule();
  paper.skip(6);
  paper.print(t('payments.total'), bold, 14, 22, { width: 130 });
  paper.skip(-22);
  paper.print(priceIn(texts, order), bold, 14, 22, { x: 140 });
  if (gateway === 'sandbox') {
    paper.skip(14);
    paper.print(t('receipt.sandbox'), regular, 9, 14, { quiet: true });
  }
  return paper.finish(printable(`${account} · ${request.id}`), (page, pages) => t('audit.page', { page, pages }));
};
