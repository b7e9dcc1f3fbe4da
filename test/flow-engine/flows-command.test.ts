import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { capabilities } from '../../src/compose/capabilities.ts';
import { runFlows } from '../../src/flows/commands/flows-command.ts';
import { flowTables, makeFlowVersions } from '../../src/flows/index.ts';
import { loadFlows } from '../../src/flows/load-flows.ts';
import { keptVersionOf } from '../../src/flows/versions/versions.ts';
import { SettingsError } from '../../src/platform/settings/settings-error.ts';
import { openStorage } from '../../src/storage/index.ts';
import { flowOf } from '../support/flows.ts';

describe('countersign flows', () => {
  let folder: string;
  const own = () => join(folder, 'flows');
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-flows-'));
    mkdirSync(own());
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const write = (name: string, text: string) => writeFileSync(join(own(), `${name}.yaml`), text);
  const flows = async (...words: string[]) => {
    const printed: string[] = [];
    const code = await runFlows(words, { FLOWS_DIR: own(), DATA_DIR: folder }, (line) => void printed.push(line), capabilities);
    return { code, text: printed.join('\n') };
  };
  const refused = (words: RegExp, ...args: string[]) =>
    assert.rejects(flows(...args), (fault: unknown) => fault instanceof SettingsError && words.test(fault.message));

  it('check exits with 0 if all is well, or 1 with every fault, as text, as JSON and as annotations', async () => {
    assert.deepEqual(await flows('check'), { code: 0, text: '3 flows are valid.' });
    write('trial', flowOf('- sya: x\n- end: succes'));
    const { code, text } = await flows('check');
    assert.equal(code, 1);
    assert.match(text, /trial\.yaml:4:5: sya is no step; did you mean say\?\n.*trial\.yaml:5:10: succes must be one of/);
    const json = await flows('check', '--json');
    const file = join(own(), 'trial.yaml');
    assert.deepEqual(JSON.parse(json.text)[0], {
      file,
      line: 4,
      column: 5,
      code: 'unknown-step',
      message: 'sya is no step',
      hint: 'did you mean say?',
    });
    assert.match(
      (await flows('check', '--format=github')).text,
      /^::error file=.*trial\.yaml,line=4,col=5::sya is no step; did you mean say\?/,
    );
    assert.equal((await flows('check', 'dialogs/flows/settle-bill.yaml')).code, 0, 'only what was asked for is judged');
    assert.equal((await flows('check', file)).code, 1);
  });

  it('check only warns of a text that is missing in a language', async () => {
    write('trial', flowOf('- say: { en: Hello }\n- say: { en: Bye, es: Adiós }'));
    const { code, text } = await flows('check');
    assert.match(text, /warning: there is no text in es[\s\S]*4 flows are valid/);
    assert.equal(code, 0);
  });

  it('reports arguments that do not exist', async () => {
    await refused(/flows: chek is not one of new, check/, 'chek');
    await refused(/there is no nowhere\.yaml/, 'check', 'nowhere.yaml');
    await refused(/nowhere is not one of change-of-address/, 'draw', 'nowhere');
    await refused(/Unknown option '--jsno'/, 'check', '--jsno');
    await refused(/there is no database in/, 'status');
    await refused(/a flow needs a name/, 'new', 'No Name');
    await refused(/name the version/, 'move', 'settle-bill');
    await flows('new', 'trial');
    await refused(/already exists/, 'new', 'trial');
  });

  it('explains how each verb is used', async () => {
    assert.match((await flows('--help')).text, /flows -- new <name>[\s\S]*flows -- move <flow> --from/);
    for (const verb of ['new', 'check', 'draw', 'test', 'status', 'diff', 'move']) {
      const { code, text } = await flows(verb, '--help');
      assert.equal(code, 0);
      assert.match(text, new RegExp(`^npm run flows -- ${verb}`));
    }
  });

  it('new writes a valid flow, whose tests cover every path', async function () {
    this.timeout(120_000);
    assert.deepEqual(JSON.parse((await flows('new', 'courtesy-call', '--json')).text).files.length, 2);
    assert.match(readFileSync(join(own(), 'courtesy-call.yaml'), 'utf8'), /^# yaml-language-server: \$schema=.*flows\.schema\.json\n/);
    const { code, text } = await flows('test', 'courtesy-call', '--coverage', '--json');
    assert.equal(code, 0, text);
    const { results, coverage } = JSON.parse(text);
    assert.deepEqual([results.length, coverage], [3, { edges: 4, taken: 4, uncovered: [] }]);
  });

  it('new makes words of the whole name', async () => {
    await flows('new', 'change-of-name');
    const text = readFileSync(join(own(), 'change-of-name.yaml'), 'utf8');
    assert.match(text, /^title: \{ en: Change of name \}$/m);
    assert.match(text, /^ {2}en: \[change of name\]$/m);
  });

  it('test reports failing tests, and paths that no test takes, by their lines', async function () {
    this.timeout(120_000);
    write('trial', flowOf('- passkeys:\n  else: end'));
    writeFileSync(
      join(own(), 'trial.test.yaml'),
      'flow: trial\ntests:\n  - name: fails\n    steps:\n      - device: passkeys success\n      - bot: Bonjour\n',
    );
    const { code, text } = await flows('test', 'trial', '--coverage');
    assert.equal(code, 1);
    assert.match(text, /FAIL {2}trial: fails\n.*trial\.test\.yaml:6: the bot did not say “Bonjour”/);
    assert.match(text, /trial\.yaml:5: no test of trial takes else of do\.0\n1 of 2 branches are covered \(50 %\)/);
    assert.match(
      (await flows('test', 'trial', '--missing')).text,
      /^flow: trial\ntests:\n {2}- name: passkeys else \(do\.0\)\n {4}steps:\n {6}- device: passkeys failure/,
    );
  });

  it('warns of names in a file that the catalogue lacks, but continues the test', async function () {
    this.timeout(120_000);
    write('trial', flowOf('- document-signature: { document: Tarriff contract }\n  else: end'));
    writeFileSync(
      join(own(), 'trial.test.yaml'),
      'flow: trial\ntests:\n  - name: signs\n    steps:\n      - device: document-signature success\n      - ends: success\n',
    );
    const { text } = await flows('test', 'trial');
    assert.match(text, /trial\.yaml:\d+:\d+: warning: no document is named “Tarriff contract”/);
  });

  it('says where and why an expression failed', async function () {
    this.timeout(120_000);
    write(
      'trial',
      flowOf('- ask: text\n  as: day\n  text: When?\n  check: timestamp(answer) > timestamp("2020-01-01T00:00:00Z")\n  repair: When?'),
    );
    writeFileSync(
      join(own(), 'trial.test.yaml'),
      'flow: trial\ntests:\n  - name: asks\n    steps:\n      - customer: trial\n      - customer: 5 May 2026\n      - ends: success\n',
    );
    const { code, text } = await flows('test', 'trial');
    assert.equal(code, 1);
    assert.match(text, /the flow ended in failure/);
    assert.match(text, /trial\.yaml:4:\d+: warning: timestamp\(answer\) > .* failed for a customer; \S/);
  });

  it('writes the beginnings of tests with a valid choice', async function () {
    this.timeout(120_000);
    const choices = '[{ value: basic, title: { en: Basic plan, es: Básico } }, { value: full, title: Full plan }]';
    write(
      'trial',
      flowOf(
        `- ask: choice\n  as: tariff\n  text: Which?\n  choices: ${choices}\n  check: answer != "none"\n  repair: Not that.\n- passkeys:\n  else: end`,
      ),
    );
    const { text } = await flows('test', 'trial', '--missing');
    assert.match(text, /- customer: Basic plan\n {6}- device: passkeys success/);
  });

  it('writes the answers that lead to the path, not the others', async function () {
    this.timeout(120_000);
    const choices = '[{ value: car, title: Car }, { value: house, title: House }]';
    write(
      'trial',
      flowOf(
        `- ask: yes-no\n  as: hurt\n  text: Hurt?\n- ask: choice\n  as: what\n  text: Which?\n  choices: ${choices}\n- when: hurt\n  do: [ { go: person } ]\n- when: what == "house"\n  do: [ { passkeys: , else: end } ]\n- when: "!hurt"\n  do: [ { say: x } ]`,
        'parts: { person: [ { handoff: { reason: hurt } } ] }',
      ),
    );
    const { text } = await flows('test', 'trial', '--missing');
    const answers = [
      ...text.matchAll(/name: "?(.+?) \(.*\n {4}steps:\n(?: {6}- customer: (.*)\n)? {6}- customer: (.*)\n {6}- customer: (.*)\n/g),
    ];
    assert.deepEqual(
      answers.map(([, edge, , ...given]) => [edge, ...given].join(' ')),
      [
        'when true "yes" Car',
        'when false "no" Car',
        'when true "no" House',
        'when false "no" Car',
        'passkeys success "no" House',
        'passkeys else "no" House',
        'when true "no" Car',
        'when false "no" Car',
      ],
    );
  });

  it('writes no flow that would replace ours, and no text in a language that it does not know', async () => {
    await refused(/settle-bill is a built-in flow.* add --replace/, 'new', 'settle-bill');
    assert.equal((await flows('new', 'settle-bill', '--replace')).code, 0);
    await flows('new', 'courtesy-call');
    const { code, text } = await flows('check', join(own(), 'courtesy-call.yaml'));
    assert.equal(code, 0);
    assert.match(text, /courtesy-call\.yaml:3:\d+: warning: there is no text in .*es/);
    assert.doesNotMatch(readFileSync(join(own(), 'courtesy-call.yaml'), 'utf8'), /es: .*ourtesy/);
  });

  it('draws a flow in Mermaid', async () => {
    const { text } = await flows('draw', 'settle-bill');
    assert.match(text, /^flowchart TD\n[\s\S]*do_2 -->\|failure: again, 1 at most\| do_2\n[\s\S]*do_2 -->\|timeout\| parts_person_0/);
    assert.equal(JSON.parse((await flows('draw', 'settle-bill', '--json')).text).flow, 'settle-bill');
  });

  describe('with conversations in flight', () => {
    const question = (name: string) => `- ask: text\n  as: ${name}\n  text: What?`;
    /** Two chats stand at the second question of the version that is there now. */
    const stand = async () => {
      const storage = await openStorage(folder, { tables: [flowTables] });
      const { flows: loaded } = loadFlows([{ file: 'trial.yaml', text: readFileSync(join(own(), 'trial.yaml'), 'utf8') }]);
      const flow = loaded.get('trial');
      assert.ok(flow);
      await storage.of(makeFlowVersions).keep(keptVersionOf(flow, loaded));
      const run = { flowVersion: flow.version, run: 'r', said: 0, frames: [{ flow: 'trial', at: 'do.1', values: { a: 'x' }, tries: {} }] };
      const json = JSON.stringify({
        dialogs: { dialogStack: [{ id: 'flow', state: { dialogs: { dialogStack: [{ id: 'run', state: run }] } } }] },
      });
      await storage.botState.write({ one: { json }, two: { json }, other: { json: '{"dialogs":{"dialogStack":[]}}' } });
      await storage.close();
      return flow.version;
    };
    let version: string;
    beforeEach(async () => {
      write('trial', flowOf(`${question('a')}\n${question('b')}`));
      version = await stand();
    });
    const status = async () => JSON.parse((await flows('status', '--json')).text);

    it('status lists them with their step and its line', async () => {
      const file = join(own(), 'trial.yaml');
      assert.equal((await flows('status')).text, `trial  ${version}  (now)  2 in flight: 2 at do.1 (ask: b (text), ${file}:7)`);
      const [{ begunLast: _, ...row }] = await status();
      const steps = [{ flow: 'trial', place: 'do.1', count: 2, step: 'ask: b (text)', file, line: 7 }];
      assert.deepEqual(row, { flow: 'trial', version, current: true, inFlight: 2, places: { 'do.1': 2 }, steps });
      write('trial', flowOf(question('a')));
      assert.match((await flows('status')).text, /: 2 at do\.1 \(ask: b \(text\)\)$/, 'the line of an earlier version is not known');
    });

    it('reads them while the bot runs, but moves them only when it is stopped', async () => {
      const bot = await openStorage(folder, { tables: [flowTables] });
      try {
        assert.match((await flows('status')).text, /2 in flight/);
        write('trial', flowOf(`- say: Welcome\n${question('a')}\n${question('b')}`));
        assert.match((await flows('diff', 'trial')).text, /^> do\.0 -> do\.1/);
        assert.match((await flows('move', 'trial', `--from=${version}`, '--dry-run')).text, /^2 conversations would be moved/);
        await refused(/^.*flows: the bot is running on .*: stop it to move/s, 'move', 'trial', `--from=${version}`);
      } finally {
        await bot.close();
      }
      assert.match((await flows('move', 'trial', `--from=${version}`)).text, /^2 conversations were moved/);
    });

    it('reports what has changed since, and moves all of them or none', async () => {
      write('trial', flowOf(`- say: Welcome\n${question('a')}\n- set: { c: x }\n${question('b')}`));
      assert.equal(
        (await flows('diff', 'trial')).text,
        '> do.0 -> do.1  ask: a (text)\n> do.1 -> do.3  ask: b (text)\n+ do.0  say: Welcome\n+ do.2  set: c',
      );
      const kept = await flows('move', 'trial', `--from=${version}`);
      assert.equal(kept.code, 1);
      assert.match(
        kept.text,
        /at do\.3 the other version knows c, and conversations that stand at do\.1 do not\nNothing was moved; 2 conversations/,
      );
      write('trial', flowOf(`- say: Welcome\n${question('a')}\n${question('b')}`));
      assert.match(
        (await flows('move', 'trial', `--from=${version.slice(0, 8)}`, '--dry-run')).text,
        /^2 conversations would be moved to \w+: do\.1 → do\.2\.$/,
      );
      assert.match((await flows('move', 'trial', `--from=${version.slice(0, 8)}`)).text, /^2 conversations were moved to /);
      const rows = await status();
      assert.deepEqual(rows.map(({ current, inFlight, places }: never) => [current, inFlight, places]).sort(), [
        [false, 0, {}],
        [true, 2, { 'do.2': 2 }],
      ]);
    });
  });

  it('compares two files', async () => {
    write('one', flowOf('- say: a', '', 'one'));
    write('two', flowOf('- say: a\n- say: b', '', 'two'));
    assert.equal((await flows('diff', join(own(), 'one.yaml'), join(own(), 'two.yaml'))).text, '+ do.1  say: b');
  });
});
