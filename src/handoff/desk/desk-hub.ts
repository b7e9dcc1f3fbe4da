// The hub of our own desk (src/desk): its agents read our records, so an event has arrived as soon as it is stored.

import { newUlid } from '../../platform/secrets/new-id.ts';
import { withoutSecrets } from '../../platform/text/possible-codes.ts';
import type { ActResult, AgentAct } from '../agent-act.ts';
import type { Hub } from '../hub.ts';
import type { HubEventDraft } from '../record.ts';

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
    keepsEnds: true,
    keeps: (act, { agent }, result) => keptOf(act, newId, agent && { agent }, result),
    isStaffed: () => staffed(),
    open: (given) => {
      staffed = given;
    },
  };
};

/** `by`: whose chat it is, for events that say who did it. */
const keptOf = (act: AgentAct, newId: () => string, by: object | undefined, result: ActResult | undefined): HubEventDraft | undefined => {
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
      return { type: 'said', key: `said ${id}`, data: { message: said, ...by } };
    }
    case 'start': {
      const { customerRef, phone } = (result && 'done' in result && result.interaction) || {};
      const whom = { ...(customerRef !== undefined && { customerRef }), ...(phone !== undefined && { phone }) };
      const { agentId, app, id: interactionId } = act;
      return { type: 'started', key: `started ${interactionId}`, data: { interactionId, app, agentId, ...whom, ...by } };
    }
    case 'release':
      return { type: 'released', key: `released ${newId()}`, data: { agent: act.agent } };
    // The turn itself reports the result of these, and the end.
    case 'cancel':
    case 'expire':
    case 'fail':
    case 'finish':
    case 'flow':
    case 'return':
    case 'stop':
    case 'typing':
    case 'undelivered':
      return undefined;
    default:
      return act satisfies never;
  }
};
