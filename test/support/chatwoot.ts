// A Chatwoot on loopback, as far as the hub asks it: requests and answers are held against Chatwoot's own OpenAPI
// document, and its callbacks come as they come from the real one: not again when they are lost, and some twice. What
// it does with a request is what its controllers, models and builders do (github.com/chatwoot/chatwoot, app/).
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { faultsOfAnswer, faultsOfRequest, operationAt } from './chatwoot-contract.ts';
import type { Seen } from './direct-line.ts';

export interface ChatwootAgent {
  readonly id: number;
  readonly email: string;
  readonly name: string;
}

interface Conversation {
  readonly id: number;
  readonly contact: number;
  status: string;
  custom_attributes: Record<string, unknown>;
  labels: string[];
  assignee?: ChatwootAgent | undefined;
  readonly messages: Seen[];
}

export interface Chatwoot {
  readonly url: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly conversations: Conversation[];
  readonly contacts: { readonly id: number; readonly identifier: string; readonly name: string }[];
  readonly agents: readonly ChatwootAgent[];
  /** Every request as it came, and how many there were of an operation. */
  readonly asked: { readonly operation: string; readonly body: Seen }[];
  /** How requests are answered from now on: properly, by a status, or by hand. */
  answer: 'properly' | number | ((res: ServerResponse) => void);
  /** Operations that are carried out once each without an answer: nobody knows that they were. */
  readonly loses: string[];
  /** What becomes of a request: a status instead of an answer, or carried out without one; unset: nothing is wrong. */
  fault: ((operation: string, body: Seen) => number | 'lost' | undefined) | undefined;
  /** How long (ms) each answer takes. */
  delay: number;
  /** The inbox's settings, as its page shows them. */
  readonly inbox: { lock_to_single_conversation: boolean; enable_auto_assignment: boolean; allow_messages_after_resolved: boolean };
  /** The labels that the account has defined: a conversation gets no others. */
  readonly labels: string[];
  /** Whether it keeps `content_attributes` of messages (app/builders/messages/message_builder.rb), or is older. */
  keepsAttributes: boolean;
  /** Whether it merges attributes (pull request 15119), or is older. */
  merges: boolean;
  /** Whom private notes have mentioned. */
  readonly mentioned: string[];
  /** What its dashboard shows, at `/app`. */
  page: string;
  /** How often each callback comes. */
  callbacks: 0 | 1 | 2;
  /** What an agent writes; resolves once the callbacks were answered. */
  write(conversation: number, agent: ChatwootAgent, text: string, file?: { readonly url: string; readonly type: string }): Promise<void>;
  note(conversation: number, agent: ChatwootAgent, text: string): Promise<void>;
  assign(conversation: number, agent: ChatwootAgent | undefined): Promise<void>;
  /** An agent deletes the last message that they wrote. */
  deleteLast(conversation: number): Promise<void>;
  setStatus(conversation: number, status: string): Promise<void>;
  /** An agent deletes a conversation, which nobody is told of. */
  remove(conversation: number): void;
  /** Posts any body to the callback's address. */
  call(body: unknown, headers?: Record<string, string>, path?: string): Promise<number>;
  close(): Promise<void>;
}

const callbackKey = 'the-key-in-the-address-of-callbacks';
const [token, account, inbox] = ['the-token-of-the-bot-in-chatwoot', 3, 5];

/** `validates :custom_attributes, jsonb_attributes_length: true` (app/validators/jsonb_attributes_length_validator.rb). */
const isValid = (attributes: object) => !Object.values(attributes).some((value) => typeof value === 'string' && [...value].length > 1500);
/** Which users a note mentions (app/services/messages/mention_service.rb). */
const mentionsIn = (note: string) => [...note.matchAll(/\(mention:\/\/(?:user|team)\/(\d+)\/(?:.+?)\)/g)].map(([, id]) => id ?? '');

/** @param bot - where the bot is found, asked when something is to be told; `secret` signs what is told. */
export const startChatwoot = async (bot: () => string, secret?: string): Promise<Chatwoot> => {
  const wrong: string[] = [];
  let count = 0;
  const next = () => {
    count += 1;
    return count;
  };
  const seconds = () => Math.floor(Date.now() / 1000);
  const conversationOf = (id: number) => {
    const found = chatwoot.conversations.find((one) => one.id === id);
    if (!found) throw new Error(`no conversation ${id}`);
    return found;
  };
  const add = (conversation: Conversation, message: Seen): Seen => {
    const added = {
      ...{ id: next(), inbox_id: inbox, conversation_id: conversation.id, content_type: 'text', status: 'sent', source_id: null },
      ...{ private: false, content_attributes: {}, created_at: seconds() },
      ...message,
    };
    conversation.messages.push(added);
    return added;
  };
  const shown = ({ assignee, contact, custom_attributes, id, labels, status }: Conversation) => ({
    ...{ id, account_id: account, inbox_id: inbox, status, custom_attributes, labels, can_reply: true },
    meta: {
      sender: { id: contact },
      channel: 'Channel::Api',
      ...(assignee && { assignee: { ...assignee, confirmed: true, role: 'agent' } }),
    },
  });
  const user = ({ id, name }: ChatwootAgent) => ({ id, name, available_name: name, avatar_url: '', type: 'user' });

  const operations: Record<string, (id: number, body: Seen, query: URLSearchParams) => Seen> = {
    'get-account-agents': () => chatwoot.agents.map((agent) => ({ ...agent, confirmed: true, role: 'agent' })),
    contactSearch: (_id, _body, query) => {
      const found = chatwoot.contacts.filter(({ identifier, name }) => `${identifier} ${name}`.includes(query.get('q') ?? ''));
      return { meta: { count: found.length, current_page: 1 }, payload: found };
    },
    contactCreate: (_id, { identifier, name }) => {
      if (chatwoot.contacts.some((one) => one.identifier === identifier)) return undefined;
      const contact = { id: next(), identifier, name };
      chatwoot.contacts.push(contact);
      return { payload: { contact, contact_inbox: { source_id: identifier, inbox: { id: inbox } } } };
    },
    contactConversations: (id) => ({ payload: chatwoot.conversations.filter(({ contact }) => contact === id).map(shown) }),
    newConversation: (_id, { contact_id, custom_attributes, status }) => {
      // ConversationBuilder: what exists is returned as it is.
      const existing = chatwoot.conversations.findLast(({ contact }) => contact === contact_id);
      if (chatwoot.inbox.lock_to_single_conversation && existing) return shown(existing);
      if (!isValid(custom_attributes)) return undefined;
      const conversation = { id: next(), contact: contact_id, status, custom_attributes, labels: [], messages: [] };
      chatwoot.conversations.push(conversation);
      return shown(conversation);
    },
    'get-details-of-a-conversation': (id) => shown(conversationOf(id)),
    'list-all-messages': (id, _body, query) => {
      const { messages } = conversationOf(id);
      const [after, before] = [query.get('after'), query.get('before')];
      const newest = before === null ? messages : messages.filter((one) => one.id < Number(before));
      return {
        meta: { labels: [] },
        payload: after === null ? newest.slice(-20) : messages.filter((one) => one.id > Number(after)).slice(0, 100),
      };
    },
    'create-a-new-message-in-a-conversation': (id, { message_type, ...body }) => {
      const incoming = message_type === 'incoming';
      const conversation = conversationOf(id);
      // Message#reopen_conversation
      if (incoming && conversation.status === 'resolved') conversation.status = 'open';
      if (body.private) chatwoot.mentioned.push(...mentionsIn(body.content));
      const { content_attributes: attributes, ...kept } = body;
      const named = chatwoot.keepsAttributes && { content_attributes: attributes };
      return add(conversation, {
        ...kept,
        ...named,
        message_type: incoming ? 0 : 1,
        sender: { id: 1, type: incoming ? 'contact' : 'user' },
      });
    },
    'update-custom-attributes-of-a-conversation': (id, { custom_attributes: given, merge }) => {
      const conversation = conversationOf(id);
      const custom_attributes = merge && chatwoot.merges ? { ...conversation.custom_attributes, ...given } : given;
      if (!isValid(custom_attributes)) return undefined;
      conversation.custom_attributes = custom_attributes;
      return { custom_attributes };
    },
    'destroy-custom-attributes-of-a-conversation': (id, { custom_attributes: names }) => {
      const conversation = conversationOf(id);
      const kept = Object.entries(conversation.custom_attributes).filter(([name]) => !names.includes(name));
      conversation.custom_attributes = Object.fromEntries(kept);
      return { custom_attributes: conversation.custom_attributes };
    },
    'assign-a-conversation': (id, { assignee_id }) => {
      const agent = chatwoot.agents.find((one) => one.id === assignee_id);
      conversationOf(id).assignee = agent;
      return agent ? { ...agent, role: 'agent' } : null;
    },
    'list-all-labels-of-a-conversation': (id) => ({ payload: conversationOf(id).labels }),
    'conversation-add-labels': (id, { labels }) => {
      // LabelConcern#valid_labels
      const valid = labels.filter((one: string) => chatwoot.labels.includes(one));
      conversationOf(id).labels = valid;
      return { payload: valid };
    },
    'toggle-status-of-a-conversation': (id, { status }) => {
      conversationOf(id).status = status;
      return { meta: {}, payload: { success: true, current_status: status, conversation_id: id } };
    },
    'get-all-labels': () => ({ payload: chatwoot.labels.map((title, index) => ({ id: index + 1, title })) }),
    GetInbox: () => ({ id: inbox, name: 'Chat', channel_type: 'Channel::Api', ...chatwoot.inbox }),
  };

  const serve = async (req: IncomingMessage, res: ServerResponse) => {
    let text = '';
    for await (const chunk of req) text += chunk;
    const { pathname, searchParams } = new URL(req.url ?? '', 'http://chatwoot');
    if (pathname === '/app') {
      res.writeHead(200, { 'content-type': 'text/html' });
      return res.end(chatwoot.page);
    }
    const found = operationAt(req.method ?? '', pathname);
    const send = (status: number, body: object) => {
      res.writeHead(status, { 'content-type': 'application/json' });
      res.end(JSON.stringify(body));
    };
    if (!found) {
      wrong.push(`${req.method} ${pathname} is no operation`);
      return send(404, { error: 'Resource could not be found' });
    }
    const { id, operation } = found;
    const body = text === '' ? undefined : JSON.parse(text);
    chatwoot.asked.push({ operation, body });
    if (req.headers.api_access_token !== token) return send(401, { errors: ['You need to sign in or sign up before continuing.'] });
    wrong.push(...faultsOfRequest(found, body));
    const { answer, loses } = chatwoot;
    if (answer !== 'properly') return typeof answer === 'number' ? send(answer, {}) : answer(res);
    if (chatwoot.delay > 0) await setTimeout(chatwoot.delay);
    const fault = chatwoot.fault?.(operation, body);
    if (typeof fault === 'number') return send(fault, {});
    if (operation === 'destroy-custom-attributes-of-a-conversation' && !chatwoot.merges) return send(404, { error: 'Not Found' });
    if (found.path.includes('{conversation_id}') && !chatwoot.conversations.some((one) => one.id === id))
      return send(404, { error: 'Resource could not be found' });
    const made = operations[operation]?.(id, body, searchParams);
    const lost = loses.indexOf(operation);
    if (lost >= 0) loses.splice(lost, 1);
    if (lost >= 0 || fault === 'lost') return res.destroy();
    if (made === undefined) return send(422, { message: 'Validation failed' });
    wrong.push(...faultsOfAnswer(found, made));
    send(200, made);
  };
  const server = createServer((req, res) =>
    serve(req, res).catch((fault: unknown) => {
      wrong.push(String(fault));
      res.destroy();
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const call: Chatwoot['call'] = async (body, headers = {}, path = `/chatwoot/callback/${callbackKey}`) => {
    const raw = typeof body === 'string' ? body : JSON.stringify(body);
    const time = String(seconds());
    const signature = secret && `sha256=${createHmac('sha256', secret).update(`${time}.${raw}`).digest('hex')}`;
    const signed = signature && { 'x-chatwoot-signature': signature, 'x-chatwoot-timestamp': time, 'x-chatwoot-delivery': `d${time}` };
    const sent = { 'content-type': 'application/json', ...signed, ...headers };
    return (await fetch(`${bot()}${path}`, { method: 'POST', headers: sent, body: raw })).status;
  };
  const tell = async (event: Seen) => {
    // A bot that is not there is not told again.
    for (let times = 0; times < chatwoot.callbacks; times += 1) await call(event).catch(() => 0);
  };
  const write = async (id: number, agent: ChatwootAgent, more: Seen) => {
    const conversation = conversationOf(id);
    const message = add(conversation, { message_type: 1, sender: user(agent), ...more });
    await tell({
      event: 'message_created',
      ...message,
      message_type: 'outgoing',
      account: { id: account },
      conversation: shown(conversation),
    });
  };

  const chatwoot: Chatwoot = {
    url,
    settings: {
      ...{ CHATWOOT_URL: url, CHATWOOT_TOKEN: token, CHATWOOT_ACCOUNT: String(account), CHATWOOT_INBOX: String(inbox) },
      CHATWOOT_CALLBACK_KEY: callbackKey,
      ...(secret && { CHATWOOT_CALLBACK_SECRET: secret }),
    },
    conversations: [],
    contacts: [],
    agents: [
      { id: 7, email: 'mara@example.com', name: 'Mara' },
      { id: 8, email: 'noa@example.com', name: 'Noa' },
    ],
    asked: [],
    answer: 'properly',
    loses: [],
    fault: undefined,
    inbox: { lock_to_single_conversation: false, enable_auto_assignment: false, allow_messages_after_resolved: true },
    labels: [
      ...['cs-verified', 'cs-not-verified', 'cs-expired', 'cs-failed'],
      ...['cs-asked', 'cs-nobody-found', 'cs-trouble', 'cs-message', 'vip'],
    ],
    keepsAttributes: true,
    delay: 0,
    merges: true,
    mentioned: [],
    page: '',
    callbacks: 1,
    write: (id, agent, content, file) =>
      write(id, agent, { content, ...(file && { attachments: [{ id: next(), file_type: file.type, data_url: file.url }] }) }),
    note: (id, agent, content) => write(id, agent, { content, private: true }),
    assign: async (id, agent) => {
      const conversation = conversationOf(id);
      conversation.assignee = agent;
      add(conversation, { message_type: 2, content: `Assigned to ${agent?.name ?? 'nobody'}` });
      const changed_attributes = [{ assignee_id: { previous_value: null, current_value: agent?.id ?? null } }];
      await tell({ event: 'conversation_updated', ...shown(conversation), changed_attributes });
    },
    deleteLast: async (id) => {
      const conversation = conversationOf(id);
      const message = conversation.messages.findLast(({ sender }) => sender?.type === 'user' && sender.id !== 1);
      // MessagesController#destroy
      Object.assign(message, { content: 'This message was deleted', content_attributes: { deleted: true } });
      await tell({ event: 'message_updated', ...message, account: { id: account }, conversation: shown(conversation) });
    },
    setStatus: async (id, status) => {
      const conversation = conversationOf(id);
      conversation.status = status;
      await tell({ event: 'conversation_status_changed', ...shown(conversation) });
    },
    remove: (id) => {
      chatwoot.conversations.splice(chatwoot.conversations.indexOf(conversationOf(id)), 1);
    },
    call,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      assert.deepEqual(wrong, [], 'what Chatwoot’s document does not allow');
    },
  };
  return chatwoot;
};
