// What a build leaves out of a start, and finds when it is used.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { common } from '../../.build/bundle.ts';
import { bundleLate, late } from '../../.build/late.ts';

const run = promisify(execFile);

/** Writes to a conversation with the SDK's own client, and says what it had loaded before. */
const program = `const { ConnectorClient, MicrosoftAppCredentials } = require('botframework-connector');
const loaded = () => Object.keys(require.cache).some((file) => file.endsWith('late.cjs'));
const before = loaded();
const client = new ConnectorClient(new MicrosoftAppCredentials('', ''), { baseUri: process.argv[2] });
client.conversations.sendToConversation('c1', { type: 'message', text: 'hello' })
  .then(({ id }) => console.log(JSON.stringify({ before, after: loaded(), id })));`;

describe('a library that few bots use', function () {
  this.timeout(60_000);
  let folder = '';
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-late-'));
    await bundleLate(folder);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('is loaded when the SDK uses it, not before, and works as it does there', async () => {
    const outfile = join(folder, 'program.cjs');
    await build({ ...common, stdin: { contents: program, resolveDir: import.meta.dirname }, outfile, format: 'cjs', plugins: [late] });
    const said: string[] = [];
    const channel = createServer(async (request, response) => {
      said.push(`${request.method} ${request.url} ${Buffer.concat(await request.toArray()).toString()}`);
      response.setHeader('content-type', 'application/json');
      response.end('{"id":"a1"}');
    }).listen(0, '127.0.0.1');
    await once(channel, 'listening');
    try {
      const { stdout } = await run(process.execPath, [outfile, `http://127.0.0.1:${(channel.address() as AddressInfo).port}`]);
      assert.deepEqual(JSON.parse(stdout), { before: false, after: true, id: 'a1' });
      assert.deepEqual(said, ['POST /v3/conversations/c1/activities {"type":"message","text":"hello"}']);
    } finally {
      channel.close();
    }
  });

  it('has what the SDK asks it for', () => {
    const libraries = createRequire(import.meta.url)(join(folder, 'late.cjs'));
    assert.equal(typeof libraries['@azure/identity'].DefaultAzureCredential, 'function');
    for (const member of ['ConfidentialClientApplication', 'ManagedIdentityApplication'])
      assert.equal(typeof libraries['@azure/msal-node'][member], 'function');
    for (const name of ['axios', 'cross-fetch', 'node-fetch']) assert.equal(typeof libraries[name].default, 'function', name);
    assert.equal(typeof libraries.jsonwebtoken.verify, 'function');
    assert.equal(typeof libraries['https-proxy-agent'].HttpsProxyAgent, 'function');
    assert.equal(typeof libraries['fs-extra'].pathExists, 'function');
    assert.equal(typeof libraries.htmlparser2.parseDocument, 'function');
  });
});
