// Descriptions of the bot for others (`countersign manifest`): the app package for Teams (manifest 1.30, with languages
// and icons, zipped for an administrator to upload), the skill manifest, and the files of the Power Platform connector.
// They are generated, because a file to be edited by hand lists apps and languages that are not the bot's. The tests
// check them against Microsoft's schemas, which are too large for an install.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { zipSync } from 'fflate';
import { z } from 'zod';
import { type ChatLanguage, chatLanguages, type Flows, makeTexts, type OwnTexts } from '../../../dialogs/index.ts';
import countersign from '../../../package.json' with { type: 'json' };
import { appIds } from '../../contract/index.ts';
import { shipped } from '../../platform/pages/assets.ts';
import { loadTheme } from '../../platform/pages/theme.ts';
import type { Environment } from '../../platform/settings/environment.ts';
import { SettingsError } from '../../platform/settings/settings-error.ts';
import type { AnyCapability, DescribedBot } from '../bot/capability.ts';
import { capabilities } from '../capabilities.ts';
import { readMenu } from '../settings/forms.ts';
import { readOwnTexts } from '../settings/own-texts.ts';

/** The bot as Teams is told of it: by default under the product's name, with all apps. */
type TeamsBot = Pick<DescribedBot, 'appId' | 'host'> &
  Partial<Pick<DescribedBot, 'accent' | 'apps' | 'name'>> & {
    /** The flows of the menu, in the language of the texts. Unset: none. */
    readonly flows?: Flows['offered'];
    /** Texts that replace built-in ones. */
    readonly texts?: OwnTexts | undefined;
  };

const schemas = 'https://developer.microsoft.com/json-schemas/teams/v1.30';
/** The language of the manifest itself; the others are in files beside it. */
const first: ChatLanguage = 'en';
const ownName = 'Countersign';
const ownAccent = '#0b5d57';

/** What Teams takes (learn.microsoft.com, "root.bots.commandLists"). */
const most = { commands: 12, title: 128, description: 4000 } as const;

/** The app's texts in Teams, in one language. */
const wordsIn = (language: ChatLanguage, { name = ownName, apps = appIds, flows = () => [], texts: own }: Partial<TeamsBot>) => {
  const t = makeTexts(language, { own });
  return {
    name: { short: name.slice(0, 30), full: t('manifest.name', { name }).slice(0, 100) },
    description: { short: t('manifest.short'), full: t('manifest.full') },
    commands: [
      ...[
        ...apps.map((app) => ({ title: t(`menu.titles.${app}`), description: t(`apps.${app}.description`) })),
        ...flows(t).map(({ title, description = title }) => ({
          title: title.slice(0, most.title),
          description: description.slice(0, most.description),
        })),
      ].slice(0, most.commands - 1),
      { title: t('cards.buttons.help'), description: t('manifest.help') },
    ],
  };
};

/**
 * The manifest (learn.microsoft.com, "App manifest schema for Teams"). Everything is in the personal scope: nobody else
 * reads it.
 */
export const manifestOf = ({ appId, host, name = ownName, accent = ownAccent, ...worded }: TeamsBot) => {
  const { commands, ...words } = wordsIn(first, { name, ...worded });
  const site = `https://${host}`;
  const personal = ['personal'];
  return {
    $schema: `${schemas}/MicrosoftTeams.schema.json`,
    manifestVersion: '1.30',
    version: countersign.version,
    id: appId,
    developer: { name: name.slice(0, 32), websiteUrl: site, privacyUrl: `${site}/privacy`, termsOfUseUrl: `${site}/terms` },
    ...words,
    icons: { color: 'color.png', outline: 'outline.png' },
    accentColor: accent,
    localizationInfo: {
      defaultLanguageTag: first,
      additionalLanguages: others.map((language) => ({ languageTag: language, file: `${language}.json` })),
    },
    bots: [
      {
        botId: appId,
        scopes: personal,
        supportsFiles: false,
        isNotificationOnly: false,
        commandLists: [{ scopes: personal, commands }],
      },
    ],
    validDomains: [host],
  };
};

const others = chatLanguages.filter((language) => language !== first);

/** The same texts in another language, by their place in the manifest. */
export const localisedManifest = (language: ChatLanguage, worded: Partial<TeamsBot> = {}): Readonly<Record<string, string>> => {
  const { commands, ...words } = wordsIn(language, worded);
  return {
    $schema: `${schemas}/MicrosoftTeams.Localization.schema.json`,
    'name.short': words.name.short,
    'name.full': words.name.full,
    'description.short': words.description.short,
    'description.full': words.description.full,
    ...Object.fromEntries(
      commands.flatMap(({ title, description }, index) => [
        [`bots[0].commandLists[0].commands[${index}].title`, title],
        [`bots[0].commandLists[0].commands[${index}].description`, description],
      ]),
    ),
  };
};

const icon = (name: string) =>
  readFileSync(shipped(new URL(`../manifest/${name}`, import.meta.url), () => new URL(`../../../manifest/${name}`, import.meta.url)));

/** The app package. */
export const appPackage = (options: TeamsBot): Uint8Array => {
  const json = (value: object) => new TextEncoder().encode(`${JSON.stringify(value, null, 2)}\n`);
  return zipSync(
    {
      'manifest.json': json(manifestOf(options)),
      ...Object.fromEntries(others.map((language) => [`${language}.json`, json(localisedManifest(language, options))])),
      'color.png': icon('color.png'),
      'outline.png': icon('outline.png'),
    },
    // The same options make the same bytes.
    { mtime: new Date(2026, 0, 1) },
  );
};

const host = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,}(?::\d{1,5})?$/i;

/** The output folder, relative to the current one. */
const place = join('dist', 'manifest');

const brought = (capabilities as readonly AnyCapability[]).flatMap(({ commands }) => commands ?? []);
const manifests = brought.flatMap(({ manifest }) => manifest ?? []);

/** The outputs, by the argument that selects one. */
const kinds: readonly string[] = ['teams', ...manifests.map(({ kind }) => kind)];

/**
 * Writes the manifests, and returns their paths and further remarks. Options that the command line lacks come from the
 * settings: `MicrosoftAppId`, `PUBLIC_URL`, `CHAT_THEME`, `MENU_FILE`, `TEXTS_DIR`, and those that flows are read from.
 * @throws {SettingsError} for options that are unknown, missing or wrong.
 */
export const writeManifest = (args: readonly string[], environment: Environment, folder = '.'): readonly string[] => {
  const { appId, host: at, wanted } = readOptions(args);
  const { MicrosoftAppId: fromSettings, PUBLIC_URL, CHAT_THEME, MENU_FILE, TEXTS_DIR } = environment;
  const id = appId ?? fromSettings ?? '';
  const name = at ?? (PUBLIC_URL && URL.canParse(PUBLIC_URL) ? new URL(PUBLIC_URL).host : '');
  const wrong = [
    ...(z.guid().safeParse(id).success ? [] : ['--app-id: must be the app id of the bot, a UUID as the Azure portal shows it.']),
    ...(host.test(name) ? [] : ['--host: must be where Teams and customers reach the bot, such as chat.example.com.']),
  ];
  if (wrong.length > 0) throw new SettingsError(wrong);
  const theme = CHAT_THEME ? loadTheme(CHAT_THEME, 'CHAT_THEME') : undefined;
  const look = { name: theme?.name ?? ownName, accent: theme?.colours?.light.accent ?? ownAccent };
  const { hidden = [] } = MENU_FILE ? readMenu(MENU_FILE) : {};
  const apps = appIds.filter((app) => !hidden.includes(app));
  const texts = TEXTS_DIR ? readOwnTexts(TEXTS_DIR).chat : undefined;
  const write = (file: string, content: string | Uint8Array | object) => {
    const whole = resolve(folder, place, file);
    mkdirSync(dirname(whole), { recursive: true });
    const text = typeof content === 'string' || content instanceof Uint8Array ? content : `${JSON.stringify(content, null, 2)}\n`;
    writeFileSync(whole, text);
    return whole;
  };
  const found = brought.flatMap((one) => one.flows?.(environment) ?? []);
  const flows = found.flatMap(({ described }) => described(makeTexts(first)));
  const offered: Flows['offered'] = (t) => found.flatMap((one) => one.offered(t));
  const teams = () => [write('teams.zip', appPackage({ appId: id, host: name, ...look, apps, flows: offered, texts }))];
  return wanted.flatMap((kind) => {
    const own = manifests.find((manifest) => manifest.kind === kind);
    if (!own) return teams();
    const { files, remarks = [] } = own.files({ appId: id, host: name, ...look, apps, flows });
    return [...Object.entries(files).map(([file, content]) => write(file, content)), ...remarks];
  });
};

const readOptions = (args: readonly string[]) => {
  const asked = () => {
    try {
      return parseArgs({ args: [...args], options: { 'app-id': { type: 'string' }, host: { type: 'string' } }, allowPositionals: true });
    } catch {
      return undefined;
    }
  };
  const { values, positionals } = asked() ?? { values: {}, positionals: ['unknown'] };
  const wanted = positionals.length === 0 ? kinds : kinds.filter((kind) => positionals.includes(kind));
  if (positionals.some((word) => !kinds.includes(word)))
    throw new SettingsError([`manifest: takes ${kinds.join(' or ')}, --app-id <id> and --host <host>, and nothing else.`]);
  return { appId: values['app-id'], host: values.host, wanted };
};
