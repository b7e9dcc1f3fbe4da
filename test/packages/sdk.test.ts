import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { compiledForNode } from '../../.build/sdk.ts';

const require = createRequire(import.meta.url);
const modules = join(import.meta.dirname, '../../node_modules');
const packages = ['botbuilder', 'botbuilder-core', 'botbuilder-dialogs', 'botbuilder-stdlib', 'botframework-connector'];

/** What a module exports whose text this is. */
const exportsOf = (file: string, text: string): object => {
  const module = { exports: {} };
  new Function('exports', 'require', 'module', '__dirname', text)(module.exports, createRequire(file), module, dirname(file));
  return module.exports;
};

describe('the Bot Framework SDK in a bundle', () => {
  for (const name of packages)
    it(`has of ${name} what is published, without a generator in place of an async function`, () => {
      let compiled = 0;
      for (const path of globSync('**/*.js', { cwd: join(modules, name, 'lib') })) {
        const file = join(modules, name, 'lib', path);
        const text = compiledForNode(file);
        if (text === undefined) continue;
        compiled += 1;
        assert.doesNotMatch(text, /__awaiter|function\s*\*\s*\w*\(/, file);
        const published = require(file) as object;
        const exported = exportsOf(file, text);
        for (const [member, value] of Object.entries(published)) {
          assert.equal(typeof exported[member as never], typeof value, `${member} of ${file}`);
        }
      }
      assert.ok(compiled > 0);
    });

  it('is as it is published where nothing is asynchronous, and so are all other libraries', () => {
    for (const file of ['botframework-schema/lib/index.js', 'restify/lib/index.js'])
      assert.equal(compiledForNode(join(modules, file)), undefined);
  });
});
