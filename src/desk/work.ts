// What people at the desk may see and do, and what is logged about it. Everything is recorded before it is shown or
// done.
import { LRUCache } from 'lru-cache';
import type { ActResult, Agent, AgentAct, HandoffRecord, HubEvent } from '../handoff/index.ts';
import type { HttpRequest } from '../platform/http/http-server.ts';
import type { RecordAccess } from '../sign-in/accesses.ts';
import { agentIdOf, owns } from './agents.ts';
import type { DeskContext } from './context.ts';
import type { Customers } from './customers.ts';
import type { DeskRole } from './desk-store.ts';
import type { Overview } from './overview.ts';
import type { Presence } from './presence.ts';
import type { RunningChats } from './running.ts';
import type { DeskAct, PageFrame } from './sockets/protocol.ts';
import { type ChatEvent, chatEventOf } from './view.ts';

/** Somebody at the desk who asks for something. */
export interface Visit {
  readonly agent: Agent & { readonly name: string };
  readonly role: DeskRole;
  /** Their session, as the list of sessions names it. */
  readonly session: string;
  readonly call: Pick<HttpRequest, 'clientAddress'>;
}

/** A frame that expects an answer. */
type Question = Extract<PageFrame, { readonly ref: string }>;
type Reply = { readonly value?: unknown } | { readonly refused: string };

/** Channels show a typing indicator for some seconds, so it is sent at most this often (ms) per conversation. */
const typingMs = 3_000;
/** Events per page. */
const page = 200;
const accessesShown = 100;

/** What an agent may do in a conversation that they do not have. */
const forAnybody: ReadonlySet<DeskAct['kind']> = new Set(['accept', 'decline', 'take']);

/** Events that name somebody. */
const namesSomebody = ({ data, type }: HubEvent) => type === 'started' || type === 'outcome' || 'before' in data;

/** What only a supervisor may ask for. */
const forSupervisors: ReadonlySet<Question['type']> = new Set(['overview', 'accesses', 'sessions', 'end-session', 'invite']);

export type Work = ReturnType<typeof makeWork>;

/** What one place where people see conversations gives: the desk, or the panel in another platform's page. */
export interface WorkPlace {
  readonly hub: string;
  readonly customers: Customers;
  readonly presence: Pick<Presence, 'colleagues'>;
  readonly running: Pick<RunningChats, 'find'>;
  readonly overview: () => Promise<Overview>;
  readonly record: RecordAccess<DeskRole>;
  /** A link with which somebody else can sign in once. `undefined`: people sign in through a provider. */
  readonly invite: (() => string) | undefined;
  /** The permitted acts. Unset: all. */
  readonly acts?: readonly DeskAct['kind'][];
}

export const makeWork = (
  { agents, clock, flows, store: { sessions } }: Pick<DeskContext, 'agents' | 'clock' | 'flows' | 'store'>,
  { hub, customers, presence, running, overview, record, invite, acts }: WorkPlace,
) => {
  const shown = new LRUCache<string, true>({ max: 2_000, ttl: typingMs });

  const note = ({ agent: { email, id, name }, call, role }: Visit, action: string, subject = '') =>
    record({ person: name, subject: id, email, role }, { action, subject }, call);

  const act = async (visit: Visit, id: string, wanted: DeskAct): Promise<Reply> => {
    const handoff = await agents.of(hub, id);
    if (!handoff) return { refused: 'over' };
    if (acts && !acts.includes(wanted.kind)) return { refused: 'forbidden' };
    const does = actOf(visit, handoff, wanted, presence);
    if (typeof does === 'string') return { refused: does };
    // Logging every message would drown everything else; that the agent has the chat is logged.
    if (wanted.kind !== 'say') await note(visit, wanted.kind, id);
    return replyOf(await agents.act(handoff, does, forAnybody.has(wanted.kind) ? undefined : handoff.agent?.id));
  };

  return {
    /** Whether the conversation exists; the look at it is recorded. */
    open: async (visit: Visit, id: string): Promise<boolean> => {
      if (!(await agents.of(hub, id))) return false;
      await note(visit, 'open', id);
      return true;
    },

    /** Shows the customer that the agent is typing, at a limited rate. */
    typing: async ({ agent }: Visit, id: string): Promise<void> => {
      if (shown.has(id)) return;
      shown.set(id, true);
      const handoff = await agents.of(hub, id);
      if (handoff && owns(agent, handoff) && handoff.state !== 'over') await agents.act(handoff, { kind: 'typing' }, handoff.agent?.id);
    },

    /** Records the look at the list of chats that are with the bot. */
    lookAround: (visit: Visit): Promise<void> => note(visit, 'running'),

    /** The events of a conversation after a number, up to `last`, and whether there is `more`. */
    happened: async (
      id: string,
      after: number,
    ): Promise<{ readonly events: readonly ChatEvent[]; readonly last: number; readonly more: boolean }> => {
      const [handoff, stored] = await Promise.all([agents.of(hub, id), agents.events(id, after, page)]);
      const who = handoff && stored.some(namesSomebody) ? await customers.whoIn(handoff) : () => undefined;
      const events = stored.flatMap((event) => chatEventOf(event, who) ?? []);
      return { events, last: stored.at(-1)?.number ?? after, more: stored.length === page };
    },

    panel: async (id: string) => {
      const handoff = await agents.of(hub, id);
      return handoff && customers.panel(handoff);
    },

    answer: async (visit: Visit, frame: Question): Promise<Reply> => {
      if (forSupervisors.has(frame.type) && visit.role !== 'supervisor') {
        await note(visit, 'refused', frame.type);
        return { refused: 'forbidden' };
      }
      switch (frame.type) {
        case 'act':
          return act(visit, frame.id, frame.act);
        case 'options': {
          const handoff = await agents.of(hub, frame.id);
          if (!handoff || !owns(visit.agent, handoff)) return { refused: 'not_yours' };
          if (handoff.state === 'over') return { refused: 'over' };
          await note(visit, 'look-up', frame.id);
          const found = await customers.options(handoff, frame.app, frame.phoneNumber);
          return typeof found === 'string' ? { refused: found } : { value: found };
        }
        case 'flows':
          return { value: flows(frame.language) };
        case 'come': {
          await note(visit, 'come', frame.id);
          const chat = await running.find(frame.id);
          return chat ? replyOf(await agents.come(hub, chat, publicOf(visit.agent))) : { refused: 'over' };
        }
        case 'find': {
          const found = await agents.at(hub, frame.place);
          return found ? { value: found.id } : { refused: 'unknown' };
        }
        case 'overview':
          return { value: await overview() };
        case 'accesses': {
          const found = await sessions.accesses(frame.before, accessesShown);
          return {
            value: found.map(({ action, address, at, id, person, role, subject }) => ({ action, address, at, id, person, role, subject })),
          };
        }
        case 'sessions': {
          await note(visit, 'sessions');
          const open = await sessions.open(clock.now());
          return {
            value: open.map(({ address, begunAt, email, id, person, role, seenAt, subject }) => ({
              ...{ id, person, subject: email ?? subject, role, address, begunAt, own: id === visit.session },
              ...(seenAt !== undefined && { seenAt }),
            })),
          };
        }
        case 'end-session':
          await note(visit, 'end-session', frame.session.slice(0, 8));
          await sessions.end(frame.session);
          return {};
        case 'invite':
          await note(visit, 'invite');
          return invite ? { value: invite() } : { refused: 'forbidden' };
        default:
          return frame satisfies never;
      }
    },
  };
};

/**
 * What an act of the page means; a word if it is not permitted. A conversation has one owner, and nobody else writes in
 * it.
 */
const actOf = ({ agent: who }: Visit, handoff: HandoffRecord, act: DeskAct, presence: WorkPlace['presence']): AgentAct | string => {
  const agent = publicOf(who);
  if (act.kind === 'accept') return { kind: 'accept', agent };
  if (act.kind === 'take') return handoff.state === 'requested' ? { kind: 'accept', agent } : { kind: 'transfer', agent };
  if (handoff.state === 'over') return 'over';
  if (act.kind === 'decline') return { kind: 'fail' };
  if (!owns(who, handoff)) return 'not_yours';
  switch (act.kind) {
    case 'say':
    case 'finish':
    case 'return':
    case 'stop':
      return act;
    case 'cancel':
    case 'flow':
    case 'start':
      return { ...act, agentId: agentIdOf(who) };
    case 'transfer': {
      const to = presence.colleagues().find(({ id }) => id === act.to);
      return to ? { kind: 'transfer', agent: { id: to.id, name: to.name }, from: agent, note: act.note } : 'nobody';
    }
    default:
      return act satisfies never;
  }
};

/** What colleagues and records get of an agent. */
const publicOf = ({ id, name }: Visit['agent']) => ({ id, name });

const replyOf = (result: ActResult): Reply =>
  'refused' in result
    ? { refused: result.refused }
    : { value: result.handoff === undefined ? (result.interaction ?? {}) : { id: result.handoff } };
