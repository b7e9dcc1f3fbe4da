// The operations on audit trails: as data, and as a certificate for others.
import { auditTrail } from '../../../contract/index.ts';
import { HttpProblem } from '../../../platform/http/http-problem.ts';
import type { SealFile } from '../../pdf/sealing.ts';
import type { AddOperation } from '../api/operations.ts';
import { findRequest, requestPath } from '../api/requests.ts';
import type { AppContext } from '../app-context.ts';
import { isLanguage, negotiate } from '../languages.ts';
import { makeCertify } from './certificate.ts';
import { makeReadTrail } from './report.ts';

/** Audit trails for the account and the console: read, checked, and certified. Adds the account's operations. */
export const openAudit = (context: AppContext, add: AddOperation, sealFile: SealFile) => {
  const { accounts, storage } = context;
  const readTrail = makeReadTrail(context);
  const certify = makeCertify(context, sealFile);
  const find = (accountId: string, id: string) => findRequest(storage.requests, accountId, id);

  const about = { group: 'requests', method: 'GET', from: 'path', schema: requestPath } as const;
  add({
    ...about,
    id: 'requests.audit',
    summary: 'Read the audit trail of a request',
    description:
      'Who did what, what was shown, when, and from where. Each entry holds the SHA-256 of the previous one, and `intact` says whether the trail is still as the service wrote it.',
    path: '/requests/:id/audit',
    response: auditTrail,
    refuses: ['not_found'],
    answer: async ({ account, input: { id } }) => readTrail(await find(account.id, id)),
  });

  add({
    ...about,
    id: 'requests.certificate',
    summary: 'Get a certificate of the audit trail',
    description: 'The audit trail as a PDF, sealed like a signed document, in the best available language of `Accept-Language`.',
    path: '/requests/:id/audit.pdf',
    response: { file: 'application/pdf' },
    refuses: ['not_found', 'audit_damaged'],
    answer: async ({ account, input: { id }, request: { headers } }) => {
      const request = await find(account.id, id);
      const trail = await readTrail(request);
      // A damaged trail gets no certificate; the data shows what is wrong with it.
      if (!trail.intact)
        throw new HttpProblem(500, 'audit_damaged', 'The audit trail of this request was tampered with and cannot be certified.');
      const { account: owner, language } = accounts.of(account.id);
      const [primary = ''] = language.split('-', 1);
      const spoken = negotiate(headers['accept-language'], isLanguage(primary) ? primary : 'en');
      return certify(owner, request, trail, spoken);
    },
  });
  return { readTrail, certify };
};
