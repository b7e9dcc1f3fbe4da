// Turns our records into what the desk shows. Fields are copied one by one, so that no reference, passcode or form
// answer slips through.

import type { Line } from '../../dialogs/index.ts';
import type { Agent, HandoffRecord, HubEvent } from '../handoff/index.ts';
import type { Interaction } from '../interactions/index.ts';
import { type Reported, type Subject, stateAt, type VerificationState } from '../verification/index.ts';

/**
 * The verification state, without the customer; `phone`: the masked number of the person whom it is about. Instants are
 * epoch milliseconds.
 */
export type Badge = { readonly phone?: string } & (
  | { readonly state: 'verified' | 'expired'; readonly method: string; readonly at: number; readonly until: number }
  | { readonly state: 'failed'; readonly tries: number; readonly at: number }
  | { readonly state: 'none' }
);

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

/** A conversation in the list. */
export type Row = ReturnType<typeof rowOf>;

/** @param handoff - one that is not over */
export const rowOf = (handoff: HandoffRecord, now: number) => {
  const { acceptedAt, agent, app, createdAt, dueAt, id, language, reason, said, state } = handoff;
  return {
    id,
    state: state === 'accepted' ? ('accepted' as const) : ('requested' as const),
    reason,
    language,
    createdAt,
    ...(app !== undefined && { app }),
    ...(dueAt !== undefined && { dueAt }),
    ...(acceptedAt !== undefined && { acceptedAt }),
    ...(agent && { agent: named(agent) }),
    // Something that a waiting customer has said, without numbers and addresses.
    ...(said !== undefined && state !== 'accepted' && { said }),
    badge: badgeOf(handoff, now),
  };
};

/** Something that happened in a conversation. */
export type ChatEvent = { readonly number: number; readonly at: number } & (
  | {
      readonly type: 'requested';
      readonly reason: string;
      readonly app?: string;
      readonly flow?: { readonly name: string; readonly reason: string };
      readonly note?: string;
      readonly lines: readonly Line[];
    }
  /** What was said before an agent joined. */
  | { readonly type: 'waited'; readonly lines: readonly Line[] }
  /** `verified`: the customer was, then; the one with this number, which is masked. */
  | ({ readonly type: 'message'; readonly message: DeskLine; readonly verified: boolean; readonly phone?: string } & Another)
  | { readonly type: 'said'; readonly message: DeskLine; readonly agent: string }
  /** `from`: the colleague who transferred it. */
  | { readonly type: 'joined'; readonly agent: string; readonly from?: string; readonly note?: string }
  /** The agent was not at the desk any more, so the conversation is back in the queue. */
  | { readonly type: 'released'; readonly agent: string }
  /** `by`: the agent, as results name them. */
  | ({ readonly type: 'started'; readonly app?: string; readonly flow?: string; readonly agent: string; readonly by?: string } & Whom)
  /** What the bot said in a flow that the agent started. */
  | { readonly type: 'bot'; readonly lines: readonly string[] }
  | { readonly type: 'flow'; readonly flow: string; readonly status: string }
  | ({ readonly type: 'outcome'; readonly app: string; readonly status: string } & Whom & Another)
  | ({ readonly type: 'verification' } & Another)
  | { readonly type: 'ended'; readonly ending: string; readonly by: string; readonly wrapUp?: string }
);

/** The request, as the timeline names it, and whom it was sent to, masked. */
interface Whom {
  readonly request?: string;
  readonly whom?: string;
}

/** Set if somebody else was verified than the chat was about until then; masked. */
interface Another {
  readonly another?: { readonly who: string; readonly before: string };
}

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

/** Somebody as the page shows them: see `whoIn` in customers.ts. */
export type NameOf = (person: Subject | undefined) => string | undefined;

const anotherIn = (who: string | undefined, before: string | undefined) =>
  who === undefined || before === undefined ? {} : { another: { who, before } };

/** An event as the page shows it; `undefined`: not shown. */
export const chatEventOf = ({ createdAt: at, data, number, type }: HubEvent, who: NameOf): ChatEvent | undefined => {
  const event = data as HubEventData;
  const { agent, agentId, app, flow, lines = [], message, note, outcome, verification } = event;
  const when = { number, at };
  const agentName = agent ? named(agent).name : (agentId ?? '');
  const verified = verification?.state === 'verified' && at < verification.until;
  const another = anotherIn(verified ? who(verification) : undefined, who(event.before));
  const sentTo = (person: Subject, request: string | undefined) => {
    const whom = who(person);
    return { ...(request !== undefined && { request }), ...(whom !== undefined && { whom }) };
  };
  switch (type) {
    case 'requested':
      return {
        ...{ ...when, type, reason: event.reason ?? '' },
        ...(app !== undefined && { app }),
        ...(typeof flow === 'object' && { flow: { name: flow.name, reason: flow.reason } }),
        ...(note !== undefined && { note }),
        lines: (event.transcript ?? []).map(lineOf),
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
      return { ...when, type, agent: agentName, ...(event.from && { from: named(event.from).name }), ...(note !== undefined && { note }) };
    case 'released':
      return { ...when, type, agent: agentName };
    case 'started':
      return {
        ...{ ...when, type, agent: agentName, ...(agentId !== undefined && { by: agentId }) },
        ...(app !== undefined && { app, ...sentTo(data as Subject, event.interactionId) }),
        ...(typeof flow === 'string' && { flow }),
      };
    case 'bot':
      return { ...when, type, lines: lines.filter((line) => typeof line === 'string') };
    case 'flow':
      return { ...when, type, flow: String(flow), status: event.status ?? '' };
    case 'outcome':
      return outcome && { ...when, type, app: outcome.app, status: outcome.status, ...sentTo(outcome, outcome.interactionId), ...another };
    case 'verification':
      return 'another' in another ? { ...when, type, ...another } : undefined;
    case 'ended':
      return {
        ...{ ...when, type, ending: event.ending ?? '', by: event.by ?? '' },
        ...(event.wrapUp !== undefined && { wrapUp: event.wrapUp }),
      };
    default:
      return undefined;
  }
};

const lineOf = ({ agent, at, from, phone, text, verified }: Line): Line => ({
  ...{ from, text, at },
  ...(agent !== undefined && { agent }),
  ...(verified && { verified, ...(phone !== undefined && { phone }) }),
});

type DeskLine = ReturnType<typeof saidOf>;

const saidOf = ({ attachments = [], id, text }: NonNullable<HubEventData['message']>) => ({
  id,
  ...(text !== undefined && { text }),
  files: attachments.flatMap((file) => {
    const { contentUrl, name } = file as { contentUrl?: unknown; name?: unknown };
    if (typeof contentUrl !== 'string' || !/^https?:\/\//.test(contentUrl)) return [];
    return [{ name: typeof name === 'string' && name !== '' ? name : 'file', url: contentUrl }];
  }),
});

/** A use of an app, in the timeline. */
export type TimelineEntry = ReturnType<typeof timelineOf>;

/** What the timeline says of an interaction beyond its record. */
interface TimelineDetails {
  /** What is to be paid, in major units. */
  readonly price: { readonly amount: number; readonly currency: string } | undefined;
  /** The number that the chat and the customer's device show. */
  readonly compare: string | undefined;
  /** Whom it was sent to, masked, if that is not the panel's customer. */
  readonly whom: string | undefined;
}

/** Of an interaction, only its title, progress and outcome. Without a status it is not finished. */
export const timelineOf = (
  { agentId, app, createdAt, id, outcome, progress, state, subject }: Interaction,
  { compare, price, whom }: TimelineDetails,
) => ({
  ...{ id, app, at: createdAt, steps: { ...progress } },
  ...(subject !== undefined && { subject }),
  ...(price && { price }),
  ...(compare !== undefined && { compare }),
  ...(whom !== undefined && { whom }),
  ...((outcome || ended.has(state)) && { status: outcome?.status ?? state }),
  ...(outcome && { endedAt: outcome.at }),
  // Who sent it, as results name them.
  ...(agentId !== undefined && { agent: agentId }),
});

/** States in which nothing is waited for any more, though there is no outcome. */
const ended: ReadonlySet<string> = new Set(['refused', 'unknown', 'unresolved', 'undeliverable', 'expired']);
