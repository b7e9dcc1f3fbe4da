// A request's audit trail at the console, as data and as a certificate: the same as accounts get with their keys, for
// signed-in users.

import type { Looked } from '../../../platform/sign-in/accesses.ts';
import type { openAudit } from '../../core/audit/operations.ts';
import type { Request } from '../../core/store/request.ts';
import type { ConsolePage, Shown, Visit } from '../section.ts';

export type AuditParts = ReturnType<typeof openAudit>;

export const auditPages = (
  { readTrail, certify }: AuditParts,
  {
    find,
    looked,
    damaged,
  }: {
    /** The request of a visit. @throws {HttpProblem} 404 */
    readonly find: (visit: Visit) => Promise<Request>;
    readonly looked: (action: string) => (visit: Visit) => Looked;
    /** The request's page, with a notice that its trail was tampered with. */
    readonly damaged: (visit: Visit) => Promise<Shown>;
  },
): readonly ConsolePage[] => [
  {
    method: 'GET',
    path: '/requests/:id/audit',
    role: 'viewer',
    looked: looked('audit'),
    answer: async (visit) => {
      const trail = await readTrail(await find(visit));
      const headers = { 'Content-Type': 'application/json', 'Content-Disposition': `attachment; filename="${trail.id}-audit.json"` };
      return { status: 200, headers, body: JSON.stringify(trail, null, 2) };
    },
  },
  {
    method: 'GET',
    path: '/requests/:id/audit.pdf',
    role: 'viewer',
    looked: looked('certificate'),
    answer: async (visit) => {
      const request = await find(visit);
      const trail = await readTrail(request);
      // A damaged trail gets no certificate; the data tells what is wrong with it.
      if (!trail.intact) return damaged(visit);
      const { accountId: id } = request;
      // An account that is no longer in the catalogue still has its trails.
      const account = visit.accounts.find(id)?.account ?? { id, name: id };
      const { headers, file: body } = await certify(account, request, trail, visit.words.language);
      return { status: 200, headers, body };
    },
  },
];
