import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { handoff } from '../../src/handoff/capability.ts';
import { newUlid } from '../../src/platform/secrets/new-id.ts';
import { SettingsError } from '../../src/platform/settings/settings-error.ts';
import { systemClock } from '../../src/platform/time/clock.ts';

describe('the key with which verifications are proved to agents', () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-key-'));
  after(() => rmSync(folder, { recursive: true }));

  for (const [where, storage, setting] of [
    ['a setting', { assertionKey: 'not a key' }, 'ASSERTION_KEY: must be a private key'],
    ['the data folder', { folder }, 'DATA_DIR: assertion.jwk: must be a private key'],
  ] as const)
    it(`keeps the bot from starting if the one in ${where} cannot be used, and is named`, async () => {
      writeFileSync(join(folder, 'assertion.jwk'), 'not a key');
      const open = async () => handoff.open({ clock: systemClock, newId: newUlid } as never, { storage } as never);
      await assert.rejects(open, (fault) => fault instanceof SettingsError && fault.message.includes(setting));
    });

  it('is not needed: without one nothing is proved, and none is published', async () => {
    const { agents, serve } =
      (await handoff.open({ clock: systemClock, newId: newUlid } as never, { storage: {} } as never)) ?? assert.fail();
    const answers: (() => { readonly body: object })[] = [];
    serve?.({ http: { route: (_method: string, _path: string, answer: (typeof answers)[number]) => answers.push(answer) } } as never);
    assert.deepEqual([agents, answers.map((answer) => answer().body)], [undefined, [{ keys: [] }]]);
  });
});
