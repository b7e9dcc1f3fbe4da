import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

describe('the published package', function () {
  // It compiles everything.
  this.timeout(120_000);
  const root = join(import.meta.dirname, '../..');
  const tsc = join(root, 'node_modules/.bin/tsc');
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'countersign-package-'));
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
    await run(tsc, ['-p', join(root, '.tsconfig.build.json'), '--outDir', join(folder, 'dist')]);
    const { exports, name, type } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    await writeFile(join(folder, 'package.json'), JSON.stringify({ name, type, exports }));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const node = async (script: string) => (await run(process.execPath, ['--input-type=module', '-e', script], { cwd: folder })).stdout;

  it('gives a client to a program that imports countersign/client', async () => {
    const printed = await node(`
      import { createServiceClient, fateOf, SettingsError } from 'countersign/client';
      const client = createServiceClient({ baseUrl: 'http://127.0.0.1:1', secretKey: 'sk' });
      const error = await client.apps.payments.send({}, { idempotencyKey: 'k' }).catch((fault) => fault);
      await client.close();
      console.log(error.name, fateOf(error), typeof SettingsError);
    `);
    assert.equal(printed.trim(), 'InvalidRequestError refused function');
  });

  it('brings nothing of the bot or the service with the client', async () => {
    const printed = await node(`
      import { registerHooks } from 'node:module';
      const packages = new Set();
      registerHooks({
        resolve: (specifier, context, next) => {
          const found = next(specifier, context);
          const name = /node_modules\\/([^/]+)/.exec(found.url)?.[1];
          if (name) packages.add(name);
          return found;
        },
      });
      await import('countersign/client');
      console.log([...packages].sort().join(' '));
    `);
    assert.equal(printed.trim(), 'undici zod');
  });

  it('gives its types to a program that is written in TypeScript', async () => {
    const file = join(folder, 'consumer.ts');
    await writeFile(
      file,
      `import { createServiceClient } from 'countersign/client';
       import type { SendResponse } from 'countersign/contract';
       const client = createServiceClient({ baseUrl: 'http://127.0.0.1:1', secretKey: 'sk' });
       export const sent: Promise<SendResponse<'payments'>> = client.apps.payments.send(
         { sessionRef: 'session-0001', phoneNumber: '+12025550101', productId: 'p-1' },
         { idempotencyKey: 'k' },
       );
       // @ts-expect-error a send without its key
       client.apps.payments.send({ sessionRef: 'session-0001', phoneNumber: '+12025550101', productId: 'p-1' });
       // @ts-expect-error a field of another app
       client.apps['e-form'].send({ sessionRef: 'session-0001', phoneNumber: '+12025550101', productId: 'p-1' }, { idempotencyKey: 'k' });
      `,
    );
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2024', '--types', 'node'];
    await run(tsc, [...options, file], { cwd: folder }).catch((fault: { stdout?: string }) => assert.fail(fault.stdout ?? String(fault)));
  });
});
