// The certificate of an audit trail as a download, named after its subject and day.
import type { AuditTrail } from '../../../contract/index.ts';
import { type Clock, isoDay } from '../../../platform/time/clock.ts';
import type { Account } from '../accounts.ts';
import { Download } from '../download.ts';
import type { Language } from '../languages.ts';
import { subjectOf } from '../lifecycle/subject.ts';
import type { Request } from '../store/request.ts';
import type { Texts } from '../texts.ts';
import type { MakeCertificate } from './certificate.ts';

/** Certifies an intact trail, in a language. */
export type Certify = (account: Pick<Account, 'name'>, request: Request, trail: AuditTrail, language: Language) => Promise<Download>;

export interface CertifyOptions {
  readonly makeCertificate: MakeCertificate;
  readonly texts: (language: Language) => Texts;
  readonly clock: Clock;
}

export const makeCertify =
  ({ makeCertificate, texts, clock }: CertifyOptions): Certify =>
  async (account, request, trail, language) => {
    const words = texts(language);
    const name = [words.t('audit.title'), subjectOf(request, words), words.day(isoDay(clock.now()))];
    return new Download(await makeCertificate(account, request, trail, language), 'application/pdf', name);
  };
