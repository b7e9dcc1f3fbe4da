// The Chatwoot hub: each handoff is a conversation of an API inbox. What the customer writes is an incoming message,
// notes for agents are private, and the verification state is in custom attributes and a label. The bot reads what
// agents do, since callbacks may be lost, repeated or forged (decision 0130).
import { LRUCache } from 'lru-cache';
import { contextOf, type HandoffCase } from '../../../dialogs/index.ts';
import { type Clock, systemClock } from '../../platform/time/clock.ts';
import { stateAt } from '../../verification/index.ts';
import { makeHubConnections } from '../connections.ts';
import type { DeliveryResult, Hub } from '../hub.ts';
import { caseReference, type HandoffRecord, type PendingHubEvent } from '../record.ts';
import {
  type ChatwootApi,
  type ChatwootConversation,
  ChatwootFault,
  type ChatwootHubOptions,
  type ChatwootMessage,
  type ChatwootPerson,
  makeChatwootApi,
  type NewMessage,
} from './chatwoot-api.ts';
import { deletedNote, type HubEventData, noteOf, refusalNote, transcriptNote, writtenBy } from './chatwoot-notes.ts';
import { type OpenedConversation, openConversation } from './chatwoot-request.ts';
import { agentSteps, isDeleted } from './chatwoot-steps.ts';
import { addLabels, isAbout, overstates, reasonLabel, verificationLabel, writeVerification } from './chatwoot-verification.ts';

/** An event older than this (ms) may already have been delivered by a process that died. */
const fresh = 10_000;
/** How often an event is tried that Chatwoot refuses: it answers 422 to faults of its own too. */
const oddTries = 5;

/** A hub for one Chatwoot inbox. */
export const makeChatwootHub = ({ clock = systemClock, connections = makeHubConnections(), ...given }: ChatwootHubOptions): Hub => {
  const { origin } = new URL(given.url);
  const api = makeChatwootApi(given, connections, clock);
  /** The verification state last written to each conversation: most messages do not change it. */
  const told = new LRUCache<string, string>({ max: 1000 });
  /** Agents by their numbers: messages do not include their addresses. */
  let people = new Map<number, ChatwootPerson>();
  const personOf = async (id: number, signal: AbortSignal) => {
    if (!people.has(id)) people = new Map((await api.agents(signal)).map((one) => [one.id, one]));
    return people.get(id);
  };

  /** Asks for an agent; `found` hears of the conversation as soon as it is this handoff's. */
  const request = async (
    event: PendingHubEvent,
    handoff: HandoffRecord,
    assertion: string | undefined,
    signal: AbortSignal,
    found: (opened: OpenedConversation) => void,
  ) => {
    const about = event.data as HandoffCase;
    const verification = stateAt(handoff, clock.now());
    const context = contextOf({ ...about, verification }, caseReference(handoff, assertion));
    const opened = handoff.place === undefined ? await openConversation(api, handoff, context, signal) : { place: handoff.place };
    found(opened);
    const { place } = opened;
    const post = once(api, place, event, clock, signal);
    await addLabels(api, place, [verificationLabel(verification), reasonLabel(about.reason)], signal);
    const lines = transcriptNote(about.transcript);
    if (lines !== undefined) await post(`${event.id} transcript`, privately(lines));
    await post(event.id, privately(String(context.va_AgentMessage)));
    if (about.note !== undefined) await post(`${event.id} note`, { content: about.note, message_type: 'incoming' });
  };

  /** Writes the verification state. `undefined`: the conversation belongs to a later handoff by now. */
  const show = async (
    place: string,
    handoff: HandoffRecord,
    assertion: string | undefined,
    signal: AbortSignal,
  ): Promise<ChatwootConversation | undefined> => {
    const conversation = await api.conversation(place, signal);
    if (!isAbout(conversation, handoff)) return undefined;
    const state = stateAt(handoff, clock.now());
    await writeVerification(api, conversation, state, assertion, signal);
    return conversation;
  };

  const deliver = async (
    event: PendingHubEvent,
    handoff: HandoffRecord,
    assertion: string | undefined,
    signal: AbortSignal,
    found: (opened: OpenedConversation) => void,
  ): Promise<void> => {
    const { type, data } = event as { type: string; data: HubEventData };
    if (type === 'requested') return request(event, handoff, assertion, signal, found);
    const { place } = handoff;
    if (place === undefined) throw new ChatwootFault('no_conversation', 404);
    const post = once(api, place, event, clock, signal);
    if (type === 'ended') {
      const conversation = await show(place, handoff, undefined, signal);
      if (!conversation) return;
      // The attributes may be right without it, if the request was given up.
      await addLabels(api, place, [verificationLabel(stateAt(handoff, clock.now()))], signal);
      const isOpen = conversation.status === 'open' || conversation.status === 'snoozed';
      if (isOpen) await api.setStatus(place, 'resolved', signal);
      // An agent who has resolved it knows.
      const note = data.by === 'agent' && !isOpen ? undefined : noteOf(type, data);
      if (note !== undefined) await post(event.id, privately(note));
      return;
    }
    const verification = data.verification && JSON.stringify(data.verification);
    if (verification !== undefined && !(type === 'message' && told.get(place) === verification)) {
      await show(place, handoff, assertion, signal);
      told.set(place, verification);
    }
    const words = type === 'message' && data.message ? writtenBy(data.message) : undefined;
    const note = noteOf(type, data);
    if (words !== undefined) await post(event.id, { content: words, message_type: 'incoming' });
    if (note !== undefined) await post(event.id, privately(note));
    // An agent who has a message will answer soon.
    if (type === 'message') found({ place });
  };

  return {
    name: 'chatwoot',
    audience: origin,

    deliver: async (event, handoff, assertion, signal): Promise<DeliveryResult> => {
      let opened: OpenedConversation | undefined;
      const found = (at: OpenedConversation) => {
        opened = at;
      };
      try {
        await deliver(event, handoff, assertion, signal, found);
        return { done: true, ...opened };
      } catch (fault) {
        return { ...failedBy(fault, event), ...opened };
      }
    },

    poll: async (handoff, signal) => {
      const { place, seen = 0, state } = handoff;
      if (place === undefined) return [];
      const now = await api.conversation(place, signal).catch((fault: unknown) => {
        if (!(fault instanceof ChatwootFault) || fault.status !== 404) throw fault;
        return undefined;
      });
      // Agents have deleted the conversation, so the customer must not wait for an answer.
      if (!now) return state === 'over' ? [] : [{ act: { kind: state === 'requested' ? 'fail' : 'return' } }];
      if (!isAbout(now, handoff)) return [];
      const newest = await api.messages(place, {}, signal);
      const isAll = newest.length < newestPage || (newest[0]?.id ?? 0) <= seen;
      const messages = isAll ? newest.filter(({ id }) => id > seen) : await messagesAfter(api, place, seen, signal);
      for (const { id } of newest.filter((one) => one.id <= seen && isDeleted(one))) {
        const name = `deleted ${id}`;
        if (!newest.some((one) => isNamed(one, name))) await add(api, place, name, privately(deletedNote), signal);
      }
      // A poll takes away only: the record that it has may be a moment old.
      const verification = stateAt(handoff, clock.now());
      if (overstates(now, verification)) {
        told.delete(place);
        await writeVerification(api, now, verification, undefined, signal);
      }
      return agentSteps(handoff, now, messages, origin, (id) => personOf(id, signal));
    },

    // Agents know what they have ended, but the conversation has to stop showing anybody as verified.
    keepsEnds: true,

    tellRefused: async ({ place }, step, why, signal) => {
      if (place === undefined) return;
      const name = `refused ${step.upTo ?? step.act.kind}`;
      await add(api, place, name, privately(refusalNote(step.act, why)), signal);
    },
  };
};

/** This many messages are a full page; there may be more. */
const wholePage = 100;
const newestPage = 20;

const messagesAfter = async (api: ChatwootApi, place: string, seen: number, signal: AbortSignal) => {
  const messages: ChatwootMessage[] = [];
  for (let after = seen; ; ) {
    const page = await api.messages(place, { after }, signal);
    messages.push(...page);
    after = page.at(-1)?.id ?? after;
    if (page.length < wholePage) return messages;
  }
};

/** How many of the last messages are looked through, at most, for one that may be there. */
const lookedThrough = 200;

type Unnamed = Omit<NewMessage, 'content_attributes' | 'source_id'>;

/** A note for agents. */
const privately = (content: string): Unnamed => ({ content, message_type: 'outgoing', private: true });

const add = (api: ChatwootApi, place: string, name: string, message: Unnamed, signal: AbortSignal) =>
  api.addMessage(place, { ...message, content_attributes: { cs_letter: name }, source_id: name }, signal);

/** Writes each message once, by its name: if an earlier attempt may have written it, the conversation is read first. */
const once = (api: ChatwootApi, place: string, { attempts, createdAt }: PendingHubEvent, clock: Clock, signal: AbortSignal) => {
  const mayBeThere = attempts > 0 || clock.now() - createdAt > fresh;
  return async (name: string, message: Unnamed): Promise<void> => {
    if (!mayBeThere || !(await isThere(api, place, name, signal))) await add(api, place, name, message, signal);
  };
};

const isNamed = ({ content_attributes: has, source_id }: ChatwootMessage, name: string) => (has?.cs_letter ?? source_id) === name;

/** Whether a message has been written, looking back from the newest. */
const isThere = async (api: ChatwootApi, place: string, name: string, signal: AbortSignal): Promise<boolean> => {
  let page: { readonly before?: number } = {};
  for (let read = 0; read < lookedThrough; ) {
    const messages = await api.messages(place, page, signal);
    if (messages.some((one) => isNamed(one, name))) return true;
    const [oldest] = messages;
    if (!oldest) return false;
    page = { before: oldest.id };
    read += messages.length;
  }
  return false;
};

const failedBy = (fault: unknown, { attempts, type }: PendingHubEvent): DeliveryResult => {
  if (!(fault instanceof ChatwootFault)) throw fault;
  const { code, retryAfterMs, status } = fault;
  const isLast = code === 'no_conversation' || attempts + 1 >= oddTries;
  // Nothing is left to be told of a deleted conversation's end, and nothing waits behind an end that is refused.
  if (type === 'ended') return isLast && status === 404 ? { done: true } : { code, retryAfterMs };
  const isOdd = status !== undefined && status < 500 && ![408, 425, 429].includes(status);
  return { code, final: isOdd && isLast, retryAfterMs };
};
