import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { runInNewContext } from 'node:vm';
import { withNativeAwait } from '../../.build/native-await.ts';

const require = createRequire(import.meta.url);
const helper = `"use strict";
var __awaiter = (this && this.__awaiter) || function (thisArg, _arguments, P, generator) {
    function adopt(value) { return value instanceof P ? value : new P(function (resolve) { resolve(value); }); }
    return new (P || (P = Promise))(function (resolve, reject) {
        function fulfilled(value) { try { step(generator.next(value)); } catch (e) { reject(e); } }
        function rejected(value) { try { step(generator["throw"](value)); } catch (e) { reject(e); } }
        function step(result) { result.done ? resolve(result.value) : adopt(result.value).then(fulfilled, rejected); }
        step((generator = generator.apply(thisArg, _arguments || [])).next());
    });
};
`;

/** What calls of a body as TypeScript writes it come to, in the object `{ base: 1 }`, with the argument 2. */
const ends = async (body: string, rewrite: boolean): Promise<unknown> => {
  const script = `${helper}
    ({ base: 1, call(x) { return __awaiter(this, arguments, void 0, function* (given, other = 3) { ${body} }); } }).call(2)`;
  const text = rewrite ? (withNativeAwait('sample.js', script) ?? assert.fail('nothing to do')) : script;
  try {
    return { value: await runInNewContext(text, { Promise, Error }) };
  } catch (fault) {
    return { fault: (fault as Error).message };
  }
};

describe('a script of the Bot Framework, in a bundle', () => {
  const bodies: Record<string, string> = {
    'a value, the arguments, a default and this': 'return [this.base, given, other].join();',
    'what it waits for': 'const one = yield Promise.resolve(given); return (yield one) + (yield this.base);',
    'an error of its own': "throw new Error('at once');",
    'an error that it waits for and catches': "try { yield Promise.reject(new Error('later')); } catch (e) { return e.message; }",
    'a thenable': 'return yield { then: (done) => done(4) };',
    'calls of such functions inside': 'return __awaiter(this, void 0, void 0, function* () { return (yield 5) + this.base; });',
    'the word in a text': "return 'yield function* ' + (yield 'of words');",
  };
  for (const [what, body] of Object.entries(bodies))
    it(`ends as before with ${what}`, async () => {
      assert.deepEqual(await ends(body, true), await ends(body, false));
    });

  it('has no generator left, and is as it was if it has none', () => {
    const file = require.resolve('botbuilder-dialogs/lib/dialogContext.js');
    const text = withNativeAwait(file, readFileSync(file, 'utf8')) ?? '';
    assert.match(text, /async function \(\) \{\s+try \{\s+return await promise;/);
    assert.doesNotMatch(text, /function\s*\*|\byield\b/);
    assert.equal(withNativeAwait('plain.js', 'module.exports = 1;'), undefined);
  });

  for (const own of ['function* own() { yield 1; }', 'const own = function* () { yield 1; };', 'const own = { *own() { yield 1; } };'])
    it(`is refused with a generator of its own: ${own}`, () => {
      assert.throws(() => withNativeAwait('own.js', `${helper}${own}`), /own.js has a generator of its own/);
    });
});
