import assert from 'node:assert/strict';
import { isIP } from 'node:net';
import fc from 'fast-check';
import { familyOf, trailNetworkOf } from '../../../../src/service/core/audit/origin.ts';

describe('the origin of an action in an audit trail', () => {
  const networks: [string, string | undefined][] = [
    ['203.0.113.77', '203.0.113.0/24'],
    ['::ffff:203.0.113.77', '203.0.113.0/24'],
    ['::FFFF:203.0.113.77', '203.0.113.0/24'],
    ['2001:db8:1234:5678:9abc:def0:1234:5678', '2001:db8:1234::/48'],
    ['2001:0DB8:0001::1', '2001:db8:1::/48'],
    ['2001:db8::1', '2001:db8::/48'],
    ['::1', '::/48'],
    ['fe80::1%eth0', 'fe80::/48'],
    ['1::', '1::/48'],
    ['', undefined],
    ['localhost', undefined],
    ['999.1.1.1', undefined],
  ];
  for (const [address, network] of networks) {
    it(`is ${network ?? 'nothing'} for ${address || 'no address'}`, () => assert.equal(trailNetworkOf(address), network));
  }

  it('is the same for every address of a network, and identifies no single one', () => {
    const group = fc.integer({ min: 0, max: 0xffff }).map((number) => number.toString(16));
    fc.assert(
      fc.property(fc.tuple(group, group, group), fc.array(group, { minLength: 5, maxLength: 5 }), (network, own) => {
        const told = trailNetworkOf([...network, ...own].join(':'));
        assert.equal(told, trailNetworkOf([...network, '0', '0', '0', '0', '1'].join(':')));
        assert.equal(isIP(told?.split('/')[0] ?? ''), 6);
      }),
    );
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        assert.equal(trailNetworkOf(address), `${address.replace(/\.\d+$/, '')}.0/24`);
      }),
    );
  });

  const mozilla = 'Mozilla/5.0';
  const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)';
  const programs: [string, string][] = [
    [
      `${mozilla} (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1`,
      'Safari on iOS',
    ],
    [
      `${mozilla} (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/142.0.0.0 Mobile/15E148 Safari/604.1`,
      'Chrome on iOS',
    ],
    [`${mozilla} (Linux; Android 10; K) ${webkit} Chrome/142.0.0.0 Mobile Safari/537.36`, 'Chrome on Android'],
    [
      `${mozilla} (Linux; Android 10; K) ${webkit} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
      'Samsung Internet on Android',
    ],
    [`${mozilla} (Android 15; Mobile; rv:144.0) Gecko/144.0 Firefox/144.0`, 'Firefox on Android'],
    [`${mozilla} (Windows NT 10.0; Win64; x64) ${webkit} Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0`, 'Edge on Windows'],
    [
      `${mozilla} (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15`,
      'Safari on macOS',
    ],
    [`${mozilla} (X11; Linux x86_64) ${webkit} Chrome/142.0.0.0 Safari/537.36 OPR/120.0.0.0`, 'Opera on Linux'],
    [`${mozilla} (X11; CrOS x86_64 14541.0.0) ${webkit} Chrome/142.0.0.0 Safari/537.36`, 'Chrome on ChromeOS'],
    ['undici', 'another program'],
    ['', 'another program'],
  ];
  for (const [userAgent, family] of programs) {
    it(`is ${family} for “${userAgent.slice(0, 60)}”`, () => assert.equal(familyOf(userAgent), family));
  }
});
