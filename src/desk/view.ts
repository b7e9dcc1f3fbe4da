// Turns our records into what the desk shows. Fields are copied one by one, so that no reference, passcode or form
// answer slips through.
import type { Agent, HandoffRecord, Line } from '../escalation/index.ts';
import type { HubEvent } from '../handoff/index.ts';
import type { Interaction } from '../interactions/index.ts';
import { type Reported, type Subject, stateAt, type VerificationState } from '../verification/index.ts';
import type { Badge, ChatEvent, DeskLine, Row, TimelineEntry } from './sockets/protocol.ts';

/** The verification state at `now`, from the last report, with the number of the person it is about. */
export const badgeOf = (reported: Reported, now: number): Badge => {
  const state = stateAt(reported, now);
  const whose = state.phone === undefined ? {} : { phone: state.phone };
  switch (state.state) {
    case 'verified':
    case 'expired': {
      const { at, method, until } = state;
      return { state: state.state, method, at, until, ...whose };
    }
    case 'failed':
      return { state: 'failed', tries: state.tries, at: state.at, ...whose };
    case 'none':
      return { state: 'none', ...whose };
    default:
      return state satisfies never;
  }
};

const named = ({ email, id, name }: Agent) => ({ id, name: name ?? email ?? id, ...(email !== undefined && { email }) });

/** @param handoff - one that is not over */
export const rowOf = (handoff: HandoffRecord, now: number): Row => {
  const { acceptedAt, agent, app, createdAt, dueAt, id, language, reason, said, state } = handoff;
  return {
    id,
    state: state === 'accepted' ? 'accepted' : 'requested',
    reason,
    language,
    createdAt,
    ...(app !== undefined && { app }),
    ...(dueAt !== undefined && { dueAt }),
    ...(acceptedAt !== undefined && { acceptedAt }),
    ...(agent && { agent: named(agent) }),
    ...(said !== undefined && state !== 'accepted' && { said }),
    badge: badgeOf(handoff, now),
  };
};

interface HubEventData {
  readonly reason?: string;
  readonly app?: string;
  /** Why a flow asks for a person, or the name of a flow that was started. */
  readonly flow?: string | { readonly name: string; readonly reason: string };
  readonly lines?: readonly (string | Line)[];
  readonly status?: string;
  readonly note?: string;
  readonly transcript?: readonly Line[];
  readonly verification?: VerificationState;
  readonly message?: { readonly id: string; readonly text?: string; readonly attachments?: readonly object[] };
  readonly agent?: { readonly id: string; readonly name?: string };
  readonly from?: { readonly id: string; readonly name?: string };
  readonly agentId?: string;
  /** Of whom the chat was about until then. */
  readonly before?: Subject;
  readonly interactionId?: string;
  readonly outcome?: { readonly app: string; readonly interactionId?: string; readonly status: string } & Subject;
  readonly ending?: string;
  readonly by?: string;
  readonly wrapUp?: string;
}

/** Somebody as the page shows them: see {@link Customers.whoIn}. */
export type NameOf = (person: Subject | undefined) => string | undefined;

const anotherIn = (who: string | undefined, before: string | undefined) =>
  who === undefined || before === undefined ? {} : { another: { who, before } };

/** An event as the page shows it; `undefined`: not shown. */
export const chatEventOf = ({ createdAt: at, data, number, type }: HubEvent, who: NameOf): ChatEvent | undefined => {
  const {
    agent,
    agentId,
    app,
    before,
    by = '',
    ending = '',
    flow,
    from,
    lines = [],
    message,
    note,
    interactionId,
    outcome,
    reason = '',
    status = '',
    transcript,
    verification,
    wrapUp,
  } = data as HubEventData;
  const when = { number, at };
  const agentName = agent ? named(agent).name : (agentId ?? '');
  const verified = verification?.state === 'verified' && at < verification.until;
  const another = anotherIn(verified ? who(verification) : undefined, who(before));
  const sentTo = (person: Subject, request: string | undefined) => {
    const whom = who(person);
    return { ...(request !== undefined && { request }), ...(whom !== undefined && { whom }) };
  };
  switch (type) {
    case 'requested':
      return {
        ...{ ...when, type, reason },
        ...(app !== undefined && { app }),
        ...(typeof flow === 'object' && { flow: { name: flow.name, reason: flow.reason } }),
        ...(note !== undefined && { note }),
        lines: (transcript ?? []).map(lineOf),
      };
    case 'waited':
      return { ...when, type, lines: lines.flatMap((line) => (typeof line === 'object' ? [lineOf(line)] : [])) };
    case 'message':
      return (
        message && {
          ...{ ...when, type, message: saidOf(message), verified, ...another },
          ...(verified && verification.phone !== undefined && { phone: verification.phone }),
        }
      );
    case 'said':
      return message && { ...when, type, message: saidOf(message), agent: agentName };
    case 'joined':
      return { ...when, type, agent: agentName, ...(from && { from: named(from).name }), ...(note !== undefined && { note }) };
    case 'released':
      return { ...when, type, agent: agentName };
    case 'started':
      return {
        ...{ ...when, type, agent: agentName, ...(agentId !== undefined && { by: agentId }) },
        ...(app !== undefined && { app, ...sentTo(data as Subject, interactionId) }),
        ...(typeof flow === 'string' && { flow }),
      };
    case 'bot':
      return { ...when, type, lines: lines.filter((line) => typeof line === 'string') };
    case 'flow':
      return { ...when, type, flow: String(flow), status };
    case 'outcome':
      return outcome && { ...when, type, app: outcome.app, status: outcome.status, ...sentTo(outcome, outcome.interactionId), ...another };
    case 'verification':
      return 'another' in another ? { ...when, type, ...another } : undefined;
    case 'ended':
      return { ...when, type, ending, by, ...(wrapUp !== undefined && { wrapUp }) };
    default:
      return undefined;
  }
};

const lineOf = ({ agent, at, from, phone, text, verified }: Line): Line => ({
  ...{ from, text, at },
  ...(agent !== undefined && { agent }),
  ...(verified && { verified, ...(phone !== undefined && { phone }) }),
});

const saidOf = ({ attachments = [], id, text }: NonNullable<HubEventData['message']>): DeskLine => ({
  id,
  ...(text !== undefined && { text }),
  files: attachments.flatMap((file) => {
    const { contentUrl, name } = file as { contentUrl?: unknown; name?: unknown };
    if (typeof contentUrl !== 'string' || !/^https?:\/\//.test(contentUrl)) return [];
    return [{ name: typeof name === 'string' && name !== '' ? name : 'file', url: contentUrl }];
  }),
});

/** Of an interaction, only its title, progress and outcome. */
export const timelineOf = ({ agentId, app, createdAt, id, outcome, progress, state, subject }: Interaction): TimelineEntry => ({
  ...{ id, app, at: createdAt, steps: { ...progress } },
  ...(subject !== undefined && { subject }),
  ...(outcome ? { status: outcome.status, endedAt: outcome.at } : ended.has(state) ? { status: state } : {}),
  ...(agentId !== undefined && { agent: agentId }),
});

/** States in which nothing is waited for any more, though there is no outcome. */
const ended: ReadonlySet<string> = new Set(['refused', 'unknown', 'unresolved', 'undeliverable', 'expired']);
