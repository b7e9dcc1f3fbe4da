// What the operator of a bot has changed about its conversations, as tests and checks of flows need it: words, forms,
// cards, and the catalogue of the service.
import { chatLanguages, demoForms, formTitle, makeTexts, namedIn } from '../../../dialogs/index.ts';
import { type Fault, type LoadedFlows, type NamedThing, thingsNamed } from '../../flows/index.ts';
import { loadTheme, type Theme } from '../../platform/pages/theme.ts';
import type { Environment } from '../../platform/settings/environment.ts';
import type { ConversationOptions, Operator } from '../bot/core-options.ts';
import type { CoreSettings } from '../settings/core-settings.ts';
import { readForms, readMenu } from '../settings/forms.ts';
import { readOwnTexts } from '../settings/own-texts.ts';
import { findService } from './service.ts';
import { readSettings } from './settings.ts';

/** Settings of conversations. */
const settingsOfWords = [
  'AGENT_CONTACT',
  'CHAT_THEME',
  'DEFAULT_LOCALE',
  'DEFAULT_REGION',
  'FORMS_FILE',
  'MENU_FILE',
  'TEXTS_DIR',
] as const satisfies readonly (keyof CoreSettings)[];

/** @throws {SettingsError} when a file that a setting names cannot be used. */
export const themeOf = ({ CHAT_THEME }: Pick<CoreSettings, 'CHAT_THEME'>): Theme | undefined =>
  CHAT_THEME === undefined ? undefined : loadTheme(CHAT_THEME, 'CHAT_THEME');

/** How the dialogs speak and what they offer. @throws {SettingsError} when a file that a setting names cannot be used. */
export const conversationOf = (settings: Pick<CoreSettings, (typeof settingsOfWords)[number]>) => {
  const { AGENT_CONTACT, DEFAULT_LOCALE, DEFAULT_REGION, FORMS_FILE, MENU_FILE, TEXTS_DIR } = settings;
  return {
    forms: FORMS_FILE === undefined ? demoForms : readForms(FORMS_FILE),
    ...(MENU_FILE !== undefined && readMenu(MENU_FILE)),
    texts: TEXTS_DIR === undefined ? undefined : readOwnTexts(TEXTS_DIR).chat,
    locale: DEFAULT_LOCALE,
    region: DEFAULT_REGION,
    agentContact: AGENT_CONTACT,
  } satisfies ConversationOptions;
};

/**
 * The operator whom the environment describes. Only these settings are read: a pipeline has no others.
 * @throws {SettingsError} with a line for every mistake.
 */
export const operatorOf = (environment: Environment): Operator => {
  const settings = readSettings(Object.fromEntries(settingsOfWords.map((name) => [name, environment[name]])));
  const sender = themeOf(settings)?.name;
  return {
    conversation: { ...conversationOf(settings), ...(sender !== undefined && { sender }) },
    cards: environment.CARDS_DIR || undefined,
    catalogue: environment.SERVICE_CATALOGUE || undefined,
  };
};

interface Offered {
  readonly value: string;
  readonly title: (language: string) => string;
  readonly names?: Readonly<Record<string, readonly string[]>> | undefined;
}

/**
 * What flows name and nobody offers. The catalogue of a service elsewhere (SERVICE_BASE_URL) is not known.
 * @throws {SettingsError} if the catalogue's file cannot be used.
 */
export const unknownNames = async (
  { flows }: LoadedFlows,
  { conversation, catalogue }: Operator,
  environment: Environment,
): Promise<Fault[]> => {
  const forms = (conversation?.forms ?? []).map(
    (form): Offered => ({ value: form.id, title: (language) => formTitle(form, language), names: form.names }),
  );
  const elsewhere = catalogue === undefined && Boolean(environment.SERVICE_BASE_URL);
  const service = elsewhere ? undefined : await findService();
  const offered: Partial<Record<NamedThing['kind'], readonly Offered[]>> = { form: forms, ...service?.offersIn(catalogue) };
  return [...flows.values()].flatMap((flow) =>
    thingsNamed(flow).flatMap(({ kind, written, unknown }) => {
      const things = offered[kind];
      return things === undefined || isAmong(things, written) ? [] : [unknown];
    }),
  );
};

/** By its identifier, or by its name in some language. */
const isAmong = (things: readonly Offered[], written: string): boolean =>
  things.some(({ value }) => value === written) ||
  chatLanguages.some((language) => {
    const named = things.map(({ value, title, names }) => ({ value, title: title(language), names: names?.[language] ?? [] }));
    return namedIn(written, named, makeTexts(language)) !== undefined;
  });
