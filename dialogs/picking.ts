// Matches typed words to a question's choices: by title, by number in a list, or by a phrase with courtesies around it.
import type { Texts } from '../cards/index.ts';
import { comparable } from './activities.ts';
import { phrasesOf, without } from './recogniser.ts';

/** What of a choice can be said. */
interface Pickable {
  readonly title: string;
  readonly phrases?: readonly string[];
}

/** A place in a list, from 1: "2", "the second one", "option two". */
const placeIn = (text: string, t: Texts): number | undefined => {
  const rest = without(text, [...phrasesOf(t, 'phrases.placing'), ...phrasesOf(t, 'phrases.courtesy')]);
  const [first = '', ...others] = rest.split(' ');
  const places = phrasesOf(t, 'phrases.places').map((words) => words.split(' '));
  // "The second one" is not the first.
  if (!others.every((word) => places[0]?.includes(word))) return undefined;
  if (/^\d{1,2}$/.test(first)) return Number(first);
  const place = places.findIndex((words) => words.includes(first)) + 1;
  return place || undefined;
};

/**
 * The choice that typed words pick: by title or phrase, by a number shown beside it, or by one choice's phrases with
 * nothing but courtesies around them ("yes please", "ok, send it"). Numbers that are not shown pick nothing, so one that
 * was meant for the question before does no harm.
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
