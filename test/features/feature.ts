// An optional feature of the bot: the settings that switch it on, and the smallest thing that shows that it works.
import { makeTexts } from '../../dialogs/language/texts.ts';
import type { Started } from './start.ts';
import type { Surroundings } from './surroundings.ts';

export interface Feature {
  readonly name: string;
  readonly settings: Readonly<Record<string, string | ((around: Surroundings) => string | Promise<string>)>>;
  /** Features that cannot be on with it, each with the reason. */
  readonly without?: Readonly<Record<string, string>>;
  /** Uses it over HTTP or a websocket. */
  readonly works: (started: Started) => Promise<void>;
  /** What can only be seen once the bot has stopped. */
  readonly worked?: (started: Started) => Promise<boolean>;
}

/** A number of the demo account's. */
export const customer = '+12025550102';

/** The words that ask for a person. */
export const askForPerson = (language: string): string => makeTexts(language)('cards.buttons.person');

/** A key that is long enough for production. */
export const longKey = (name: string): string => `${name}-`.repeat(40).slice(0, 40);
