import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installPacked } from '../support/packed.ts';
import { freePort } from '../support/process.ts';
import { until } from '../support/until.ts';

const run = promisify(execFile);

describe('the published package', function () {
  // It compiles everything, or waits for another process that does.
  this.timeout(240_000);
  const root = join(import.meta.dirname, '../..');
  const tsc = join(root, 'node_modules/.bin/tsc');
  let folder: string;

  before(async () => {
    folder = await installPacked();
    // For the program in TypeScript; a consumer has these of their own.
    await symlink(join(root, 'node_modules/@types'), join(folder, 'node_modules/@types')).catch(() => {});
  });
  after(() => folder && rm(folder, { recursive: true, force: true }));

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
    assert.equal(printed.trim(), 'countersign undici zod');
  });

  it('runs by itself, with everything its pages load', async () => {
    const [port, servicePort] = [await freePort(), await freePort()];
    const child = spawn(process.execPath, [join(folder, 'node_modules/countersign/dist/src/main.js')], {
      env: { PATH: process.env.PATH, PORT: String(port), SERVICE_PORT: String(servicePort), DATA_DIR: join(folder, 'data') },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data) => {
        said += data;
      });
    const ended = once(child, 'exit');
    try {
      await until(() => /^bot endpoint/m.test(said) || child.exitCode !== null, 'the addresses', 60_000);
      assert.equal(child.exitCode, null, said);
      const page = await (await fetch(`http://127.0.0.1:${port}/`)).text();
      const assets = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(({ 1: path }) => path as string);
      assert.ok(
        assets.some((path) => path.includes('webchat')),
        page,
      );
      for (const path of assets) assert.equal((await fetch(`http://127.0.0.1:${port}${path}`)).status, 200, path);
      assert.equal((await fetch(`http://127.0.0.1:${servicePort}/outbox`, { headers: { host: `localhost:${servicePort}` } })).status, 200);
    } finally {
      child.kill('SIGTERM');
      await ended;
    }
  });

  it('gives its types to a program that is written in TypeScript', async () => {
    const file = join(folder, 'consumer.ts');
    await writeFile(
      file,
      `import { createServiceClient } from 'countersign/client';
       import type { SendAnswer } from 'countersign/contract';
       const client = createServiceClient({ baseUrl: 'http://127.0.0.1:1', secretKey: 'sk' });
       export const sent: Promise<SendAnswer<'payments'>> = client.apps.payments.send(
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
