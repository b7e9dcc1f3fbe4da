import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { keyOf } from '../support/mcp-agent.ts';
import { startWhole, type Whole } from '../support/whole.ts';

const cli = createRequire(import.meta.url).resolve('@modelcontextprotocol/inspector-cli/build/index.js');

describe('the MCP Inspector', function () {
  this.timeout(120_000);
  let whole: Whole;
  before(async () => {
    whole = await startWhole();
  });
  after(() => whole.close());
  /** Its command line, as a developer calls it. It reads its own version beside the folder that it is called in. */
  const inspect = async (method: string, ...args: string[]) => {
    const key = ['--header', `Authorization: Bearer ${keyOf(whole)}`];
    const words = [cli, whole.bot().links.mcp ?? '', '--transport', 'http', ...key, '--method', method, ...args];
    return JSON.parse((await promisify(execFile)(process.execPath, words, { cwd: dirname(cli) })).stdout);
  };

  it('lists the tools and the resources', async () => {
    assert.equal((await inspect('tools/list')).tools.length, 14);
    assert.equal((await inspect('resources/list')).resources.length, 4);
    const { contents } = await inspect('resources/read', '--uri', 'countersign://forms');
    assert.equal(JSON.parse(contents[0].text).length, 3);
  });

  it('starts an app, and reads its state', async () => {
    const begin = ['--tool-arg', 'phoneNumber="+12025550110"', '--tool-arg', 'productId=energy-bill-november'];
    const { structuredContent: begun } = await inspect('tools/call', '--tool-name', 'start_payments', ...begin);
    assert.equal(begun.state, 'pending');
    const of = ['--tool-arg', `interactionId="${begun.interactionId}"`];
    let view = begun;
    while (view.state === 'pending') {
      const cursor = ['--tool-arg', `cursor="${view.cursor}"`];
      view = (await inspect('tools/call', '--tool-name', 'wait', ...of, ...cursor)).structuredContent;
    }
    assert.equal(view.outcome.status, 'success');
    assert.deepEqual((await inspect('tools/call', '--tool-name', 'status', ...of)).structuredContent, view);
  });
});
