// An activity as it is stored: without what the chat's row already contains, and with the bot's cards deflated in a
// separate row, which is removed once they are answered. Words stay text, so that they can be read in the database.
import { isDeepStrictEqual } from 'node:util';
import type { Chat, ChatSides, StoredActivity } from './chat-store.ts';
import { deflated, inflated } from './deflated.ts';

/** The side of a chat that said something. */
type Side = 'bot' | 'user';

/** An activity in columns. */
export interface PackedActivity {
  /** The side whose usual fields the activity has, which are left out. Null: its fields differ, and are kept. */
  readonly saidBy: Side | null;
  /** Epoch milliseconds. Null: the activity has no time, or one in another form, which is kept in it. */
  readonly saidAt: number | null;
  /** The size in bytes of the whole activity as JSON. */
  readonly size: number;
  /** JSON of the remaining fields. */
  readonly activity: string;
  /** Deflated JSON of the bot's cards and of other fields that only programs read. Null: too small to be worth it. */
  readonly card: Uint8Array | null;
}

/** The part of a chat's row that names both sides. */
export type PackingChat = Pick<Chat, 'id' | 'sides' | 'userId'>;

/** Fields of the bot's activities that only programs read. What customers send is stored as it is. */
const unspoken = new Set(['attachments', 'channelData', 'entities', 'speak', 'suggestedActions', 'value']);
/** Fewer bytes than this are not moved: a separate row would take more. */
const worthwhile = 400;

/** The fields that every activity of a side has. */
const usualOf = (side: Side, { channelId, bot }: ChatSides, { id, userId }: PackingChat) => {
  const user = { id: userId, role: 'user' };
  const [from, recipient] = side === 'bot' ? [bot, user] : [user, bot];
  return { channelId, from, recipient, conversation: { id } };
};

/** The instant, if its ISO form is exactly this one. */
const instantOf = (timestamp: unknown): number | null => {
  if (typeof timestamp !== 'string') return null;
  const at = Date.parse(timestamp);
  return !Number.isNaN(at) && new Date(at).toISOString() === timestamp ? at : null;
};

/** The size of an object as JSON, from texts that each contain some of its fields: braces are dropped, commas added. */
const sizeOf = (parts: readonly string[]): number => {
  const filled = parts.map((json) => Buffer.byteLength(json) - 2).filter((size) => size > 0);
  return filled.reduce((sum, size) => sum + size + 1, 1);
};

export const pack = ({ id, ...fields }: StoredActivity, chat: PackingChat): PackedActivity => {
  const kept: Record<string, unknown> = fields;
  const { sides } = chat;
  const side: Side = (kept.from as { role?: unknown } | undefined)?.role === 'bot' ? 'bot' : 'user';
  const usual = sides && usualOf(side, sides, chat);
  const isUsual = usual !== undefined && Object.entries(usual).every(([name, value]) => isDeepStrictEqual(kept[name], value));
  if (isUsual) for (const name of Object.keys(usual)) delete kept[name];
  const { timestamp } = kept;
  const saidAt = instantOf(timestamp);
  if (saidAt !== null) delete kept.timestamp;
  const card: Record<string, unknown> = {};
  if (side === 'bot') for (const name of Object.keys(kept)) if (unspoken.has(name)) card[name] = kept[name];
  const cardJson = JSON.stringify(card);
  const packs = cardJson.length > worthwhile;
  if (packs) for (const name of Object.keys(card)) delete kept[name];
  const activity = JSON.stringify(kept);
  const left = { id, ...(isUsual && usual), ...(saidAt !== null && { timestamp }) };
  return {
    saidBy: isUsual ? side : null,
    saidAt,
    size: sizeOf([JSON.stringify(left), activity, ...(packs ? [cardJson] : [])]),
    activity,
    card: packs ? deflated(cardJson) : null,
  };
};

export const unpack = (activityId: string, packed: Omit<PackedActivity, 'size'>, chat: PackingChat): StoredActivity => {
  const { activity, card, saidAt, saidBy } = packed;
  return {
    ...JSON.parse(activity),
    ...(card && JSON.parse(inflated(card))),
    id: activityId,
    ...(saidAt !== null && { timestamp: new Date(saidAt).toISOString() }),
    ...(saidBy !== null && chat.sides && usualOf(saidBy, chat.sides, chat)),
  };
};
