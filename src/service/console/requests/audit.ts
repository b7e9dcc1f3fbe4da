// A request's audit trail at the console, as data and as a certificate: the same as accounts get with their keys, for
// signed-in users.

import type { Answer } from '../../../platform/http/http-server.ts';
import type { openAudit } from '../../core/audit/operations.ts';
import type { Request } from '../../core/store/request.ts';
import type { Visit } from '../section.ts';

export type AuditParts = ReturnType<typeof openAudit>;

/** A trail as a file. */
export const trailFile = (trail: Awaited<ReturnType<AuditParts['readTrail']>>): Answer => {
  const headers = { 'Content-Type': 'application/json', 'Content-Disposition': `attachment; filename="${trail.id}-audit.json"` };
  return { status: 200, headers, body: JSON.stringify(trail, null, 2) };
};

/** A request's certificate; `undefined` if its trail is damaged: the trail itself tells what is wrong with it. */
export const certificateFile = async ({ readTrail, certify }: AuditParts, request: Request, { accounts, words }: Visit) => {
  const trail = await readTrail(request);
  if (!trail.intact) return undefined;
  const { accountId: id } = request;
  // An account that is no longer in the catalogue still has its trails.
  const account = accounts.find(id)?.account ?? { id, name: id };
  const { headers, file: body } = await certify(account, request, trail, words.language);
  return { status: 200, headers, body } satisfies Answer;
};
