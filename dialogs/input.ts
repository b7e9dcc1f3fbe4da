// What the customer did in this turn: pressed a button, typed something, or nothing that concerns a dialog.
import type { Activity } from 'botbuilder';
import { decodeHTML } from 'entities';
import { z } from 'zod';
import type { Texts } from '../cards/index.ts';
import { fingerprint } from '../src/platform/log.ts';

export type Input =
  /**
   * A card's button, with the card's inputs. The id means something only to the dialog that made it. `click` names this click by its button and
   * by a hash of what was entered: the second half of a doubled click has the same.
   */
  | { readonly kind: 'action'; readonly id: string; readonly fields: Readonly<Record<string, string>>; readonly click: string }
  | { readonly kind: 'text'; readonly text: string }
  /** A card's submit that carries nothing we ever made. */
  | { readonly kind: 'foreign' }
  /** A message without words: a picture, a file, or nothing at all; or with more of them than are read. */
  | { readonly kind: 'unreadable'; readonly long?: true }
  | { readonly kind: 'none' };

/** The longest text that is read; nothing the bot asks for is longer. Half of a longer one could say something else, so none of it counts. */
const longest = 2000;

/** Text in its plain form. One that is too long stays so; it is cut first, since normalising can make text eighteen times as long. */
const normal = (text: string) =>
  text
    .slice(0, longest + 1)
    .normalize('NFKC')
    .slice(0, longest + 1)
    .toWellFormed();

/** Why a message could not be read, in words. */
export const unread = (t: Texts, { long }: Extract<Input, { kind: 'unreadable' }>): string =>
  long ? t('question.long', { max: longest }) : t('question.unreadable');

/** Whether an activity is the click of an Action.Execute, which its channel wants answered. */
export const isCardInvoke = ({ type, name }: { readonly type?: string | undefined; readonly name?: string | undefined }) =>
  type === 'invoke' && name === 'adaptiveCard/action';

const mention = z.object({ type: z.literal('mention'), text: z.string().min(1), mentioned: z.object({ id: z.string() }) });

/**
 * What was typed. Teams puts the bot's name before what is said to it, in private chats too, and writes some characters
 * as HTML entities (learn.microsoft.com, "Mentions in bots"); so does a channel whose text is XML.
 */
const typedIn = ({ channelId, entities = [], recipient, text = '', textFormat }: Partial<Activity>) => {
  let typed = text;
  for (const entity of entities) {
    const { data } = mention.safeParse(entity);
    if (data && data.mentioned.id === recipient?.id) typed = typed.replace(data.text, ' ');
  }
  return normal((channelId === 'msteams' || textFormat === 'xml' ? decodeHTML(typed) : typed).trim());
};

/** Reads an activity. A submit has a `value` and no text; both Action.Submit and Action.Execute are understood. */
export const readInput = (activity: Partial<Activity>): Input => {
  const { type, name, value } = activity;
  if (isCardInvoke({ type, name })) return readSubmit(value?.action?.data);
  if (type !== 'message') return { kind: 'none' };
  if (value !== undefined && value !== null) return readSubmit(value);
  const typed = typedIn(activity);
  if (typed.length > longest) return { kind: 'unreadable', long: true };
  return typed === '' ? { kind: 'unreadable' } : { kind: 'text', text: typed };
};

const readSubmit = (data: unknown): Input => {
  if (typeof data !== 'object' || data === null) return { kind: 'foreign' };
  const { action, ...rest } = data as Record<string, unknown>;
  if (typeof action !== 'string' || action.length > 64) return { kind: 'foreign' };
  const fields = Object.entries(rest)
    .filter(([, field]) => ['string', 'number', 'boolean'].includes(typeof field))
    .map(([name, field]) => [name, normal(String(field))]);
  return { kind: 'action', id: action, fields: Object.fromEntries(fields), click: `${action} ${fingerprint(JSON.stringify(fields))}` };
};

/** Text as it is compared: lower case, without accents, punctuation or doubled spaces. */
export const plain = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
