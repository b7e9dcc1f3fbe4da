import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';

describe('limits for callers who have not proved who they are', () => {
  it('count networks, since whoever has an IPv6 network has all of its addresses', () => {
    const sources = globSync('src/**/*.ts').map((file) => [file, readFileSync(file, 'utf8')] as const);
    const counts = (argument: string) => new RegExp(`await (?:take|begin|admit|count|refuse)\\w*\\(${argument}`);
    assert.ok(sources.filter(([, text]) => counts('networkOf\\(').test(text)).length >= 5);
    assert.deepEqual(
      sources.flatMap(([file, text]) => (counts('(?:\\w+\\.)?(?:client|remote)Address').test(text) ? [file] : [])),
      [],
    );
  });
});
