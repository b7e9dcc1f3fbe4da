import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { request } from 'undici';
import { flowsFolder, makeTexts } from '../../dialogs/index.ts';
import { openBot } from '../../src/compose/bot/open-bot.ts';
import type { BotOptions } from '../../src/compose/bot-options.ts';
import { capabilities } from '../../src/compose/capabilities.ts';
import { writeManifest } from '../../src/compose/commands/manifest.ts';
import { appIds } from '../../src/contract/index.ts';
import { describedFlows } from '../../src/flows/described.ts';
import { readFlowFolders } from '../../src/flows/open-flows.ts';
import { makeLog } from '../../src/platform/log.ts';
import { beyondCopilotStudio, type SkillAction, type SkillManifest, skillManifestOf } from '../../src/skill/skill-manifest.ts';

const appId = '11111111-2222-4333-8444-555555555555';
const base = 'https://chat.example.com';

/**
 * Microsoft’s own, from github.com/microsoft/botframework-sdk, schemas/skills/v2.2/skill-manifest.json (MIT licence, ©
 * Microsoft).
 */
const schema = JSON.parse(readFileSync(new URL('../support/schemas/skill-manifest-2.2.json', import.meta.url), 'utf8'));
const ajv = new Ajv({ strict: false, allErrors: true });
(addFormats as unknown as (ajv: Ajv) => void)(ajv);
const takes = ajv.compile(schema);
const faultsOf = (manifest: object) => (takes(manifest) ? [] : takes.errors);

/** A folder with a flow for each text. */
const withFlows = (...texts: readonly string[]): string => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-skill-'));
  for (const text of texts) writeFileSync(join(folder, `${/^flow: (\S+)/m.exec(text)?.[1]}.yaml`), text);
  return folder;
};
const flowNamed = (name: string, more = '') => `flow: ${name}\ntitle: { en: ${name}, es: ${name} }\n${more}do: [{ end: success }]\n`;
const actionsIn = (...folders: readonly string[]) => describedFlows(readFlowFolders(folders), makeTexts('en'));
const manifestOf = (...folders: readonly string[]): SkillManifest =>
  skillManifestOf(base, { appId, name: 'Countersign', apps: appIds, flows: actionsIn(flowsFolder, ...folders) });

describe('the skill manifest', () => {
  const folders: string[] = [];
  after(() => {
    for (const folder of folders) rmSync(folder, { recursive: true });
  });
  const flows = (...texts: readonly string[]) => {
    const folder = withFlows(...texts);
    folders.push(folder);
    return folder;
  };

  it('is valid by Microsoft’s schema, and for Copilot Studio', () => {
    const manifest = manifestOf();
    assert.deepEqual(faultsOf(manifest), []);
    // The schema is one that refuses.
    assert.notDeepEqual(faultsOf({ ...manifest, endpoints: [] }), []);
    assert.deepEqual(beyondCopilotStudio(manifest), []);
    assert.deepEqual(manifest.endpoints, [
      { name: 'default', protocol: 'BotFrameworkV3', endpointUrl: `${base}/api/messages`, msAppId: appId },
    ]);
  });

  it('has an action for each app and flow, by the event that begins it', () => {
    const { activities } = manifestOf();
    assert.deepEqual(Object.keys(activities).sort(), [...appIds, 'change-of-address', 'open-account', 'settle-bill'].sort());
    for (const [name, activity] of Object.entries(activities)) assert.deepEqual([activity.type, activity.name], ['event', name]);
  });

  it('has inputs and outputs that are valid JSON Schema, none of them a list', () => {
    for (const [name, { value, resultValue }] of Object.entries(manifestOf().activities))
      for (const values of [value, resultValue]) {
        ajv.compile(values);
        const types = Object.values(values.properties ?? {}).map((property) => (property as { type?: string }).type);
        assert.ok(types.length > 0 && types.every((type) => type !== undefined && type !== 'array'), `${name}: ${types}`);
      }
  });

  it('names a payment’s inputs and outputs', () => {
    const { value, resultValue } = manifestOf().activities.payments as SkillAction;
    assert.deepEqual(Object.keys(value.properties ?? {}), ['phoneNumber', 'customerRef', 'productId']);
    assert.equal(ajv.validate(value, { productId: 'energy-bill-november' }), true);
    assert.equal(ajv.validate(value, { productId: 7 }), false);
    const end = { app: 'payments', status: 'success', requestId: '1', amount: 128.4, currency: 'USD', verified: false };
    assert.equal(ajv.validate(resultValue, end), true);
    assert.equal(ajv.validate(resultValue, { ...end, amount: '128.40' }), false);
    assert.equal(ajv.validate(resultValue, { ...end, status: 'fine' }), false);
  });

  it('gets an action with every flow, with its inputs and outputs by their types', () => {
    const folder = flows(
      flowNamed('courtesy-call', 'needs: { who: text, sum: money, day: date?, sure: yes-no }\ngives: { reached: yes-no, at: date? }\n'),
    );
    const { activities } = manifestOf(folder);
    assert.equal(Object.keys(activities).length, appIds.length + 4);
    const { value, resultValue } = activities['courtesy-call'] as SkillAction;
    assert.deepEqual(value.required, ['who', 'sum', 'sure']);
    assert.equal(ajv.validate(value, { who: 'Mei', sum: 12.5, day: '2026-12-05', sure: true, phoneNumber: '+12025550102' }), true);
    for (const wrong of [{ sum: -1 }, { day: 'tomorrow' }, { sure: 'yes' }, { who: '' }])
      assert.equal(ajv.validate(value, { who: 'Mei', sum: 12.5, sure: true, ...wrong }), false, JSON.stringify(wrong));
    assert.equal(ajv.validate(resultValue, { flow: 'courtesy-call', status: 'success', reached: true }), true);
    assert.equal(ajv.validate(resultValue, { flow: 'courtesy-call', status: 'success', reached: 'yes' }), false);
  });

  it('cannot have a flow with the name of an app', () => {
    const { faults } = readFlowFolders([flows(flowNamed('payments'))]);
    assert.deepEqual(
      faults.filter(({ warning }) => !warning).map(({ code, line }) => [code, line]),
      [['taken-name', 1]],
    );
  });

  it('reports limits of Copilot Studio that are exceeded, and not those that are just met', () => {
    const inputs = (count: number) => `needs: { ${Array.from({ length: count }, (_, index) => `i${index}: text?`).join(', ')} }\n`;
    // Two inputs are everybody’s.
    assert.deepEqual(beyondCopilotStudio(manifestOf(flows(flowNamed('fits', inputs(23))))), []);
    assert.match(beyondCopilotStudio(manifestOf(flows(flowNamed('is-wide', inputs(24)))))[0] ?? '', /25 inputs.*is-wide/);
    const many = (count: number) => flows(...Array.from({ length: count }, (_, index) => flowNamed(`flow-${index}`)));
    const rest = 100 - Object.keys(manifestOf().activities).length;
    assert.deepEqual(beyondCopilotStudio(manifestOf(many(rest))), []);
    assert.match(beyondCopilotStudio(manifestOf(many(rest + 1)))[0] ?? '', /100 actions at most, and there are 101/);
    const manifest = manifestOf();
    const room = 500_000 - JSON.stringify({ ...manifest, description: '' }).length;
    assert.deepEqual(beyondCopilotStudio({ ...manifest, description: 'x'.repeat(room) }), []);
    assert.match(beyondCopilotStudio({ ...manifest, description: 'x'.repeat(room + 1) })[0] ?? '', /500 KB/);
  });

  it('is written by the command, alone if requested, with the operator’s flows and name', () => {
    const folder = flows(flowNamed('own'));
    const theme = join(folder, 'theme.yml.txt');
    writeFileSync(theme, 'name: Harbour Bank\n');
    const out = join(folder, 'out');
    mkdirSync(out);
    const own = join(folder, 'flows');
    mkdirSync(own);
    writeFileSync(join(own, 'own.yaml'), flowNamed('own'));
    const [file = '', ...rest] = writeManifest(
      ['skill', '--app-id', appId, '--host', 'bot.example.com'],
      { FLOWS_DIR: own, CHAT_THEME: theme },
      out,
    );
    assert.deepEqual([file, rest], [join(out, 'dist/manifest/skill.json'), []]);
    const written = JSON.parse(readFileSync(file, 'utf8'));
    assert.deepEqual(faultsOf(written), []);
    assert.deepEqual([written.name, written.endpoints[0].endpointUrl], ['Harbour Bank', 'https://bot.example.com/api/messages']);
    assert.ok('own' in written.activities);
  });

  it('is served on the host that it names, where root bots are named', async () => {
    for (const skillCallers of [undefined, [{ appId: '8a4b1c50-0000-4000-8000-00000000000a', host: 'root.example.com' }]]) {
      const options: BotOptions = {
        service: { baseUrl: 'http://127.0.0.1:1', secretKey: 'sk_1' },
        storage: { folder: join(flows(), 'data') },
        identity: { MicrosoftAppId: appId, MicrosoftAppPassword: 'hunter2' },
        publicUrl: `${base}/`,
        skillCallers,
        flows: { folders: [flowsFolder] },
        log: makeLog('silent'),
      };
      const bot = await openBot(capabilities, options);
      try {
        const port = await bot.listen(0);
        const { body, statusCode } = await request(`http://127.0.0.1:${port}/manifests/skill.json`);
        const served = JSON.parse(await body.text());
        assert.equal(statusCode, skillCallers ? 200 : 404);
        if (skillCallers) assert.deepEqual(served, JSON.parse(JSON.stringify(manifestOf())));
      } finally {
        await bot.close();
      }
    }
  });
});
