// What the customer did in this turn: pressed a button, typed something, or nothing that concerns a dialog.
import type { Activity } from 'botbuilder';

export type Input =
  /** A card's button, with the card's inputs. The id means something only to the dialog that made it. */
  | { readonly kind: 'action'; readonly id: string; readonly fields: Readonly<Record<string, string>> }
  | { readonly kind: 'text'; readonly text: string }
  /** A file and no words. */
  | { readonly kind: 'file' }
  /** A card's submit that carries nothing we ever made. */
  | { readonly kind: 'foreign' }
  | { readonly kind: 'none' };

/** What people type is cut here; nothing the bot asks for is longer. */
const longest = 2000;

/** Reads an activity. A card's submit (Action.Submit) is a message with a `value` and no text. */
export const readInput = ({ type, text, value, attachments }: Partial<Activity>): Input => {
  if (type !== 'message') return { kind: 'none' };
  if (value !== undefined && value !== null) return readSubmit(value);
  const typed = (text ?? '').normalize('NFKC').trim().slice(0, longest);
  if (typed !== '') return { kind: 'text', text: typed };
  return attachments?.length ? { kind: 'file' } : { kind: 'none' };
};

const readSubmit = (data: unknown): Input => {
  if (typeof data !== 'object' || data === null) return { kind: 'foreign' };
  const { action, ...rest } = data as Record<string, unknown>;
  if (typeof action !== 'string' || action.length > 64) return { kind: 'foreign' };
  const fields = Object.entries(rest)
    .filter(([, field]) => ['string', 'number', 'boolean'].includes(typeof field))
    .map(([name, field]) => [name, String(field).normalize('NFKC').slice(0, longest)]);
  return { kind: 'action', id: action, fields: Object.fromEntries(fields) };
};

/** Text as it is compared: lower case, without accents, punctuation or doubled spaces. */
export const plain = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
