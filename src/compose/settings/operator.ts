// What the operator of a bot has changed about its conversations: words, forms, cards, and the catalogue of the service.
import { demoForms } from '../../../dialogs/index.ts';
import { loadTheme, type Theme } from '../../platform/pages/theme.ts';
import type { Environment } from '../../platform/settings/environment.ts';
import type { ConversationOptions, Operator } from '../bot/core-options.ts';
import type { CoreSettings } from './core-settings.ts';
import { readForms, readMenu } from './forms.ts';
import { readOwnTexts } from './own-texts.ts';
import { readSettingsOf } from './read-settings.ts';

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
  const settings = readSettingsOf([], Object.fromEntries(settingsOfWords.map((name) => [name, environment[name]])));
  const sender = themeOf(settings)?.name;
  return {
    conversation: { ...conversationOf(settings), ...(sender !== undefined && { sender }) },
    cards: environment.CARDS_DIR || undefined,
    catalogue: environment.SERVICE_CATALOGUE || undefined,
  };
};
