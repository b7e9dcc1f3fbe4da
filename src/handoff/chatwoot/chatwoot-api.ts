// The part of Chatwoot's application API that the hub uses (developers.chatwoot.com/api-reference), as typed calls.
// Only the fields that are used are parsed.
import type { Agent as Connections } from 'undici';
import { z } from 'zod';
import { exchange, header, retryAfter } from '../../platform/outgoing/exchange.ts';
import type { Clock } from '../../platform/time/clock.ts';

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

/** A call failed. Contains neither the request nor the answer: both may be personal. */
export class ChatwootFault extends Error {
  override readonly name = 'ChatwootFault';
  readonly code: string;
  readonly status: number | undefined;
  readonly retryAfterMs: number;

  constructor(code: string, status?: number, retryAfterMs = 0) {
    super(code);
    [this.code, this.status, this.retryAfterMs] = [code, status, retryAfterMs];
  }
}

const attributes = z.record(z.string(), z.unknown());

const person = z.object({
  id: z.number(),
  name: z.string().nullish(),
  available_name: z.string().nullish(),
  email: z.string().nullish(),
  /** Whether the address has been confirmed. */
  confirmed: z.boolean().nullish(),
});
export type ChatwootPerson = z.output<typeof person>;

const conversation = z.object({
  id: z.number(),
  /** `pending`: with a bot; `open` and `snoozed`: with agents; `resolved`: done. An unknown status counts as open. */
  status: z.enum(['open', 'pending', 'resolved', 'snoozed']).catch('open'),
  custom_attributes: attributes.nullish(),
  meta: z.object({ assignee: person.nullish().catch(undefined) }).nullish(),
});
export type ChatwootConversation = z.output<typeof conversation>;

const message = z.object({
  id: z.number(),
  content: z.string().nullish(),
  /** Epoch seconds. */
  created_at: z.number().nullish(),
  /** 0: from the customer; 1: to the customer; 2: Chatwoot's activity notes; 3: Chatwoot's automatic messages. */
  message_type: z.number(),
  private: z.boolean().nullish(),
  content_attributes: attributes.nullish().catch(undefined),
  source_id: z.string().nullish(),
  sender: z
    .object({ id: z.number(), name: z.string().nullish(), available_name: z.string().nullish(), type: z.string().nullish() })
    .nullish(),
  attachments: z
    .array(z.object({ file_type: z.string().nullish(), data_url: z.string().nullish() }))
    .nullish()
    .catch(undefined),
});
export type ChatwootMessage = z.output<typeof message>;

const inboxSettings = z.object({
  channel_type: z.string().nullish(),
  lock_to_single_conversation: z.boolean().nullish(),
  enable_auto_assignment: z.boolean().nullish(),
  allow_messages_after_resolved: z.boolean().nullish(),
});

const contact = z.object({ id: z.number(), identifier: z.string().nullish() });
const nothing = z.unknown();

/** A message to be added to a conversation. */
export interface NewMessage {
  readonly content: string;
  readonly message_type: 'incoming' | 'outgoing';
  readonly private?: true;
  /** Its name, in two places: older versions keep only one of them. */
  readonly content_attributes: { readonly cs_letter: string };
  readonly source_id: string;
}

/** The most characters of a string attribute: with a longer one, Chatwoot refuses all of them. */
const longestAttribute = 1500;

const cut = (attributes: object): object =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [
      name,
      typeof value === 'string' && value.length > longestAttribute ? `${value.slice(0, longestAttribute - 1).toWellFormed()}…` : value,
    ]),
  );

export type ChatwootApi = ReturnType<typeof makeChatwootApi>;

/** Every call rejects with a {@link ChatwootFault}. */
export const makeChatwootApi = (
  { url, token, account, inbox }: Pick<ChatwootHubOptions, 'account' | 'inbox' | 'token' | 'url'>,
  connections: Connections,
  clock: Clock,
) => {
  const { origin, pathname } = new URL(url);
  const base = `${pathname.replace(/\/$/, '')}/api/v1/accounts/${account}`;

  const call = async <Schema extends z.ZodType>(
    method: 'GET' | 'POST',
    path: string,
    { body, answer, signal }: { readonly body?: object; readonly answer: Schema; readonly signal: AbortSignal },
  ): Promise<z.output<Schema>> => {
    const headers = { accept: 'application/json', api_access_token: token, ...(body && { 'content-type': 'application/json' }) };
    const sent = { origin, method, path: `${base}${path}`, headers, ...(body && { body: JSON.stringify(body) }) };
    const { status, fault, headers: received, body: bytes } = await exchange(connections, sent, signal);
    if (fault || status === undefined) throw new ChatwootFault(fault?.kind === 'stopped' ? 'timeout' : 'unreachable');
    if (status < 200 || status > 299) {
      const wait = retryAfter(header(received, 'retry-after'), header(received, 'date'), clock.now());
      throw new ChatwootFault(`http_${status}`, status, wait);
    }
    const { success, data } = answer.safeParse(parse(bytes));
    if (!success) throw new ChatwootFault('unreadable', status);
    return data;
  };
  const at = (id: number | string) => `/conversations/${id}`;
  const conversationAt = (id: string, signal: AbortSignal) => call('GET', at(id), { answer: conversation, signal });
  /** `false`: this Chatwoot cannot change single attributes. */
  let merges = true;

  return {
    /** The contact with this identifier. Chatwoot's search also matches parts of words, and names. */
    findContact: async (identifier: string, signal: AbortSignal) => {
      const answer = z.object({ payload: z.array(contact) });
      const { payload } = await call('GET', `/contacts/search?${new URLSearchParams({ q: identifier })}`, { answer, signal });
      return payload.find((one) => one.identifier === identifier);
    },

    addContact: async (identifier: string, name: string, signal: AbortSignal) => {
      const answer = z.object({ payload: z.object({ contact }) });
      const { payload } = await call('POST', '/contacts', { body: { inbox_id: inbox, name, identifier }, answer, signal });
      return payload.contact;
    },

    conversationsOf: async (contactId: number, signal: AbortSignal) => {
      const answer = z.object({ payload: z.array(conversation) });
      return (await call('GET', `/contacts/${contactId}/conversations`, { answer, signal })).payload;
    },

    addConversation: async (contactId: number, source: string, given: object, signal: AbortSignal) => {
      const body = { source_id: source, inbox_id: inbox, contact_id: contactId, status: 'open', custom_attributes: cut(given) };
      return call('POST', '/conversations', { body, answer: conversation, signal });
    },

    conversation: conversationAt,

    /** The newest twenty, or the twenty before a given one; or up to a hundred after it. Oldest first. */
    messages: async (id: string, page: { readonly after?: number } | { readonly before?: number }, signal: AbortSignal) => {
      const answer = z.object({ payload: z.array(message) });
      const [asked] = Object.entries(page).map(([name, value]) => `?${name}=${value}`);
      const { payload } = await call('GET', `${at(id)}/messages${asked ?? ''}`, { answer, signal });
      return payload.sort((one, other) => one.id - other.id);
    },

    addMessage: (id: string, body: NewMessage, signal: AbortSignal) =>
      call('POST', `${at(id)}/messages`, { body, answer: message, signal }),

    /**
     * Removes some attributes, sets others, and leaves the agents' own. Chatwoot can do that since it merges
     * (github.com/chatwoot/chatwoot, pull request 15119); before, only all of them can be replaced.
     */
    changeAttributes: async (id: string, set: object, remove: readonly string[], signal: AbortSignal): Promise<void> => {
      const change = (path: string, body: object) => call('POST', `${at(id)}/${path}`, { body, answer: nothing, signal });
      if (merges) {
        try {
          await change('destroy_custom_attributes', { custom_attributes: remove });
          await change('custom_attributes', { custom_attributes: cut(set), merge: true });
          return;
        } catch (fault) {
          if (!(fault instanceof ChatwootFault) || fault.status !== 404) throw fault;
        }
      }
      // Rejects if it is the conversation that was not found.
      const { custom_attributes: before } = await conversationAt(id, signal);
      merges = false;
      const kept = Object.entries(before ?? {}).filter(([name]) => !remove.includes(name));
      await change('custom_attributes', { custom_attributes: { ...Object.fromEntries(kept), ...cut(set) } });
    },

    /** Leaves it to nobody. */
    unassign: (id: string, signal: AbortSignal) =>
      call('POST', `${at(id)}/assignments`, { body: { assignee_id: 0 }, answer: nothing, signal }),

    labels: async (id: string, signal: AbortSignal) => {
      const answer = z.object({ payload: z.array(z.string()) });
      return (await call('GET', `${at(id)}/labels`, { answer, signal })).payload;
    },

    /** Replaces all labels. */
    setLabels: (id: string, labels: readonly string[], signal: AbortSignal) =>
      call('POST', `${at(id)}/labels`, { body: { labels }, answer: nothing, signal }),

    setStatus: (id: string, status: 'open' | 'resolved', signal: AbortSignal) =>
      call('POST', `${at(id)}/toggle_status`, { body: { status }, answer: nothing, signal }),

    /** The titles of the account's labels. Others are dropped from conversations. */
    accountLabels: async (signal: AbortSignal) => {
      const answer = z.object({ payload: z.array(z.object({ title: z.string() })) });
      return (await call('GET', '/labels', { answer, signal })).payload.map(({ title }) => title);
    },

    agents: (signal: AbortSignal) => call('GET', '/agents', { answer: z.array(person), signal }),

    inbox: (signal: AbortSignal) => call('GET', `/inboxes/${inbox}`, { answer: inboxSettings, signal }),
  };
};

const parse = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
};
