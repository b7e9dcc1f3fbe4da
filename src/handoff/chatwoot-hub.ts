// The Chatwoot hub: each handoff is a conversation of an API inbox. What the customer writes is an incoming message,
// notes for agents are private, and the verification state is in custom attributes and a label. The bot reads what
// agents do, since callbacks may be lost, repeated or forged (decision 0130).
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Agent as Connections } from 'undici';
import { type Clock, systemClock } from '../platform/clock.ts';
import type { Posted } from '../platform/webhook-post.ts';
import type { HandoffRecord, PendingLetter } from '../storage/index.ts';
import type { VerificationState } from '../verification/index.ts';
import { contextOf, type FlatContext, type HandoffCase, verifiedContext } from './case.ts';
import { type ChatwootApi, ChatwootFault, makeChatwootApi, type NewMessage } from './chatwoot-api.ts';
import { type LetterData, noteOf, refusalNote, transcriptNote, writtenBy } from './chatwoot-notes.ts';
import { agentSteps } from './chatwoot-steps.ts';
import { makeHubConnections } from './connections.ts';
import type { Brought, Hub } from './hub.ts';

export interface ChatwootHubOptions {
  /** Chatwoot's address, such as `https://app.chatwoot.com`. */
  readonly url: string;
  /** The access token of an administrator made for the bot. */
  readonly token: string;
  /** The numbers of the account and of its API inbox. */
  readonly account: number;
  readonly inbox: number;
  /** Unset: own connections, for as long as the program runs. */
  readonly connections?: Connections | undefined;
  readonly clock?: Clock | undefined;
}

/** The most time (ms) for delivering a letter, which may take several calls. */
const patienceMs = 15_000;
/** A letter older than this (ms) may already have been delivered by a process that died. */
const fresh = 10_000;

/** The labels of the verification states. */
const stateLabels = { verified: 'cs-verified', expired: 'cs-expired', failed: 'cs-failed', none: 'cs-not-verified' } as const;

/** A chat's name in Chatwoot, which does not identify the customer. */
const nameOf = (conversation: string) => createHash('sha256').update(`chatwoot contact ${conversation}`).digest('hex').slice(0, 32);

/** A hub for one Chatwoot inbox. */
export const makeChatwootHub = ({ clock = systemClock, connections = makeHubConnections(), ...place }: ChatwootHubOptions): Hub => {
  const { origin } = new URL(place.url);
  const api = makeChatwootApi({ ...place, connections, clock });
  /** The verification state last sent for each conversation: most messages do not change it. */
  const told = new LRUCache<string, string>({ max: 1000 });
  /** Agents' e-mail addresses by their numbers: messages do not include them. */
  let addresses = new Map<number, string>();
  const addressOf = async (id: number, signal: AbortSignal) => {
    if (!addresses.has(id)) addresses = new Map((await api.agents(signal)).flatMap(({ id: one, email }) => (email ? [[one, email]] : [])));
    return addresses.get(id);
  };

  const bring = async (letter: PendingLetter, handoff: HandoffRecord, assertion: string | undefined, signal: AbortSignal) => {
    const { type, data } = letter as { type: string; data: LetterData };
    if (type === 'requested') return { place: await request(api, letter, handoff, assertion, clock, signal) };
    const { place } = handoff;
    if (place === undefined) throw new ChatwootFault('no_conversation', 404);
    const post = once(api, place, letter, clock, signal);
    const { verification } = data;
    if (verification && !(type === 'message' && told.get(place) === JSON.stringify(verification))) {
      await stand(api, place, { ...verifiedContext(verification), cs_assertion: assertion }, verification, signal);
      told.set(place, JSON.stringify(verification));
    }
    const words = type === 'message' && data.message ? writtenBy(data.message) : undefined;
    const note = noteOf(type, data);
    if (words !== undefined) await post(letter.id, { content: words, message_type: 'incoming' });
    if (note !== undefined) await post(letter.id, { content: note, message_type: 'outgoing', private: true });
    if (type === 'ended') await api.setStatus(place, 'resolved', signal);
    // An agent who has a message will answer soon.
    return type === 'message' ? { place } : {};
  };

  return {
    name: 'chatwoot',
    audience: origin,

    bring: async (letter, handoff, assertion, stop): Promise<Brought> => {
      try {
        const signal = AbortSignal.any([stop, AbortSignal.timeout(patienceMs)]);
        return { arrived: true, ...(await bring(letter, handoff, assertion, signal)) };
      } catch (fault) {
        return failedBy(fault);
      }
    },

    look: async (handoff, signal) => {
      const { place, seen = 0, state } = handoff;
      if (place === undefined) return [];
      const now = await api.conversation(place, signal).catch((fault: unknown) => {
        if (!(fault instanceof ChatwootFault) || fault.status !== 404) throw fault;
        return undefined;
      });
      // Agents have deleted the conversation, so the customer must not wait for an answer.
      if (!now) return state === 'over' ? [] : [{ act: { kind: state === 'requested' ? 'fail' : 'return' } }];
      const messages = [];
      for (let after = seen; ; ) {
        const page = await api.messages(place, after, signal);
        messages.push(...page);
        after = page.at(-1)?.id ?? after;
        if (page.length < wholePage) break;
      }
      const { verification } = handoff as { verification?: VerificationState };
      // Only the clock tells that a verification has expired.
      if (verification?.state === 'verified' && clock.now() >= verification.until && now.custom_attributes?.cs_verified === true) {
        const expired = { ...verification, state: 'expired' } as const;
        await stand(api, place, verifiedContext(expired), expired, signal);
      }
      return agentSteps(handoff, now, messages, { origin, addressOf: (id) => addressOf(id, signal) });
    },

    tellRefused: async ({ place }, step, why, signal) => {
      if (place === undefined) return;
      const note = { content: refusalNote(step.act, why), message_type: 'outgoing', private: true } as const;
      const name = `refused ${step.upTo ?? step.act.kind}`;
      await add(api, place, name, note, signal);
    },
  };
};

/** This many messages are a full page; there may be more. */
const wholePage = 100;

/** Opens a conversation, or finds the one that an earlier attempt opened before it broke off. */
const request = async (
  api: ChatwootApi,
  letter: PendingLetter,
  handoff: HandoffRecord,
  assertion: string | undefined,
  clock: Clock,
  signal: AbortSignal,
): Promise<string> => {
  const about = letter.data as HandoffCase;
  const name = nameOf(handoff.conversation);
  const known = await api.findContact(name, signal);
  const contact = known ?? (await api.addContact(name, `Chat ${name.slice(0, 6).toUpperCase()}`, signal));
  const all = known ? await api.conversationsOf(contact.id, signal) : [];
  const context = contextOf(about, assertion);
  const opened =
    all.find(({ custom_attributes: has }) => has?.cs_handoff === handoff.id) ??
    (await api.addConversation(contact.id, name, { cs_handoff: handoff.id, ...context }, signal));
  const place = String(opened.id);
  const post = once(api, place, letter, clock, signal);
  const lines = transcriptNote(about.transcript);
  if (lines !== undefined) await post(`${letter.id} transcript`, { content: lines, message_type: 'outgoing', private: true });
  await post(letter.id, { content: String(context.va_AgentMessage), message_type: 'outgoing', private: true });
  if (about.note !== undefined) await post(`${letter.id} note`, { content: about.note, message_type: 'incoming' });
  await label(api, place, [stateLabels[about.verification.state], `cs-${about.reason.replaceAll('_', '-')}`], signal);
  // Otherwise a bot of the inbox would handle it first.
  if (opened.status === 'pending') await api.setStatus(place, 'open', signal);
  return place;
};

type Unnamed = Omit<NewMessage, 'content_attributes'>;

const add = (api: ChatwootApi, place: string, name: string, message: Unnamed, signal: AbortSignal) =>
  api.addMessage(place, { ...message, content_attributes: { cs_letter: name } }, signal);

/** Writes each message once, by its name: if an earlier attempt may have written it, the conversation is read first. */
const once = (api: ChatwootApi, place: string, { attempts, createdAt }: PendingLetter, clock: Clock, signal: AbortSignal) => {
  const mayBeThere = attempts > 0 || clock.now() - createdAt > fresh;
  return async (name: string, message: Unnamed): Promise<void> => {
    const there = mayBeThere ? await api.messages(place, undefined, signal) : [];
    if (!there.some(({ content_attributes: has }) => has?.cs_letter === name)) await add(api, place, name, message, signal);
  };
};

/** Sets the attributes of the verification state, and keeps the agents' own. */
const stand = async (
  api: ChatwootApi,
  place: string,
  said: Readonly<Record<string, FlatContext[string] | undefined>>,
  { state }: VerificationState,
  signal: AbortSignal,
): Promise<void> => {
  const { custom_attributes: before } = await api.conversation(place, signal);
  const kept = Object.entries(before ?? {}).filter(([key]) => !ofStanding.has(key));
  const all = { ...Object.fromEntries(kept), ...said };
  if (JSON.stringify(sorted(all)) !== JSON.stringify(sorted(before ?? {}))) await api.setAttributes(place, all, signal);
  if (before?.cs_verification !== state) await label(api, place, [stateLabels[state]], signal);
};

const ofStanding: ReadonlySet<string> = new Set([
  'cs_verified',
  'cs_verification',
  'cs_verified_method',
  'cs_verified_at',
  'cs_verified_until',
  'cs_customer_ref',
  'cs_failed_tries',
  'cs_assertion',
]);

const sorted = (entries: object) =>
  Object.entries(entries)
    .filter(([, value]) => value !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1));

/** Adds labels, keeps the agents' own, and replaces the label of an earlier state. */
const label = async (api: ChatwootApi, place: string, labels: readonly string[], signal: AbortSignal): Promise<void> => {
  const before = await api.labels(place, signal);
  const states: readonly string[] = Object.values(stateLabels);
  const after = [...new Set([...before.filter((one) => !states.includes(one)), ...labels])];
  if (after.join() !== before.join()) await api.setLabels(place, after, signal);
};

const failedBy = (fault: unknown): Posted => {
  if (!(fault instanceof ChatwootFault)) throw fault;
  const { code, retryAfterMs, status } = fault;
  // A deleted conversation does not come back, and a request that breaks a rule of Chatwoot's will never be accepted.
  return { arrived: false, gone: status === 404 || status === 410 || status === 422, code, retryAfterMs };
};
