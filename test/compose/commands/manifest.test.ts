import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ManifestUtil } from '@microsoft/app-manifest';
import { unzipSync } from 'fflate';
import { commandIn, wishesIn } from '../../../dialogs/language/recogniser.ts';
import { type ChatLanguage, chatLanguages, makeTexts } from '../../../dialogs/language/texts.ts';
import { appPackage, localisedManifest, manifestOf, writeManifest } from '../../../src/compose/commands/manifest.ts';
import { appIds } from '../../../src/contract/index.ts';

const appId = '11111111-2222-4333-8444-555555555555';
const options = { appId, host: 'chat.example.com' };
const schemas = (name: string) =>
  JSON.parse(
    readFileSync(createRequire(import.meta.url).resolve(`@microsoft/app-manifest/build/json-schemas/teams/v1.30/${name}`), 'utf8'),
  );
/**
 * The schema of the other languages, without the patterns that no validator with Unicode’s rules reads: of parts that
 * no bot has.
 */
const localisation = () => {
  const { patternProperties, ...schema } = schemas('MicrosoftTeams.Localization.schema.json');
  const readable = Object.entries(patternProperties).filter(([pattern]) => pattern.startsWith('^bots'));
  return { ...schema, patternProperties: Object.fromEntries(readable) };
};
const json = (bytes: Uint8Array | undefined) => JSON.parse(new TextDecoder().decode(bytes));

describe('the app package for Teams', () => {
  const variants = [options, { ...options, host: 'chat.example.com:8443' }, { ...options, name: 'N'.repeat(60), accent: '#123456' }];
  for (const variant of variants)
    it(`has a manifest that Microsoft’s schema takes, for ${variant.host}${'name' in variant ? ' and a long name' : ''}`, async () => {
      const schema = schemas('MicrosoftTeams.schema.json');
      assert.deepEqual(await ManifestUtil.validateManifestAgainstSchema(manifestOf(variant) as never, schema), []);
      // The schema is one that refuses.
      assert.notDeepEqual(await ManifestUtil.validateManifestAgainstSchema({ ...manifestOf(variant), id: 'x' } as never, schema), []);
    });

  it('has the same texts in every language, in a file that Microsoft’s schema accepts', async () => {
    const { localizationInfo, bots } = manifestOf(options);
    assert.deepEqual(
      [localizationInfo.defaultLanguageTag, ...localizationInfo.additionalLanguages.map(({ languageTag }) => languageTag)].sort(),
      [...chatLanguages].sort(),
    );
    for (const language of chatLanguages) {
      const file = localisedManifest(language);
      assert.deepEqual(await ManifestUtil.validateManifestAgainstSchema(file as never, localisation()), [], language);
      assert.equal(Object.keys(file).filter((key) => key.endsWith('.title')).length, bots[0]?.commandLists[0]?.commands.length);
    }
  });

  it('offers the flows of the menu too, twelve commands at most, in files that Microsoft’s schemas accept', async () => {
    const flows = (count: number) => (t: { readonly language: string }) =>
      Array.from({ length: count }, (_, index) => ({
        flow: `f${index}`,
        title: `${t.language} ${'t'.repeat(200)}`,
        ...(index > 0 && { description: 'd'.repeat(5000) }),
      }));
    for (const [count, commands] of [
      [3, 9],
      [40, 12],
    ] as const) {
      const given = { ...options, flows: flows(count) };
      const manifest = manifestOf(given);
      const listed = manifest.bots[0]?.commandLists[0]?.commands ?? [];
      assert.equal(listed.length, commands);
      assert.equal(listed.at(-1)?.title, 'Help');
      assert.match(listed[5]?.title ?? '', /^en t+$/);
      assert.deepEqual(await ManifestUtil.validateManifestAgainstSchema(manifest as never, schemas('MicrosoftTeams.schema.json')), []);
      const german = localisedManifest('de', given);
      assert.match(german['bots[0].commandLists[0].commands[5].title'] ?? '', /^de t+$/);
      assert.deepEqual(await ManifestUtil.validateManifestAgainstSchema(german as never, localisation()), []);
    }
  });

  it('is written with the flows that come with the bot', () => {
    const folder = mkdtempSync(join(tmpdir(), 'countersign-manifest-'));
    try {
      writeManifest(['teams', '--app-id', appId, '--host', 'chat.example.com'], {}, folder);
      const files = unzipSync(readFileSync(join(folder, 'dist/manifest/teams.zip')));
      const titles = json(files['manifest.json']).bots[0].commandLists[0].commands.map(({ title }: { title: string }) => title);
      assert.deepEqual(titles.slice(5), ['Change your address', 'Open an account', 'Settle a bill', 'Help']);
      assert.match(JSON.stringify(json(files['de.json'])), /Adresse ändern/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  for (const language of chatLanguages)
    it(`offers every app and help, each in words that the bot understands in ${language}`, () => {
      const t = makeTexts(language as ChatLanguage);
      const titles = Object.entries(localisedManifest(language)).flatMap(([key, words]) => (key.endsWith('.title') ? [words] : []));
      assert.deepEqual(
        titles.slice(0, -1).map((title) => wishesIn(title, t).map(({ app }) => app)),
        appIds.map((app) => [app]),
      );
      assert.equal(commandIn(titles.at(-1) ?? '', t), 'help');
    });

  it('holds the manifest, the languages, and icons of the sizes that Teams asks for', () => {
    const files = unzipSync(appPackage(options));
    assert.deepEqual(
      Object.keys(files).sort(),
      ['color.png', ...chatLanguages.filter((each) => each !== 'en').map((each) => `${each}.json`), 'manifest.json', 'outline.png'].sort(),
    );
    assert.deepEqual(json(files['manifest.json']), manifestOf(options));
    for (const [name, size] of [
      ['color.png', 192],
      ['outline.png', 32],
    ] as const) {
      const png = Buffer.from(files[name] ?? []);
      assert.equal(png.toString('latin1', 1, 4), 'PNG');
      assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [size, size], name);
    }
  });

  describe('as the command writes it', () => {
    let folder: string;
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'countersign-manifest-'));
    });
    afterEach(() => rmSync(folder, { recursive: true }));
    const written = (file: string) => json(unzipSync(readFileSync(file))['manifest.json']);

    it('is where it says, for the app id and the host that were given', () => {
      const files = writeManifest(['--app-id', appId, '--host', 'bot.example.com'], {}, folder);
      assert.deepEqual(
        files,
        ['teams.zip', 'skill.json', 'connector/apiDefinition.swagger.json', 'connector/apiProperties.json'].map((file) =>
          join(folder, 'dist/manifest', file),
        ),
      );
      const { bots, developer, id } = written(files[0] ?? '');
      assert.deepEqual([id, bots[0].botId, developer.privacyUrl], [appId, appId, 'https://bot.example.com/privacy']);
    });

    it('takes missing options from the settings: app id, host, name and colour', () => {
      const theme = join(folder, 'theme.yaml');
      writeFileSync(theme, 'name: Harbour Bank\ncolours: { light: { accent: "#123456" }, dark: { accent: "#9fd0ff" } }\n');
      const settings = { MicrosoftAppId: appId, PUBLIC_URL: 'https://bank.example.com/', CHAT_THEME: theme };
      const { accentColor, id, name, validDomains } = written(writeManifest(['teams'], settings, folder)[0] ?? '');
      assert.deepEqual([id, validDomains, name.short, accentColor], [appId, ['bank.example.com'], 'Harbour Bank', '#123456']);
    });

    const refused: [string, string[], RegExp][] = [
      ['nothing', [], /^--app-id: .*\n--host: /],
      ['an app id that is none', ['--app-id', 'x', '--host', 'a.example'], /^--app-id: must be the app id[^\n]*$/],
      ['an address instead of a host', ['--app-id', appId, '--host', 'https://a.example/'], /^--host: [^\n]*$/],
      ['a host of this machine', ['--app-id', appId, '--host', 'localhost'], /^--host: [^\n]*$/],
      ['an option that is none', ['--app-id', appId, '--hosts', 'a.example'], /^manifest: takes/],
      ['words', ['a.example'], /^manifest: takes/],
    ];
    for (const [what, args, message] of refused)
      it(`is not written for ${what}`, () => {
        assert.throws(() => writeManifest(args, {}, folder), { name: 'SettingsError', message });
      });
  });
});
