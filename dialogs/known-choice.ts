// What is to be sent without a question: what was chosen before, or what a flow's file names.
import { type AppDialog, type AppOptions, offeredIn, type Values } from './app-dialog.ts';
import type { Choice } from './question.ts';
import { namedIn } from './recogniser.ts';
import type { Turn } from './turn.ts';

/** The identifier of what is known; `undefined` where the customer chooses. `unnamed` is told of words that name nothing. */
export const knownChoice = async (
  app: AppDialog,
  turn: Turn,
  values: Values,
  options: AppOptions,
  unnamed: () => void,
): Promise<string | undefined> => {
  const { choose } = app;
  const { before } = options;
  if (!choose || !before || before.again === 'chosen') return undefined;
  if (choose.offered(turn, values as never).includes(before.chosen)) return before.chosen;
  if (!before.written) return undefined;
  const named = await namedByFile(app, turn, values, before.chosen, before.written);
  // From here on it is known by its identifier: what the file fills in belongs to it.
  if (named === undefined) unnamed();
  else Object.assign(options, { before: { ...before, chosen: named } } satisfies AppOptions);
  return named;
};

/** A file is written in a language of its own: what its words name may be called otherwise in the customer's. */
const namedByFile = async (
  app: AppDialog,
  turn: Turn,
  values: Values,
  words: string,
  languages: readonly string[],
): Promise<string | undefined> => {
  const { choose } = app;
  for (const language of new Set([turn.t.language, ...languages])) {
    const t = language === turn.t.language ? turn.t : turn.services.textsFor(language);
    const found = t === turn.t || !app.catalogued ? values.found : await catalogueIn(app, turn, values, language);
    if (!found) return undefined;
    const { choices = [] } = choose?.question.ask({ ...turn, t }, { ...values, found } as never) ?? {};
    const named = namedIn(words, choices as readonly Choice<string>[], t)?.value;
    if (named !== undefined && choose?.offered(turn, values as never).includes(named)) return named;
  }
  return undefined;
};

/** Asked once more in another language; where nobody may be looked up, at the operator's own number. */
const catalogueIn = async ({ id }: AppDialog, { services }: Turn, values: Values, language: string) => {
  const phoneNumber = values.initials === undefined ? values.phoneNumber : services.catalogueNumber;
  if (phoneNumber === undefined || values.sessionRef === undefined) return undefined;
  const lookup = await services.interactions.lookup(id, { phoneNumber, sessionRef: values.sessionRef }, language);
  return 'found' in lookup ? offeredIn(lookup.found) : undefined;
};
