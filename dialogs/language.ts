// Which language to speak: the one the customer chose in words, else the one the channel tells.
import type { Activity } from 'botbuilder';
import type { Memory } from './memory.ts';

/** The language tag for this turn. A channel that tells none leaves the last one. */
export const localeOf = ({ locale, localeChosen }: Memory, activity: Partial<Activity>): string =>
  (localeChosen ? locale : (activity.locale ?? locale)) ?? '';
