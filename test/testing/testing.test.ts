import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TextPrompt } from 'botbuilder-dialogs';
import { type DialogStage, type Stage, StageFault, stageDialog, stageFlow } from '../../src/testing/index.ts';
import { flowOf } from '../support/flows.ts';

const open: Pick<Stage, 'close'>[] = [];
const staged = <One extends Pick<Stage, 'close'>>(stage: One): One => {
  open.push(stage);
  return stage;
};

describe('tests of flows and dialogs, in code', function () {
  this.timeout(60_000);
  const folder = mkdtempSync(join(tmpdir(), 'countersign-testing-'));
  afterEach(async () => {
    for (const stage of open.splice(0)) await stage.close();
  });
  after(() => rmSync(folder, { recursive: true }));

  it('begin an included flow by what a customer says', async () => {
    const stage = staged(await stageFlow('settle-bill'));
    await stage.say('settle my bill');
    await stage.device('passkeys', 'success');
    await stage.say('Fibre router');
    await stage.device('payments', 'success');
    assert.match(stage.messages.at(-2) ?? '', /Your receipt: \$89\.00/);
    assert.equal(stage.ended(), 'success');
  });

  it('begin a flow of their own with its inputs', async () => {
    writeFileSync(join(folder, 'greet.yaml'), flowOf('- say: "Hello, #{who}."', 'needs: { who: text }', 'greet'));
    const stage = staged(await stageFlow('greet', { folders: [folder], inputs: { who: 'Mei' }, language: 'es' }));
    await stage.begin();
    assert.equal(stage.messages[0], 'Hello, Mei.');
    assert.equal(stage.ended(), 'success');
  });

  it('report all faults of flows, and unknown flows', async () => {
    const broken = mkdtempSync(join(tmpdir(), 'countersign-testing-'));
    try {
      writeFileSync(join(broken, 'broken.yaml'), 'flow: broken\ntitle: Broken\ndo: [{ go: nowhere }]\n');
      await assert.rejects(stageFlow('broken', { folders: [broken] }), { name: 'SettingsError', message: /broken\.yaml:3/ });
      await assert.rejects(stageFlow('none'), { name: 'SettingsError', message: 'flows: there is no flow none.' });
    } finally {
      rmSync(broken, { recursive: true });
    }
  });

  it('advance the clock: a request that nobody answers expires', async () => {
    const stage = staged(await stageDialog({ dialog: ({ dialogs }) => dialogs.payments, options: { phoneNumber: '+12025550113' } }));
    const before = Date.now();
    await stage.begin();
    await assert.rejects(stage.device('passkeys', 'success'), StageFault);
    await stage.advance(31 * 60_000);
    assert.ok(Date.now() - before >= 31 * 60_000);
    assert.match(stage.messages.join('\n'), /run out|took too long|not answered|expired/i);
    assert.equal(stage.result(), undefined);
  });

  it('report that a dialog of the bot’s own asks something', async () => {
    const stage: DialogStage<string> = staged(
      await stageDialog({ dialog: () => new TextPrompt('why'), options: { prompt: 'Why is that?' } }),
    );
    await stage.begin();
    await assert.rejects(stage.device('payments', 'success'), { message: /asks something before payments: Why is that\?/ });
    await stage.say('because');
    assert.equal(stage.result(), 'because');
  });

  it('restore the real clock', async () => {
    const real = setTimeout;
    const stage = await stageFlow('settle-bill');
    assert.notEqual(setTimeout, real);
    await stage.close();
    assert.equal(setTimeout, real);
  });
});
