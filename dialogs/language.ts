// Which language to speak: what the channel tells, until the customer says something in another one.
import type { Activity } from 'botbuilder';
import type { Texts } from '../cards/index.ts';
import type { Memory } from './memory.ts';
import { appIn, commandIn } from './recogniser.ts';

/** Takes the channel's language when it is a new one; a channel that tells none, or the same as before, changes nothing. */
export const followChannel = (memory: Memory, { locale }: Partial<Activity>): void => {
  if (!locale || locale === memory.channelLocale) return;
  memory.channelLocale = locale;
  memory.locale = locale;
};

const understood = (typed: string, t: Texts) => appIn(typed, t) ?? commandIn(typed, t);

/** The other language in which a wish or a command makes sense, when it makes none in the chat's own. */
export const spokenInstead = (typed: string, own: Texts, others: readonly Texts[]): Texts | undefined =>
  understood(typed, own) ? undefined : others.find((other) => other.language !== own.language && understood(typed, other));
