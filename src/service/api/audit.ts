// The operations on audit trails: as data, and as a certificate that can be handed on.
import { z } from 'zod';
import { ulid } from '../../contract/index.ts';
import { HttpProblem } from '../../platform/http-problem.ts';
import type { MakeCertificate } from '../audit/certificate.ts';
import type { ReadTrail } from '../audit/report.ts';
import { isLanguage, type Language, negotiate } from '../languages.ts';
import type { Requests } from '../store/requests.ts';
import type { AddOperation } from './operations.ts';

export interface AuditOperationsOptions {
  readonly add: AddOperation;
  readonly requests: Requests;
  readonly readTrail: ReadTrail;
  readonly makeCertificate: MakeCertificate;
  /** The language of the account's own texts, for whoever asks for no other. */
  readonly contentLanguage: string;
}

const schema = z.object({ id: ulid.toUpperCase() });

export const addAuditOperations = ({ add, requests, readTrail, makeCertificate, contentLanguage }: AuditOperationsOptions) => {
  const [primary = ''] = contentLanguage.split('-', 1);
  const own: Language = isLanguage(primary) ? primary : 'en';
  const find = async (accountId: string, id: string) => {
    const request = await requests.find(accountId, id);
    if (!request) throw new HttpProblem(404, 'not_found', 'There is no such request.');
    return request;
  };

  add({
    method: 'GET',
    path: '/requests/:id/audit',
    from: 'path',
    schema,
    answer: async ({ account, input: { id } }) => readTrail(await find(account.id, id)),
  });

  add({
    method: 'GET',
    path: '/requests/:id/audit.pdf',
    from: 'path',
    schema,
    headers: ({ id }) => ({ 'Content-Type': 'application/pdf', 'Content-Disposition': `attachment; filename="${id}-audit.pdf"` }),
    answer: async ({ account, input: { id }, request: { headers } }) => {
      const request = await find(account.id, id);
      const trail = await readTrail(request);
      // Nobody certifies what is not whole; the data tells what is wrong with it.
      if (!trail.intact)
        throw new HttpProblem(500, 'audit_damaged', 'The audit trail of this request was tampered with and cannot be certified.');
      return makeCertificate(request, trail, negotiate(headers['accept-language'], own));
    },
  });
};
