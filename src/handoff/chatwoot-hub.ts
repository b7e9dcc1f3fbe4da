// The hub of Chatwoot: each handoff is a conversation of an inbox of the kind API. What the customer writes is incoming,
// what concerns agents alone is a private note, and how the customer stands is a custom attribute and a label. What
// agents do is read, since callbacks may be lost, come twice, or be forged (decision 0130).
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
  /** Where Chatwoot is found, such as `https://app.chatwoot.com`. */
  readonly url: string;
  /** The access token of an administrator made for the bot. */
  readonly token: string;
  /** The numbers of the account, and of an inbox of the kind API in it. */
  readonly account: number;
  readonly inbox: number;
  /** Unset: connections of its own, for as long as the program runs. */
  readonly connections?: Connections | undefined;
  readonly clock?: Clock | undefined;
}

/** How long (ms) bringing one letter may take; it may be several calls. */
const patienceMs = 15_000;
/** A letter that is older (ms) may have been brought before by a process that died. */
const fresh = 10_000;

/** Names of attributes and labels that are ours. */
const stateLabels = { verified: 'cs-verified', expired: 'cs-expired', failed: 'cs-failed', none: 'cs-not-verified' } as const;

/** A chat's name in Chatwoot, which tells nobody whose chat it is. */
const nameOf = (conversation: string) => createHash('sha256').update(`chatwoot contact ${conversation}`).digest('hex').slice(0, 32);

/** A hub for one inbox of a Chatwoot. */
export const makeChatwootHub = ({ clock = systemClock, connections = makeHubConnections(), ...place }: ChatwootHubOptions): Hub => {
  const { origin } = new URL(place.url);
  const api = makeChatwootApi({ ...place, connections, clock });
  /** What Chatwoot was told last of how somebody stands: most messages change nothing of it. */
  const told = new LRUCache<string, string>({ max: 1000 });
  /** The addresses of agents, by their numbers: messages name their writers without. */
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
    // Whoever is written to answers soon.
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
      // Agents have deleted it, and a customer must not wait for whoever cannot answer.
      if (!now) return state === 'over' ? [] : [{ act: { kind: state === 'requested' ? 'fail' : 'return' } }];
      const messages = [];
      for (let after = seen; ; ) {
        const page = await api.messages(place, after, signal);
        messages.push(...page);
        after = page.at(-1)?.id ?? after;
        if (page.length < wholePage) break;
      }
      const { verification } = handoff as { verification?: VerificationState };
      // Nothing tells us that the time is up but the clock.
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

/** So many messages after one are a page; there may be more. */
const wholePage = 100;

/** Opens a conversation, or finds the one that was opened by a try whose end nobody knows. */
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
  // A bot of the inbox's own would have it first.
  if (opened.status === 'pending') await api.setStatus(place, 'open', signal);
  return place;
};

type Unnamed = Omit<NewMessage, 'content_attributes'>;

const add = (api: ChatwootApi, place: string, name: string, message: Unnamed, signal: AbortSignal) =>
  api.addMessage(place, { ...message, content_attributes: { cs_letter: name } }, signal);

/** Writes messages by names, each once: whoever may have written it before looks first. */
const once = (api: ChatwootApi, place: string, { attempts, createdAt }: PendingLetter, clock: Clock, signal: AbortSignal) => {
  const mayBeThere = attempts > 0 || clock.now() - createdAt > fresh;
  return async (name: string, message: Unnamed): Promise<void> => {
    const there = mayBeThere ? await api.messages(place, undefined, signal) : [];
    if (!there.some(({ content_attributes: has }) => has?.cs_letter === name)) await add(api, place, name, message, signal);
  };
};

/** Says how somebody stands, beside what agents keep of the conversation themselves. */
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

/** Puts labels beside those that agents gave; of the states there is one at a time. */
const label = async (api: ChatwootApi, place: string, labels: readonly string[], signal: AbortSignal): Promise<void> => {
  const before = await api.labels(place, signal);
  const states: readonly string[] = Object.values(stateLabels);
  const after = [...new Set([...before.filter((one) => !states.includes(one)), ...labels])];
  if (after.join() !== before.join()) await api.setLabels(place, after, signal);
};

const failedBy = (fault: unknown): Posted => {
  if (!(fault instanceof ChatwootFault)) throw fault;
  const { code, retryAfterMs, status } = fault;
  // A conversation that agents have deleted is not coming back, nor is what breaks a rule of theirs ever taken.
  return { arrived: false, gone: status === 404 || status === 410 || status === 422, code, retryAfterMs };
};
