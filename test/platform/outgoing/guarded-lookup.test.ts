import assert from 'node:assert/strict';
import type { LookupAddress } from 'node:dns';
import { addressRefused, isPublicAddress, makeGuardedLookup } from '../../../src/platform/outgoing/guarded-lookup.ts';
import { isLoopbackAddress } from '../../../src/platform/outgoing/loopback.ts';

const at = (address: string): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 });

describe('name resolution for outgoing connections', () => {
  for (const address of ['52.112.0.1', '8.8.8.8', '2603:1030::1', '100.63.255.255', '100.128.0.0', '::ffff:8.8.8.8', '2a00::1']) {
    it(`treats ${address} as public`, () => assert.equal(isPublicAddress(at(address)), true));
  }
  for (const address of [
    ...[
      '0.0.0.0',
      '10.1.2.3',
      '100.64.0.0',
      '100.127.255.255',
      '127.0.0.1',
      '169.254.169.254',
      '172.16.0.1',
      '172.31.255.255',
      '192.168.1.1',
      '198.18.0.1',
    ],
    ...[
      '224.0.0.1',
      '255.255.255.255',
      '::',
      '::1',
      '::10.0.0.1',
      '::8.8.8.8',
      '::ffff:127.0.0.1',
      '::ffff:10.0.0.1',
      '64:ff9b::a9fe:a9fe',
      'fd00::1',
      'fe80::1',
      'febf::1',
      'fec0::1',
      'feff:ffff::1',
      '::ffff:100.64.0.1',
      '::ffff:0:10.0.0.1',
      '64:ff9b:1::1',
      '3fff::1',
      '5f00::1',
      'ff02::1',
    ],
  ]) {
    it(`does not treat ${address} as public`, () => assert.equal(isPublicAddress(at(address)), false));
  }

  it('knows loopback', () => {
    assert.deepEqual(
      ['127.0.0.1', '::1', '127.9.9.9', '::ffff:127.0.0.1', '10.0.0.1', '8.8.8.8', 'fe80::1', ''].map((address) =>
        isLoopbackAddress(address),
      ),
      [true, true, true, true, false, false, false, false],
    );
  });

  const resolving = (...addresses: string[]) =>
    makeGuardedLookup(isPublicAddress, (_name, _options, done) => done(null, addresses.map(at)));

  it('keeps the public addresses of a name', (done) => {
    resolving('10.0.0.1', '52.112.0.1', '::1')('host.example', { all: true }, (fault, addresses) => {
      assert.equal(fault, null);
      assert.deepEqual(addresses, [at('52.112.0.1')]);
      done();
    });
  });

  it('returns one address if one is asked for', (done) => {
    resolving('52.112.0.1')('host.example', {}, (fault, address, family) => {
      assert.deepEqual([fault, address, family], [null, '52.112.0.1', 4]);
      done();
    });
  });

  it('refuses a name that resolves to this machine', (done) => {
    resolving('127.0.0.1', '::1')('host.example', { all: true }, (fault) => {
      assert.equal(fault?.code, addressRefused);
      done();
    });
  });
});
