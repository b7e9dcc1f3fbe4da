// Finds the request behind a link, and checks that a post comes from our own page.

import { HttpProblem } from '../../../platform/http/http-problem.ts';
import type { Answer, HttpRequest } from '../../../platform/http/http-server.ts';
import { hashToken } from '../../../platform/secrets/sealing.ts';
import { negotiateLanguage } from '../../../platform/text/languages.ts';
import type { ServiceContext } from '../context.ts';
import type { DevicePages, Over, PagesOf } from '../pages/device-pages.ts';
import type { TicketPurpose } from '../secrets/tickets.ts';
import type { Request } from '../store/request.ts';
import type { Texts } from '../texts.ts';

/** The pending request behind a link, with the words for its customer and the pages of its account. */
type Opened = { readonly request: Request; readonly words: Texts; readonly pages: DevicePages };

/** A link that opens nothing: the page that says so, and the former request with the reason of its end. */
export type Gone = Omit<Opened, 'request'> & {
  readonly gone: Answer;
  readonly over?: { readonly request: Request; readonly why: Over | undefined };
};

/** Opens links of the form `/r/:token`, or says why there is nothing behind one. */
export const makeOpenLink = ({ accounts, storage, texts, clock }: ServiceContext, pagesOf: PagesOf) => {
  const overOf = async (request: Request): Promise<Over | undefined> => {
    const over = overAt(request, clock.now());
    const isReplaced = over === 'withdrawn' && (await storage.notes.of(request.id)).some(({ type }) => type === 'request.superseded');
    return isReplaced ? 'replaced' : over;
  };
  return async ({ params, headers }: HttpRequest): Promise<Opened | Gone> => {
    const token = params.token ?? '';
    const hash = /^[A-Za-z0-9_-]{16,200}$/.test(token) ? hashToken(token) : undefined;
    const current = hash && (await storage.requests.byLink(hash));
    const request = current || (hash && (await storage.requests.byFormerLink(hash))) || undefined;
    const words = texts(negotiateLanguage(headers['accept-language'], request?.language ?? 'en'));
    const pages = pagesOf(request?.accountId);
    if (!request) return { gone: pages.gone(404, words), words, pages };
    const why = (await overOf(request)) ?? (current ? undefined : 'replaced');
    if (why || !accounts.find(request.accountId)) return { gone: pages.gone(410, words, why), words, pages, over: { request, why } };
    return { request, words, pages };
  };
};

const overAt = ({ state, expiresAt }: Request, now: number): Exclude<Over, 'replaced'> | undefined => {
  if (state === 'cancelled') return 'withdrawn';
  if (state === 'success') return 'done';
  if (state === 'failure') return 'answered';
  return state === 'timeout' || expiresAt <= now ? 'expired' : undefined;
};

/** The size limit of a page's form: text and a drawn signature. */
export const formLimits = { size: 32 * 1024, depth: 4 };

/**
 * Keeps other sites from posting in a customer's name. Browsers say where a post comes from in Sec-Fetch-Site; older
 * ones in Origin, which `Referrer-Policy: no-referrer` turns into `null` even for our own page. What remains there is
 * the token in the address, which no other site knows; a page with another policy refuses `null`.
 * @throws {HttpProblem} 403
 */
export const refuseForeign = ({ headers }: HttpRequest, publicUrl: URL, nullOrigin: 'taken' | 'refused' = 'taken') => {
  const site = headers['sec-fetch-site'];
  const { origin } = headers;
  const foreign =
    site !== undefined
      ? site !== 'same-origin' && site !== 'none'
      : origin !== undefined &&
        (origin !== 'null' || nullOrigin === 'refused') &&
        origin !== publicUrl.origin &&
        origin !== `${publicUrl.protocol}//${headers.host}`;
  if (foreign) throw new HttpProblem(403, 'cross_site', 'This request came from another site.');
};

/** The request that an address with a ticket is for, if there still is one, and the words for whoever asks. */
export const openTicket = async (
  { storage, tickets, texts, clock }: ServiceContext,
  purpose: TicketPurpose,
  { params, headers }: HttpRequest,
) => {
  const id = tickets.open(purpose, params.ticket ?? '', clock.now());
  const request = id === undefined ? undefined : await storage.requests.get(id);
  return { request, words: texts(negotiateLanguage(headers['accept-language'], request?.language ?? 'en')) };
};
