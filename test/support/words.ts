// What a person gets to know of a message: its text, or where it is a card the words that go with it.
import type { Seen } from './direct-line.ts';

export const wordsOf = ({ text, channelData, speak }: Seen): string => text ?? channelData?.['webchat:fallback-text'] ?? speak ?? '';

/** The message with those words as its text. */
export const asRead = (activity: Seen): Seen => ({ ...activity, text: wordsOf(activity) });
