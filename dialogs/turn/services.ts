// The services of a bot's dialogs, in records that say who uses them. Made once, when the bot is composed.
import type { Texts } from '../../cards/index.ts';
import type { AppId } from '../../src/contract/index.ts';
import type { Interaction, Interactions } from '../../src/interactions/index.ts';
import type { LookupRate } from '../../src/platform/limits.ts';
import type { Log } from '../../src/platform/log.ts';
import type { Clock } from '../../src/platform/time/clock.ts';
import type { Way } from '../language/texts.ts';
import type { Activity } from '../sdk.ts';
import type { AppTitles, FormEntry } from './catalogue.ts';
import type { Flows } from './offered-flows.ts';

/** For everybody. */
export interface CommonServices {
  readonly clock: Clock;
  readonly newId: () => string;
  /** A number in [0, 1) from a cryptographic source: it makes codes that people compare. */
  readonly random: () => number;
  readonly log: Log;
  /** The texts for a language tag and an IANA time zone; unknown ones fall back. */
  readonly textsFor: (locale: string, timeZone?: string, way?: Way) => Texts;
  /** The sender's name that customers see, if known. */
  readonly sender?: string;
}

/** What customers can begin: for the menu, and for what reads wishes. */
export interface OfferServices {
  /** The apps that customers and programs may begin. Flows and agents may begin all of them. */
  readonly apps: readonly AppId[];
  /** The operator's titles for the apps, by language; the built-in ones are the default. */
  readonly titles?: AppTitles;
  /** The forms that can be sent: e-form's bootstrap lists none. */
  readonly forms: readonly FormEntry[];
  /** The designers' flows. */
  readonly flows?: Flows;
}

/** Finds the caller's number (E.164) where the channel knows it. It may ask elsewhere; a failure means "not known". */
export type CallerResolver = (activity: Partial<Activity>) => Promise<string | undefined>;

/** Who is calling: for the first steps of the apps, and for what reads numbers. */
export interface CallerServices {
  /** Finds the caller's number where the channel knows it. */
  readonly callerNumber: CallerResolver;
  /** Region for numbers typed without a country code, ISO 3166 alpha-2. */
  readonly defaultRegion: string;
  /** Whether a number typed in this chat is looked up by initials, and hit and miss are answered alike. */
  readonly asksInitials: (activity: Partial<Activity>) => boolean;
  /** The number whose catalogue is offered when customers are found by initials, so that offers reveal nothing. */
  readonly catalogueNumber?: string;
  /** Counts lookups per user. */
  readonly lookupRate: LookupRate;
  /** Counts a lookup where the turn came from; `false` when it is one too many. */
  readonly admitLookup: (activity: Partial<Activity>) => Promise<boolean>;
}

/** The requests of a chat: for what sends, waits and shows outcomes. */
export interface RequestServices {
  readonly interactions: Interactions;
  /** The chat of an activity, to which outcomes are delivered later; opaque here. */
  readonly chatOf: (activity: Partial<Activity>) => { readonly conversation: string; readonly address: string };
  /** The service shows the two digits of a request with its message and on its page. */
  readonly showsCode: boolean;
  /** Whether links of requests may be asked for and said: not in another's bot, whose transcripts are not ours. */
  readonly saysLinks: boolean;
  /** Says now and then, in a spoken chat, that the interaction is still waited for. */
  readonly holdOn?: (interaction: Interaction) => void;
}
