// What agents have done in a conversation of Chatwoot's, as acts in the customer's chat.
import mime from 'mime/lite';
import type { HandoffRecord } from '../storage/index.ts';
import type { AgentAct, AgentFile } from './acts.ts';
import type { ChatwootConversation, ChatwootMessage, ChatwootPerson } from './chatwoot-api.ts';
import type { AgentStep } from './hub.ts';

export interface StepsParts {
  /** Where Chatwoot is. */
  readonly origin: string;
  /** The e-mail address of an agent. */
  readonly addressOf: (id: number) => Promise<string | undefined>;
}

/**
 * Whoever it is assigned to has the chat, and so has whoever answers first. `resolved` finishes it, `pending` gives it
 * back to the bot; before anybody has it, both say that nobody comes. (`pending` is how Chatwoot marks what a bot has:
 * chatwoot.com/hc, "How to use Agent bots?")
 */
export const agentSteps = async (
  handoff: HandoffRecord,
  { meta, status }: ChatwootConversation,
  messages: readonly ChatwootMessage[],
  { origin, addressOf }: StepsParts,
): Promise<AgentStep[]> => {
  const steps: AgentStep[] = [];
  let has = handoff.agent?.id;
  let { state } = handoff;
  const assigned = meta?.assignee ? agentOf(meta.assignee, meta.assignee.email ?? (await addressOf(meta.assignee.id))) : undefined;
  const take = (agent: NonNullable<typeof assigned>) => {
    if (state === 'over' || has === agent.id) return;
    steps.push({ act: { kind: state === 'accepted' ? 'transfer' : 'accept', agent } });
    [has, state] = [agent.id, 'accepted'];
  };

  // Before what they wrote, so that the customer is told who writes.
  if (assigned) take(assigned);
  for (const message of messages) {
    const said = saidIn(message, origin);
    if (said.length === 0) continue;
    const { sender } = message;
    if (state === 'requested' && sender) take(agentOf(sender, await addressOf(sender.id)));
    steps.push(...said.map((act, index) => ({ act, ...(index === said.length - 1 && { upTo: message.id }) })));
  }
  if (state !== 'over' && (status === 'resolved' || status === 'pending')) {
    const kind = state === 'requested' ? 'fail' : status === 'resolved' ? 'finish' : 'return';
    steps.push({ act: { kind } });
  }
  return steps;
};

/** Known by their address, which is what results name them by. */
const agentOf = ({ available_name, id, name }: Omit<ChatwootPerson, 'email'>, email: string | undefined) => {
  const called = (available_name || name || '').trim().slice(0, 80);
  return { id: email?.toLowerCase() ?? `chatwoot:${id}`, ...(called !== '' && { name: called }) };
};

/** What an agent said to the customer, in parts that every channel takes; nothing: it was for agents alone. */
const saidIn = (
  { attachments, content, id, message_type, private: hidden, sender }: ChatwootMessage,
  origin: string,
): Extract<AgentAct, { kind: 'say' }>[] => {
  // Its own words (a greeting, a survey) and those of other bots would stand beside ours.
  if (message_type !== 1 || hidden || sender?.type !== 'user') return [];
  const texts = partsOf(content?.trim() ?? '');
  const files = (attachments ?? []).flatMap((file) => fileOf(file, origin));
  const named = texts.map((text, index) => ({ kind: 'say' as const, id: `chatwoot-${id}${index > 0 ? `-${index}` : ''}`, text }));
  return files.length > 0 ? [...named, { kind: 'say', id: `chatwoot-${id}-files`, files }] : named;
};

/** Characters of a message. */
const longest = 4000;

/** A text in parts, between words where there are any. */
const partsOf = (text: string): string[] => {
  if (text.length <= longest) return text === '' ? [] : [text];
  const space = text.slice(0, longest + 1).search(/\s\S*$/);
  const end = space > longest / 2 ? space : longest;
  return [text.slice(0, end).toWellFormed(), ...partsOf(text.slice(end).trim())];
};

const fileOf = ({ data_url }: NonNullable<ChatwootMessage['attachments']>[number], origin: string): AgentFile[] => {
  const url = URL.parse(data_url ?? '');
  // Where Chatwoot itself is not on https, neither are its files.
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
