// Opens the Chatwoot conversation of a handoff. Every step may be repeated after an attempt that broke off.
import { createHash } from 'node:crypto';
import type { FlatContext } from '../../../dialogs/index.ts';
import type { DeliveryResult } from '../hub.ts';
import type { HandoffRecord } from '../record.ts';
import type { ChatwootApi, ChatwootConversation } from './chatwoot-api.ts';

/** A chat's name in Chatwoot, which does not identify the customer. */
const nameOf = (conversation: string) => createHash('sha256').update(`chatwoot contact ${conversation}`).digest('hex').slice(0, 32);

/** A handoff's conversation: its number, and the number of its last message from before the handoff. */
export type OpenedConversation = Pick<DeliveryResult, 'seen'> & { readonly place: string };

/** Opens a conversation, or finds the one that an earlier attempt has opened. */
export const openConversation = async (
  api: ChatwootApi,
  { conversation, id }: HandoffRecord,
  context: FlatContext,
  signal: AbortSignal,
): Promise<OpenedConversation> => {
  const name = nameOf(conversation);
  const known = await api.findContact(name, signal);
  const contact = known ?? (await api.addContact(name, `Chat ${name.slice(0, 6).toUpperCase()}`, signal));
  const all = known ? await api.conversationsOf(contact.id, signal) : [];
  const own = { cs_handoff: id, ...context };
  const opened = all.find((one) => isOf(one, id)) ?? (await api.addConversation(contact.id, name, own, signal));
  const place = String(opened.id);
  const reused = isOf(opened, id) ? opened : await reuse(api, opened, own, signal);
  const { cs_seen: seen } = reused.custom_attributes ?? {};
  // A bot of the inbox would handle it first, and nobody looks at what is resolved.
  if (opened.status === 'pending' || (typeof seen === 'number' && opened.status !== 'open')) await api.setStatus(place, 'open', signal);
  return { place, ...(typeof seen === 'number' && { seen }) };
};

const isOf = ({ custom_attributes: has }: ChatwootConversation, id: string) => has?.cs_handoff === id;

/**
 * An inbox that is locked to a single conversation returns the one of an earlier handoff as it is: with its assignee, its
 * messages and its attributes.
 */
const reuse = async (
  api: ChatwootApi,
  { custom_attributes: before, id }: ChatwootConversation,
  own: FlatContext,
  signal: AbortSignal,
): Promise<Pick<ChatwootConversation, 'custom_attributes'>> => {
  const place = String(id);
  // Whoever had it has not taken this handoff.
  await api.unassign(place, signal);
  const newest = await api.messages(place, {}, signal);
  const after = { ...own, cs_seen: newest.at(-1)?.id ?? 0 };
  const gone = Object.keys(before ?? {}).filter((name) => /^(cs|va)_/.test(name) && !(name in after));
  await api.changeAttributes(place, after, gone, signal);
  return { custom_attributes: after };
};
