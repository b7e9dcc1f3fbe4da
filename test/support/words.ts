// The words of a message that reach a person: its text, or for a card the text that goes with it.
import type { Seen } from './direct-line.ts';

export const wordsOf = ({ text, channelData, speak }: Seen): string => text ?? channelData?.['webchat:fallback-text'] ?? speak ?? '';

/** The message with those words as its text. */
export const asRead = (activity: Seen): Seen => ({ ...activity, text: wordsOf(activity) });
