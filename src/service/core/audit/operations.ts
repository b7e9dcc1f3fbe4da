// Audit trails for accounts, verified from the beginning at every read: as data, and as a certificate for others.
import { type AuditTrail, auditFacts, auditTrail } from '../../../contract/index.ts';
import { readJson } from '../../../platform/http/bounded-json.ts';
import { HttpProblem } from '../../../platform/http/http-problem.ts';
import { nearestLanguage, negotiateLanguage } from '../../../platform/text/languages.ts';
import type { SealFile } from '../../pdf/sealing.ts';
import type { AddOperation } from '../api/operations.ts';
import { findRequest, requestPath } from '../api/requests.ts';
import type { AppContext } from '../app-context.ts';
import type { ServiceContext } from '../context.ts';
import type { Request } from '../store/request.ts';
import type { Facts } from './actions.ts';
import { makeCertify } from './certificate.ts';
import { faultIn, faultInEnding, instantOf } from './chain.ts';

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
      const spoken = negotiateLanguage(headers['accept-language'], nearestLanguage(language));
      return certify(owner, request, trail, spoken);
    },
  });
  return { readTrail, certify };
};

/** Reads a request's trail. Any damage is reported and logged. */
const makeReadTrail =
  ({ storage, seal, log }: ServiceContext) =>
  async ({ id, app, state }: Request): Promise<AuditTrail> => {
    const stored = await storage.trail.of(id);
    const { entries = [], head = { seq: 0, hash: '', seal: '' }, ended = { state, result: null } } = stored ?? {};
    const fault = faultIn(id, entries, head, seal.isEndOfTrail) ?? faultInEnding(entries, ended);
    if (fault) log.error({ component: 'audit', interaction: id, code: `audit_${fault.reason}` }, 'an audit trail was tampered with');
    return {
      id,
      app,
      state: ended.state as AuditTrail['state'],
      head: { seq: head.seq, hash: head.hash },
      intact: fault === undefined,
      ...(fault && { fault }),
      entries: entries.map(({ at, detail, user_agent: userAgent, ...entry }) => ({
        ...entry,
        userAgent,
        timestamp: instantOf(at),
        detail: factsIn(detail),
      })),
    };
  };

/** Anything else that was written in place of facts is shown as text. */
const factsIn = (detail: string): Facts => {
  const reading = readJson(Buffer.from(detail), 4);
  return auditFacts.safeParse('value' in reading ? reading.value : undefined).data ?? { damaged: detail };
};
