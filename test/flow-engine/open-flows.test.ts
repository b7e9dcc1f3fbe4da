import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { flowsFolder } from '../../dialogs/index.ts';
import { flowFolders, openFlows } from '../../src/flows/open-flows.ts';
import { makeLog } from '../../src/platform/log.ts';
import { SettingsError } from '../../src/platform/settings/settings-error.ts';
import { flowOf } from '../support/flows.ts';
import { until } from '../support/until.ts';

describe('the flows of a running bot', () => {
  let folder: string;
  let lines: string[];
  const log = makeLog('warn', { write: (line) => void lines.push(line) });
  const write = (name: string, text: string) => writeFileSync(join(folder, `${name}.yaml`), text);
  const titles = (flows: ReturnType<typeof openFlows>) => [...flows.current().flows.values()].map(({ source }) => source.title);
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-flows-'));
    lines = [];
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('keep it from starting with every fault of every file', () => {
    write('one', flowOf('- sya: x', '', 'one'));
    write('two', flowOf('- go: nowhere', '', 'two'));
    assert.throws(
      () => openFlows({ folders: [folder] }, log),
      (fault: unknown) =>
        fault instanceof SettingsError &&
        fault.lines.length === 2 &&
        /one\.yaml:4:5: sya/.test(fault.lines[0] ?? '') &&
        /two\.yaml:4:9: there is no part/.test(fault.lines[1] ?? ''),
    );
    assert.throws(() => openFlows({ folders: [join(folder, 'nowhere')] }, log), /FLOWS_DIR: there is no folder/);
  });

  it('are those that are shipped, and behind them the operator’s own, if there are any', () => {
    assert.deepEqual(flowFolders(undefined), [flowsFolder]);
    assert.deepEqual(flowFolders(folder), [flowsFolder, folder]);
    assert.throws(() => flowFolders(join(folder, 'nowhere')), /FLOWS_DIR: there is no folder/);
  });

  it('are those of the later folder, where two have one name', () => {
    write('one', flowOf('- say: x', '', 'one'));
    const later = mkdtempSync(join(tmpdir(), 'countersign-flows-'));
    writeFileSync(join(later, 'one.yaml'), flowOf('- say: x', '', 'one').replace('title: one', 'title: mine'));
    assert.deepEqual(titles(openFlows({ folders: [folder, later] }, log)), ['mine']);
    rmSync(later, { recursive: true });
  });

  it('use the translations beside them; those of a replaced flow are not read', () => {
    const text = (language: string, words: string) => writeFileSync(join(folder, `one.${language}.yaml`), `texts: { x: ${words} }`);
    const said = (folders: readonly string[]) => openFlows({ folders }, log).current().flows.get('one')?.source.do;
    write('one', flowOf('- say: x', '', 'one'));
    text('es', 'equis');
    assert.deepEqual(said([folder]), [{ say: { en: 'x', es: 'equis' } }]);
    const later = mkdtempSync(join(tmpdir(), 'countersign-flows-'));
    writeFileSync(join(later, 'one.es.yaml'), 'texts: { x: nueva }');
    assert.deepEqual(said([folder, later]), [{ say: { en: 'x', es: 'nueva' } }]);
    rmSync(join(later, 'one.es.yaml'));
    writeFileSync(join(later, 'one.yaml'), flowOf('- say: x', '', 'one'));
    assert.deepEqual(said([folder, later]), [{ say: 'x' }]);
    rmSync(later, { recursive: true });
  });

  it('are read again when a file is saved; with faults, the old ones stay and the faults are reported', async () => {
    write('one', flowOf('- say: x', '', 'one'));
    const flows = openFlows({ folders: [folder], reload: true }, log);
    try {
      write('one', flowOf('- say: x', '', 'one').replace('title: one', 'title: newer'));
      await until(() => titles(flows)[0] === 'newer', 'the flow to be read again');
      assert.ok(lines.some((line) => line.includes('the flows were read again')));
      write('one', flowOf('- sya: x', '', 'one'));
      await until(() => lines.some((line) => line.includes('goes on with those it had')), 'the fault to be told');
      assert.ok(lines.some((line) => /one\.yaml:4:5: sya is no step; did you mean say\?/.test(line)));
      assert.deepEqual(titles(flows), ['newer']);
    } finally {
      flows.close();
    }
  });
});
