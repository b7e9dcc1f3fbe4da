import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { capabilities } from '../../src/compose/capabilities.ts';
import { runFlows } from '../../src/flows/commands/flows-command.ts';
import { SettingsError } from '../../src/platform/settings/settings-error.ts';
import { stageFlow } from '../../src/testing/index.ts';
import { flowOf } from '../support/flows.ts';
import { type CatalogueChange, ownCatalogue } from '../support/own-catalogue.ts';

const statement = {
  id: '5d0c0000-0000-4000-8000-0000000000aa',
  title: 'Statement of loss',
  paragraphs: ['Lost on {{day}}, under policy {{policy}}.'],
  variables: [
    { name: 'policy', label: 'Policy', type: 'text', required: true },
    { name: 'day', label: 'Day', type: 'date', required: true },
  ],
};
const form = '6f1c0000-0000-4000-8000-0000000000bb';

/** The demo's customers with another firm's papers, a key and a webhook that no pipeline has. */
const insurer: CatalogueChange = (catalogue) => {
  const [address] = catalogue.forms;
  catalogue.documents = [statement];
  catalogue.forms = [{ ...address, id: form, title: 'Notice of loss', texts: {} }];
  catalogue.products = [];
  catalogue.account.keys = [{ env: 'A_KEY_OF_PRODUCTION' }];
  catalogue.webhooks = [{ url: 'https://hooks.example.com/in', secret: [{ env: 'A_SECRET_OF_PRODUCTION' }] }];
};

const steps = `- e-form: { form: Notice of loss }
  else: end
- document-signature:
    document: Statement of loss
    variables: { policy: P-1, day: "2026-11-05" }
  else: end
- end: success`;
const tests = `flow: trial
tests:
  - name: reports and signs
    steps:
      - customer: trial
      - bot: Menu of losses
      - device: e-form success
      - bot: 'Policy: P-1'
      - device: document-signature success
      - ends: success
`;

describe('tests and checks of flows, with the operator’s files', function () {
  this.timeout(60_000);
  let folder: string;
  const put = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  let environment: Record<string, string>;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-flows-'));
    mkdirSync(join(folder, 'flows'));
    mkdirSync(join(folder, 'texts'));
    put('flows/trial.yaml', flowOf(`- say: { en: Menu of losses }\n${steps}`));
    put('flows/trial.test.yaml', tests);
    environment = {
      FLOWS_DIR: join(folder, 'flows'),
      DATA_DIR: folder,
      SERVICE_CATALOGUE: ownCatalogue(folder, insurer),
      FORMS_FILE: put('forms.yaml', `forms:\n  - { id: ${form}, title: { en: Notice of loss } }\n`),
    };
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const flows = async (...words: string[]) => {
    const printed: string[] = [];
    const code = await runFlows(words, environment, (line) => void printed.push(line), capabilities);
    return { code, text: printed.join('\n') };
  };

  it('find its documents, variables and forms, without its keys', async () => {
    const { code, text } = await flows('test', 'trial');
    assert.equal(text, 'ok    trial: reports and signs\n1 of 1 tests passed.');
    assert.equal(code, 0);
  });

  it('speak with its texts, titles and name', async () => {
    const rest = '- ask: text\n  as: why\n  text: Why?';
    put('flows/trial.yaml', flowOf(rest));
    put(
      'flows/trial.test.yaml',
      'flow: trial\ntests:\n  - name: speaks\n    steps:\n      - customer: hello\n      - bot: Good day from us\n      - bot: Settle something\n',
    );
    environment.MENU_FILE = put('menu.yaml', 'titles: { payments: { en: Settle something } }\n');
    put('texts/en.json', JSON.stringify({ conversation: { welcome: 'Good day from us' } }));
    environment.TEXTS_DIR = join(folder, 'texts');
    assert.match((await flows('test', 'trial')).text, /^ok {4}trial: speaks/);
  });

  it('report what it does not offer, with its line', async () => {
    put(
      'flows/trial.yaml',
      flowOf('- document-signature: { document: Tariff contract }\n  else: end\n- e-form: { form: Feedback }\n  else: end'),
    );
    const { code, text } = await flows('check', join(folder, 'flows'));
    assert.match(text, /trial\.yaml:4:\d+: warning: no document is named “Tariff contract”/);
    assert.match(text, /trial\.yaml:6:\d+: warning: no form is named “Feedback”/);
    assert.equal(code, 0);
    put('flows/trial.yaml', flowOf(steps));
    assert.equal((await flows('check', join(folder, 'flows'))).text, '1 flow is valid.');
  });

  it('cannot know what another service offers, except its forms', async () => {
    delete environment.SERVICE_CATALOGUE;
    environment.SERVICE_BASE_URL = 'https://verify.example.com';
    assert.equal((await flows('check', join(folder, 'flows'))).text, '1 flow is valid.');
    environment.FORMS_FILE = put('forms.yaml', 'forms: []\n');
    assert.match((await flows('check', join(folder, 'flows'))).text, /no form is named “Notice of loss”/);
  });

  for (const [setting, name, text, fault] of [
    ['FORMS_FILE', 'forms.yaml', 'forms: {}', /FORMS_FILE: .*forms\.yaml: forms:/],
    ['MENU_FILE', 'menu.yaml', 'titles: { paymants: { en: Pay } }', /MENU_FILE: .*menu\.yaml:/],
    ['SERVICE_CATALOGUE', 'catalogue.yaml', 'account: 1', /SERVICE_CATALOGUE: .*catalogue\.yaml: account:/],
    ['CHAT_THEME', 'theme.yaml', 'name: 1', /CHAT_THEME: .*theme\.yaml/],
  ] as const)
    for (const verb of ['test', 'check'])
      it(`refuse what the bot refuses: flows ${verb} with a faulty ${setting}`, async () => {
        environment[setting] = put(name, text);
        await assert.rejects(flows(verb), (thrown: unknown) => thrown instanceof SettingsError && fault.test(thrown.message));
      });

  it('in code, with the same files', async () => {
    const stage = await stageFlow('trial', {
      folders: [environment.FLOWS_DIR as string],
      catalogue: environment.SERVICE_CATALOGUE,
      conversation: { forms: [{ id: form, title: { en: 'Notice of loss' } }] },
    });
    try {
      await stage.begin();
      await stage.device('e-form', 'success');
      await stage.device('document-signature', 'success');
      assert.equal(stage.ended(), 'success');
    } finally {
      await stage.close();
    }
  });

  it('give a line for a pattern that is none', async () => {
    put('flows/trial.test.yaml', tests.replace('bot: Menu of losses', 'bot: /Shall (/'));
    const { code, text } = await flows('test', 'trial');
    assert.match(text, /trial\.test\.yaml:6:\d+: \/Shall \(\/ is not a pattern: missing closing \)/);
    assert.equal(code, 1);
  });

  it('write no new flow that the check refuses', async () => {
    const app = (name: string) => assert.rejects(flows('new', name), /is the name of an app/);
    for (const name of ['payments', 'e-form', 'passkeys', 'one-time-passcode', 'document-signature']) await app(name);
  });
});
