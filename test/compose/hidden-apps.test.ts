import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { chatLanguages, makeTexts } from '../../dialogs/language/texts.ts';
import { writeManifest } from '../../src/compose/commands/manifest.ts';
import { readMenu } from '../../src/compose/settings/forms.ts';
import { appIds } from '../../src/contract/index.ts';
import { operationsOf } from '../../src/programs/index.ts';
import { startConversation } from '../support/conversation-under-test.ts';

describe('an app that MENU_FILE hides', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-menu-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const menu = (text: string) => {
    const file = join(folder, 'menu.yaml');
    writeFileSync(file, text);
    return file;
  };

  it('is in no manifest, in no language', () => {
    for (const app of appIds) {
      const settings = { MicrosoftAppId: '11111111-2222-4333-8444-555555555555', PUBLIC_URL: 'https://bank.example.com/' };
      const manifests = (more: object) => {
        const [teams = '', skill = '', connector = ''] = writeManifest([], { ...settings, ...more }, folder);
        const zip = Object.values(unzipSync(readFileSync(teams))).map((bytes) => new TextDecoder().decode(bytes));
        return [zip.join('\n'), readFileSync(skill, 'utf8'), readFileSync(connector, 'utf8')] as const;
      };
      const operation = `/connector/start_${app.replaceAll('-', '_')}"`;
      const titles = chatLanguages.map((language) => JSON.stringify(makeTexts(language)(`menu.titles.${app}`)));
      const [teams, skill, connector] = manifests({});
      for (const title of titles) assert.ok(teams.includes(title), title);
      assert.ok(skill.includes(`"${app}": {`) && connector.includes(operation));
      const [hiddenTeams, hiddenSkill, hiddenConnector] = manifests({ MENU_FILE: menu(`hidden: [${app}]\n`) });
      for (const title of titles) assert.ok(!hiddenTeams.includes(title), title);
      assert.ok(!hiddenSkill.includes(`"${app}": {`) && !hiddenConnector.includes(operation));
      assert.equal(hiddenTeams.match(/"bots\[0\].commandLists\[0\].commands\[4\].title"/g)?.length, chatLanguages.length - 1);
    }
  });

  it('is no operation for programs', () => {
    const names = (allowed?: Parameters<typeof operationsOf>[1]) => operationsOf([], allowed).map(({ name }) => name);
    assert.ok(names().includes('start_e_form'));
    assert.deepEqual(
      names().filter((name) => !names(appIds.filter((app) => app !== 'e-form')).includes(name)),
      ['start_e_form'],
    );
  });

  it('is no action for root bots', async () => {
    const chat = startConversation({ hidden: ['e-form'] });
    chat.root = '8a4b1c50-0000-4000-8000-00000000000a';
    await chat.happens({ type: 'event', name: 'e-form', value: { phoneNumber: '+12025550102' } });
    assert.deepEqual(
      chat.ends.map(({ status, code }) => [status, code]),
      [['refused', 'unknown_action']],
    );
  });

  for (const [text, line] of [
    ['hidden: [e-from]', /MENU_FILE: .*: hidden\.0: names no app: did you mean e-form\.$/],
    ['hidden: [1]', /hidden\.0: names no app: the apps are passkeys, one-time-passcode, document-signature, payments, e-form\.$/],
    ['hidden: e-form', /MENU_FILE: .*: hidden:/],
    ['hiden: [e-form]', /MENU_FILE: .*hiden/],
  ] as const)
    it(`is named correctly, or the bot does not start: ${text}`, () =>
      assert.throws(() => readMenu(menu(text)), { name: 'SettingsError', message: line }));
});
