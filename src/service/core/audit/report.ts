// The audit trail of a request for its account, verified from the beginning at every read.

import { type AuditTrail, auditFacts } from '../../../contract/index.ts';
import { readJson } from '../../../platform/http/bounded-json.ts';
import type { ServiceContext } from '../context.ts';
import type { Request } from '../store/request.ts';
import { type Facts, faultIn, faultInEnding, instantOf } from './chain.ts';

/** Reads a request's trail. Any damage is reported and logged. */
export const makeReadTrail =
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
      entries: entries.map(({ at, detail, ...entry }) => ({ ...entry, timestamp: instantOf(at), detail: factsIn(detail) })),
    };
  };

/** Anything else that was written in place of facts is shown as text. */
const factsIn = (detail: string): Facts => {
  const reading = readJson(Buffer.from(detail), 4);
  return auditFacts.safeParse('value' in reading ? reading.value : undefined).data ?? { damaged: detail };
};
