// What was said lately, for the person who takes the chat over: noted turn by turn, without what nobody else may read.
import { type Line, shortened } from '../src/handoff/index.ts';
import { hidden } from '../src/platform/without-secrets.ts';
import { standing } from '../src/verification/index.ts';
import { innermost } from './innermost.ts';
import type { Memory } from './memory.ts';
import { type DialogContext, TurnContext } from './sdk.ts';
import type { Notes, Turn } from './turn.ts';

/** Lines that are kept; a person who has more to read does not read it. */
const most = 40;

export const newNotes = (): Notes => ({ said: [], secret: false });

/**
 * Whether any words may be the answer to what is asked: then they are what fills in a document, and nobody else's to
 * read.
 */
export const asksForAnything = (dc: DialogContext): boolean => innermost(dc)?.state?.wordy === true;

/** Adds a turn to what is kept of the chat, where a person may take it over; answers what it has added. */
export const keepNotes = ({ context, input, memory, notes, services }: Turn): readonly Line[] => {
  if (!notes || !services.handoffs) return [];
  const at = services.clock.now();
  const verified = standing(memory, TurnContext.getConversationReference(context.activity), at).length > 0;
  const line = (from: Line['from'], text: string): Line => ({ from, text: shortened(text), at, ...(verified && { verified }) });
  const typed = input.kind === 'text' ? (notes.secret ? hidden : input.text) : notes.picked;
  const lines = [...(typed === undefined ? [] : [line('customer', typed)]), ...notes.said.map(({ from, text }) => line(from, text))];
  if (lines.length > 0) memory.transcript = [...(memory.transcript ?? []), ...lines].slice(-most);
  return lines;
};

/** What was said before this turn and in it. */
export const transcriptOf = (turn: Turn): readonly Line[] => {
  const memory: Memory = { ...(turn.memory.transcript && { transcript: turn.memory.transcript }), ...turn.memory };
  keepNotes({ ...turn, memory });
  return memory.transcript ?? [];
};
