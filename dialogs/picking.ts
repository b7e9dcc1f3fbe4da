// Which of a question's choices typed words pick: by title, by place in a numbered list, or in other words with good manners around them.
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
 * The choice that typed words pick: its title or one of its phrases; its place, where it is shown with a number; or words of which nothing is left
 * once the phrases of this one choice and good manners are taken away ("yes please", "ok, send it"). A number that was meant for the question before,
 * and comes twice, picks nothing.
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
