// Links to signed documents, and the files behind them.

import { createHash } from 'node:crypto';
import { HttpProblem } from '../../platform/http/http-problem.ts';
import { negotiateLanguage } from '../../platform/text/languages.ts';
import { isoDay } from '../../platform/time/clock.ts';
import type { AppContext } from '../core/app-context.ts';
import type { ServiceContext } from '../core/context.ts';
import { Download } from '../core/download.ts';
import { documentContext } from './document-content.ts';

const day = 24 * 60 * 60 * 1000;

/**
 * The address of a request's signed document, valid for at least a number of days, or until an instant. The end is that
 * of a day, so that a record read twice on one day is the same.
 */
export const makeDocumentUrl =
  ({ tickets, publicUrl, limits, clock }: ServiceContext) =>
  (requestId: string, until = (Math.ceil(clock.now() / day) + limits.documentLinkDays) * day): string =>
    new URL(`/documents/${tickets.issue('document', requestId, until)}`, publicUrl()).href;

/** Adds the route behind the links. */
export const addDocumentRoutes = ({ server, tickets, storage, seal, pagesOf, subjectOf, texts, clock, log }: AppContext) => {
  server.route('GET', '/documents/:ticket', async ({ params, headers }) => {
    const requestId = tickets.open('document', params.ticket ?? '', clock.now());
    const documents = storage.database.db.selectFrom('signed_documents').selectAll();
    const stored = requestId && (await documents.where('request_id', '=', requestId).executeTakeFirst());
    if (!stored || !requestId) return pagesOf(undefined).gone(404, texts(negotiateLanguage(headers['accept-language'], 'en')));
    const file = Buffer.from(String(seal.open(stored.sealed, documentContext(requestId))), 'base64');
    if (createHash('sha256').update(file).digest('hex') !== stored.file_digest) {
      const fields = { component: 'documents', interaction: requestId, code: 'document_damaged' };
      log.error(fields, 'a stored document is not the one that was signed');
      throw new HttpProblem(500, 'document_damaged', 'This document is damaged and cannot be given out.');
    }
    const request = await storage.requests.get(requestId);
    const words = texts(request?.language ?? 'en');
    const subject = request ? subjectOf(request, words) : requestId;
    return new Download(file, [subject, words.day(isoDay(stored.created_at))]).answer;
  });
};
