// Faults of settings beyond their form: in the files that they name, and in combinations.
import { graphUnusable, unsafeSettings } from '../../bot/index.ts';
import { loadTheme } from '../../platform/pages/theme.ts';
import {
  type Environment,
  inProduction,
  inTheClear,
  linesOf,
  needs,
  shortSecrets,
  unsaidProxies,
} from '../../platform/settings/environment.ts';
import { readForms, readMenu } from './forms.ts';
import { readOwnTexts } from './own-texts.ts';

/** Mistakes in the files that settings name. */
export const filesWrong = ({ CHAT_THEME, FORMS_FILE, MENU_FILE, TEXTS_DIR }: Environment): string[] => [
  ...(FORMS_FILE ? linesOf(() => readForms(FORMS_FILE)) : []),
  ...(MENU_FILE ? linesOf(() => readMenu(MENU_FILE)) : []),
  ...(TEXTS_DIR ? linesOf(() => readOwnTexts(TEXTS_DIR)) : []),
  ...(CHAT_THEME ? linesOf(() => loadTheme(CHAT_THEME, 'CHAT_THEME')) : []),
];

/** Mistakes in combinations. `beside`: the reference service would start beside the bot. */
export const togetherWrong = (set: Environment, beside: boolean): string[] => {
  const { NODE_ENV, SERVICE_BASE_URL, SERVICE_WS_URL, TEAMS_PHONE } = set;
  const production = NODE_ENV === 'production';
  return [
    ...unsafeSettings(set),
    ...publicly(set, (when) => exposed(set, when)),
    ...(TEAMS_PHONE === 'graph' && !production ? needs(set, ['MicrosoftAppId'], 'TEAMS_PHONE is graph') : []),
    ...(TEAMS_PHONE === 'graph' ? graphUnusable(set) : []),
    ...(SERVICE_BASE_URL ? needs(set, ['SERVICE_SECRET_KEY'], 'SERVICE_BASE_URL is') : []),
    ...(SERVICE_WS_URL ? needs(set, ['SERVICE_BASE_URL'], 'SERVICE_WS_URL is') : []),
    ...(!SERVICE_BASE_URL && !SERVICE_WS_URL && production
      ? ['SERVICE_BASE_URL: must be set when NODE_ENV is production. The built-in service is for trying the bot out.']
      : []),
    ...(beside && !SERVICE_BASE_URL ? samePort(set) : []),
  ];
};

/** Both would start, and only one can have the port. */
const samePort = ({ PORT = '3978', SERVICE_PORT = '4010' }: Environment): string[] =>
  PORT !== '0' && Number(PORT) === Number(SERVICE_PORT) ? ['SERVICE_PORT: must differ from PORT.'] : [];

/** Whether the bot is reachable by everybody: in production, and with an app id, since channels must reach it. */
export const isPublic = ({
  MicrosoftAppId,
  NODE_ENV,
}: {
  readonly MicrosoftAppId?: string | undefined;
  readonly NODE_ENV?: string | undefined;
}): boolean => NODE_ENV === 'production' || Boolean(MicrosoftAppId);

/** What is wrong only where everybody can reach the bot; `when` says so in words. */
export const publicly = (set: Environment, faults: (when: string) => readonly string[]): readonly string[] =>
  isPublic(set) ? faults(set.NODE_ENV === 'production' ? inProduction : 'when MicrosoftAppId is set') : [];

/** A line for each setting that would leave a public bot open. */
const exposed = (set: Environment, when: string): string[] => {
  const { CHAT_TOKEN_KEY, DATABASE_URL, PUBLIC_URL } = set;
  return [
    ...(PUBLIC_URL ? [] : [`PUBLIC_URL: must be set ${when}: the public address of the chat.`]),
    ...unsaidProxies(set, when),
    ...shortSecrets(set, ['SERVICE_SECRET_KEY'], when),
    ...inTheClear(set, ['SERVICE_BASE_URL', 'SERVICE_WS_URL', 'PUBLIC_URL'], when),
    ...(DATABASE_URL && !CHAT_TOKEN_KEY
      ? [`CHAT_TOKEN_KEY: must be set ${when} and DATABASE_URL is set: replicas sign chat tokens with the same key.`]
      : []),
  ];
};
