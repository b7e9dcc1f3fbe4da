// The hub of our own desk (src/desk): its agents read our records, so that a letter has arrived once it is written.
import { makeNewId } from '../platform/new-id.ts';
import { withoutSecrets } from '../platform/without-secrets.ts';
import type { AgentAct } from './acts.ts';
import type { Hub } from './hub.ts';

/** Our own desk, which knows who sits at it once it is open. */
export interface DeskHub extends Hub {
  /** From now on `staffed` says whether somebody is there. Until then nobody is. */
  open(staffed: () => boolean): void;
}

/** `newId` names what its agents do: different for each, also over processes. */
export const makeDeskHub = (newId: () => string = makeNewId()): DeskHub => {
  let staffed = () => false;
  return {
    name: 'desk',
    audience: 'urn:countersign:handoff:desk',
    seesRunning: true,
    readsRecords: true,
    keeps: (act, { agent }) => {
      const kept = keptOf(act, newId);
      return kept && { type: kept.type, key: kept.key, data: { ...kept.data, ...(kept.by && agent && { agent }) } };
    },
    isStaffed: () => staffed(),
    open: (given) => {
      staffed = given;
    },
  };
};

interface Kept {
  readonly type: string;
  readonly key: string;
  readonly data: object;
  /** Whether it says by whom. */
  readonly by?: true;
}

const keptOf = (act: AgentAct, newId: () => string): Kept | undefined => {
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
    case 'start':
      return { type: 'started', key: `started ${act.id}`, data: { interactionId: act.id, app: act.app, agentId: act.agentId }, by: true };
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
    // What comes of these is told by the turn itself.
    case 'expire':
    case 'flow':
    case 'stop':
    case 'typing':
      return undefined;
    default:
      return act satisfies never;
  }
};
