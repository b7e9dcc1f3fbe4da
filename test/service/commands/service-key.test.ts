import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { newServiceKey } from '../../../src/service/commands/service-key.ts';

describe('making a key for an account', () => {
  it('prints a key of 256 bits and the digest that the catalogue takes', () => {
    const [, key = '', digest = ''] = /^key {5}([A-Za-z0-9_-]{43})\nsha256 {2}([0-9a-f]{64})$/.exec(newServiceKey()) ?? [];
    assert.equal(createHash('sha256').update(key).digest('hex'), digest);
  });
  it('makes another one every time', () => assert.notEqual(newServiceKey(), newServiceKey()));
});
