// Links to signed documents, and the files behind them.
import { createHash } from 'node:crypto';
import { HttpProblem } from '../../platform/http/http-problem.ts';
import type { HttpServer } from '../../platform/http/http-server.ts';
import type { Log } from '../../platform/log.ts';
import { type Clock, isoDay } from '../../platform/time/clock.ts';
import { Download } from '../core/download.ts';
import { type Language, negotiate } from '../core/languages.ts';
import { subjectOf } from '../core/lifecycle/subject.ts';
import { download, type Keepsake, type PagesOf } from '../core/pages/device-pages.ts';
import type { Seal } from '../core/secrets/seal.ts';
import type { Tickets } from '../core/secrets/tickets.ts';
import type { Storage } from '../core/store/index.ts';
import type { Texts } from '../core/texts.ts';
import { documentContext } from './content.ts';

const day = 24 * 60 * 60 * 1000;

/**
 * The address of a request's signed document, valid for at least a number of days, or until an instant. The end is that
 * of a day, so that a record read twice on one day is the same.
 */
export const makeDocumentUrl =
  ({ tickets, publicUrl, clock, days }: { tickets: Tickets; publicUrl: () => URL; clock: Clock; days: number }) =>
  (requestId: string, until = (Math.ceil(clock.now() / day) + days) * day): string =>
    new URL(`/documents/${tickets.issue('document', requestId, until)}`, publicUrl()).href;

/** What a customer who has signed can take along. */
export const makeKeepsake =
  (documentUrl: (requestId: string, until: number) => string): Keepsake =>
  ({ id }, texts, until) =>
    download(documentUrl(id, until), texts.t('document-signature.copy'), until, texts);

export interface DocumentRoutesOptions {
  readonly server: HttpServer;
  readonly tickets: Tickets;
  readonly storage: Pick<Storage, 'requests' | 'signedDocuments'>;
  readonly seal: Seal;
  readonly pagesOf: PagesOf;
  readonly texts: (language: Language) => Texts;
  readonly clock: Clock;
  readonly log: Log;
}

export const addDocumentRoutes = ({ server, tickets, storage, seal, pagesOf, texts, clock, log }: DocumentRoutesOptions) => {
  server.route('GET', '/documents/:ticket', async ({ params, headers }) => {
    const requestId = tickets.open('document', params.ticket ?? '', clock.now());
    const stored = requestId === undefined ? undefined : await storage.signedDocuments.of(requestId);
    if (!stored) return pagesOf(undefined).gone(404, texts(negotiate(headers['accept-language'], 'en')));
    const file = Buffer.from(String(seal.open(stored.sealed, documentContext(stored.requestId))), 'base64');
    if (createHash('sha256').update(file).digest('hex') !== stored.fileDigest) {
      log.error(
        { component: 'documents', interaction: stored.requestId, code: 'document_damaged' },
        'a stored document is not the one that was signed',
      );
      throw new HttpProblem(500, 'document_damaged', 'This document is damaged and cannot be given out.');
    }
    const request = await storage.requests.get(stored.requestId);
    const words = texts(request?.language ?? 'en');
    const subject = request ? subjectOf(request, words) : stored.requestId;
    const { headers: named } = new Download(file, 'application/pdf', [subject, words.day(isoDay(stored.at))]);
    return { status: 200, headers: named, body: file };
  });
};
