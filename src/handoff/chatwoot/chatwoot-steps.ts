// Turns what agents did in a Chatwoot conversation into acts in the customer's chat.
import mime from 'mime/lite';
import type { AgentAct, AgentFile } from '../agent-act.ts';
import type { AgentStep } from '../hub.ts';
import type { HandoffRecord } from '../record.ts';
import type { ChatwootConversation, ChatwootMessage, ChatwootPerson } from './chatwoot-api.ts';
import { plainText } from './plain-text.ts';

/**
 * The assignee has the chat, as does the first agent who answers. `resolved` finishes it, and `pending` gives it back
 * to the bot; before an agent has it, both say that nobody can come. (`pending` is Chatwoot's status for a bot's
 * conversations: chatwoot.com/hc, "How to use Agent bots?")
 * @param origin - Chatwoot's
 * @param personOf - a user by their number
 */
export const agentSteps = async (
  handoff: HandoffRecord,
  { meta, status }: ChatwootConversation,
  messages: readonly ChatwootMessage[],
  origin: string,
  personOf: (id: number) => Promise<ChatwootPerson | undefined>,
): Promise<AgentStep[]> => {
  const steps: AgentStep[] = [];
  let has = handoff.agent?.id;
  let { state } = handoff;
  const known = async (person: ChatwootPerson) => ({ ...person, ...(await personOf(person.id)) });
  const assigned = meta?.assignee ? agentOf(meta.assignee.email ? meta.assignee : await known(meta.assignee)) : undefined;
  const take = (agent: NonNullable<typeof assigned>) => {
    if (state === 'over' || has === agent.id) return;
    steps.push({ act: { kind: state === 'accepted' ? 'transfer' : 'accept', agent } });
    [has, state] = [agent.id, 'accepted'];
  };

  // Before the messages, so that the customer knows who writes.
  if (assigned) take(assigned);
  for (const message of messages) {
    const said = saidIn(message, origin);
    if (said.length === 0) continue;
    const { sender } = message;
    if (state === 'requested' && sender) take(agentOf(await known(sender)));
    steps.push(...said.map((act, index) => ({ act, ...(index === said.length - 1 && { upTo: message.id }) })));
  }
  if (state !== 'over' && (status === 'resolved' || status === 'pending')) {
    const kind = state === 'requested' ? 'fail' : status === 'resolved' ? 'finish' : 'return';
    steps.push({ act: { kind } });
  }
  return steps;
};

/** Agents are identified by their numbers. Their address, which the panel goes by, counts once they have confirmed it. */
const agentOf = ({ available_name, confirmed, email, id, name }: ChatwootPerson) => {
  const called = (available_name || name || '').trim().slice(0, 80);
  return {
    id: `chatwoot:${id}`,
    ...(called !== '' && { name: called }),
    ...(email && confirmed && { email: email.toLowerCase() }),
  };
};

/** Whether an agent's message was deleted: Chatwoot keeps it with another text (MessagesController#destroy). */
export const isDeleted = ({ content_attributes: has, private: hidden, sender }: ChatwootMessage): boolean =>
  has?.deleted === true && !hidden && sender?.type === 'user';

/** What an agent wrote to the customer, in parts that every channel accepts; empty: it was for agents only. */
const saidIn = (message: ChatwootMessage, origin: string): Extract<AgentAct, { kind: 'say' }>[] => {
  const { attachments, content, id, message_type, private: hidden, sender } = message;
  // Chatwoot's automatic messages (a greeting, a survey) and other bots' messages would mix with ours.
  if (message_type !== 1 || hidden || sender?.type !== 'user' || isDeleted(message)) return [];
  const texts = partsOf(plainText(content ?? ''));
  const files = (attachments ?? []).flatMap((file) => fileOf(file, origin));
  const named = texts.map((text, index) => ({ kind: 'say' as const, id: `chatwoot-${id}${index > 0 ? `-${index}` : ''}`, text }));
  return files.length > 0 ? [...named, { kind: 'say', id: `chatwoot-${id}-files`, files }] : named;
};

/** The most characters of a message. */
const longest = 4000;

/** Splits a text into parts, between words if possible. */
const partsOf = (text: string): string[] => {
  if (text.length <= longest) return text === '' ? [] : [text];
  const space = text.slice(0, longest + 1).search(/\s\S*$/);
  const end = space > longest / 2 ? space : longest;
  return [text.slice(0, end).toWellFormed(), ...partsOf(text.slice(end).trim())];
};

const fileOf = ({ data_url }: NonNullable<ChatwootMessage['attachments']>[number], origin: string): AgentFile[] => {
  const url = URL.parse(data_url ?? '');
  // If Chatwoot itself does not use https, neither do its files.
  if (!url || !(url.protocol === 'https:' || url.origin === origin)) return [];
  const name = decoded(url.pathname.split('/').at(-1) ?? '').slice(0, 120) || 'file';
  return [{ name, contentUrl: url.href, contentType: mime.getType(name) ?? 'application/octet-stream' }];
};

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};
