// The hub of our own desk (src/desk): its agents read our records, so an event has arrived as soon as it is stored.

import type { ActResult, AgentAct, HubEventDraft } from '../../escalation/index.ts';
import { newUlid } from '../../platform/secrets/new-id.ts';
import { withoutSecrets } from '../../platform/text/possible-codes.ts';
import type { Hub } from '../hub.ts';

/** Our own desk, which knows who is at it once it is open. */
export interface DeskHub extends Hub {
  /** From now on `staffed` says whether an agent is there. Until then none is. */
  open(staffed: () => boolean): void;
}

/** `newId` makes the ids of the agents' acts, unique across processes. */
export const makeDeskHub = (newId: () => string = newUlid): DeskHub => {
  let staffed = () => false;
  return {
    name: 'desk',
    audience: 'urn:countersign:handoff:desk',
    seesRunning: true,
    readsRecords: true,
    keeps: (act, { agent }, result) => {
      const kept = keptOf(act, newId, result);
      return kept && { type: kept.type, key: kept.key, data: { ...kept.data, ...(kept.by && agent && { agent }) } };
    },
    isStaffed: () => staffed(),
    open: (given) => {
      staffed = given;
    },
  };
};

/** `by`: the event says who did it. */
type Kept = HubEventDraft & { readonly by?: true };

const keptOf = (act: AgentAct, newId: () => string, result: ActResult | undefined): Kept | undefined => {
  switch (act.kind) {
    case 'accept':
    case 'come':
      return { type: 'joined', key: `joined ${newId()}`, data: { agent: act.agent } };
    case 'transfer': {
      const { agent, from, note } = act;
      const told = { ...(from && { from }), ...(note !== undefined && { note: withoutSecrets(note) }) };
      return { type: 'joined', key: `joined ${newId()}`, data: { agent, ...told } };
    }
    case 'say': {
      const { id, text, files = [] } = act;
      const said = { id, ...(text !== undefined && { text: withoutSecrets(text) }), ...(files.length > 0 && { attachments: files }) };
      return { type: 'said', key: `said ${id}`, data: { message: said }, by: true };
    }
    case 'start': {
      const { customerRef, phone } = (result && 'done' in result && result.interaction) || {};
      const whom = { ...(customerRef !== undefined && { customerRef }), ...(phone !== undefined && { phone }) };
      return {
        type: 'started',
        key: `started ${act.id}`,
        data: { interactionId: act.id, app: act.app, agentId: act.agentId, ...whom },
        by: true,
      };
    }
    case 'finish':
      return {
        type: 'ended',
        key: 'ended',
        data: { ending: 'finished', by: 'agent', ...(act.wrapUp !== undefined && { wrapUp: act.wrapUp }) },
      };
    case 'return':
      return { type: 'ended', key: 'ended', data: { ending: 'returned', by: 'agent' } };
    case 'fail':
      return { type: 'ended', key: 'ended', data: { ending: 'failed', by: 'agent' } };
    case 'release':
      return { type: 'released', key: `released ${newId()}`, data: { agent: act.agent } };
    // The turn itself reports the result of these.
    case 'cancel':
    case 'expire':
    case 'flow':
    case 'stop':
    case 'typing':
    case 'undelivered':
      return undefined;
    default:
      return act satisfies never;
  }
};
