// Matches typed words to a question's choices: by title, by number in a list, or by a phrase with courtesies around it.
import type { Texts } from '../cards/index.ts';
import { comparable, spellingsOf, without } from './comparable.ts';
import { phrasesOf } from './recogniser.ts';

/** What of a choice can be said. */
interface Pickable {
  readonly title: string;
  readonly phrases?: readonly string[];
}

/** The words for each place in a list, by the list. */
const placesIn = new Map<string, readonly (readonly string[])[]>();

const placesOf = (listed: string): readonly (readonly string[])[] => {
  const places = placesIn.get(listed) ?? listed.split('|').map((words) => words.split(' ').flatMap(spellingsOf));
  placesIn.set(listed, places);
  return places;
};

/** A place in a list, from 1: "2", "the second one", "option two". */
const placeIn = (text: string, t: Texts): number | undefined => {
  const places = placesOf(t('phrases.places'));
  if (!/\d/.test(text) && !places.some((words) => words.some((word) => text.includes(word)))) return undefined;
  const rest = without(text, [...phrasesOf(t, 'phrases.placing'), ...phrasesOf(t, 'phrases.courtesy')]);
  // "The second one" is not the first.
  const says = (word: string) => ` ${rest} `.startsWith(` ${word} `) && without(rest.slice(word.length), places[0] ?? []).trim() === '';
  const [digits = ''] = /^\d{1,2}(?= |$)/.exec(rest) ?? [];
  if (digits && says(digits)) return Number(digits);
  const place = places.findIndex((words) => words.some(says)) + 1;
  return place || undefined;
};

/**
 * The choice that typed words pick: by title or phrase, by a number shown beside it, or by one choice's phrases with
 * nothing but courtesies around them ("yes please", "ok, send it"). Numbers that are not shown pick nothing, so one
 * that was meant for the question before does no harm.
 */
export const pickedBy = <Choice extends Pickable>(
  typed: string,
  { choices, numbered = 0 }: { readonly choices: readonly Choice[]; readonly numbered?: number },
  t: Texts,
): Choice | undefined => {
  const text = comparable(typed);
  const ways = ({ title, phrases = [] }: Choice) => [title, ...phrases].map(comparable).filter(Boolean);
  const exact = choices.find((choice) => ways(choice).includes(text));
  if (exact) return exact;
  const place = placeIn(text, t) ?? 0;
  if (place > 0 && place <= numbered) return choices[place - 1];
  const courtesy = phrasesOf(t, 'phrases.courtesy');
  const [said, another] = choices.filter((choice) => {
    const rest = without(text, ways(choice));
    return rest !== text && without(rest, courtesy) === '';
  });
  return another ? undefined : said;
};
