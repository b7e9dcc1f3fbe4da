import assert from 'node:assert/strict';
import fc from 'fast-check';
import { onHosts, onLoopbackOnly } from '../../src/bot/envelope.ts';

describe('the service URLs of channels', () => {
  const allowed = onHosts();

  for (const url of [
    'https://smba.trafficmanager.net/amer/',
    'https://smba.trafficmanager.net/emea/0b1d6f4e-7e53-4d1b-9a55-5c5a1fbd0001/',
    'https://SMBA.TrafficManager.net/teams',
    'https://smba.trafficmanager.net:443/br/',
    'https://smba.infra.gcc.teams.microsoft.com/teams',
    'https://webchat.botframework.com/',
    'https://directline.botframework.com',
    'https://europe.directline.botframework.com/',
  ]) {
    it(`lets ${url} pass`, () => assert.equal(allowed(url), true));
  }

  const refused: [string, string][] = [
    ['plain http', 'http://smba.trafficmanager.net/amer/'],
    ['another scheme', 'ftp://smba.trafficmanager.net/'],
    ['no scheme', 'smba.trafficmanager.net/amer/'],
    ['our own Direct Line', 'urn:countersign:directline'],
    ['another host', 'https://evil.example/'],
    ["somebody else's name at the traffic manager", 'https://evil.trafficmanager.net/'],
    ['a name below an exact host', 'https://x.smba.trafficmanager.net/'],
    ['the bare domain of a wildcard', 'https://botframework.com/'],
    ['a host that only ends alike', 'https://evilbotframework.com/'],
    ['the allowed host as a label of another', 'https://smba.trafficmanager.net.evil.example/'],
    ['user information', 'https://smba.trafficmanager.net@evil.example/'],
    ['user information before an allowed host', 'https://me:pw@smba.trafficmanager.net/'],
    ['a trailing dot', 'https://smba.trafficmanager.net./'],
    ['an empty label', 'https://a..botframework.com/'],
    ['another port', 'https://smba.trafficmanager.net:8443/'],
    ['a query', 'https://smba.trafficmanager.net/?a=b'],
    ['a fragment', 'https://smba.trafficmanager.net/#x'],
    ['backslashes', 'https:\\\\smba.trafficmanager.net\\'],
    ['a backslash before the host ends', 'https://evil.example\\.botframework.com/'],
    ['dot segments', 'https://smba.trafficmanager.net/a/../b'],
    ['a dot segment at the end', 'https://smba.trafficmanager.net/a/..'],
    ['percent-encoding', 'https://smba.trafficmanager.net/%2e%2e/'],
    ['a space in front', ' https://smba.trafficmanager.net/'],
    ['a tab inside', 'https://smba.traffic\tmanager.net/'],
    ['a line feed at the end', 'https://smba.trafficmanager.net/\n'],
    ['a full-width dot', 'https://smba．trafficmanager.net/'],
    ['a Cyrillic letter', 'https://smbа.trafficmanager.net/'],
    ['this machine', 'https://127.0.0.1/'],
    ['this machine by name', 'https://localhost/'],
    ['IPv6 loopback', 'https://[::1]/'],
    ['a decimal address', 'https://2130706433/'],
    ['an octal address', 'https://0177.0.0.1/'],
    ['a hexadecimal address', 'https://0x7f000001/'],
    ['the metadata address', 'https://169.254.169.254/latest/meta-data/'],
    ['a private address', 'https://10.0.0.1/'],
    ['nothing', ''],
    ['the longest text', `https://smba.trafficmanager.net/${'a'.repeat(500)}`],
  ];
  for (const [what, url] of refused) {
    it(`refuses ${what}`, () => assert.equal(allowed(url), false));
  }

  it('never passes a text that a URL parser reads as another host', () => {
    const piece = fc.constantFrom(
      'https://',
      'smba.trafficmanager.net',
      '@',
      '.',
      '\\',
      '/',
      'evil.example',
      ':443',
      '#',
      '?',
      '%2e',
      '..',
      ' ',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 7 }), (pieces) => {
        const text = pieces.join('');
        if (!allowed(text)) return;
        const { protocol, hostname, username, password, search, hash, port } = new URL(text);
        assert.deepEqual(
          { protocol, hostname, rest: username + password + search + hash + port },
          { protocol: 'https:', hostname: 'smba.trafficmanager.net', rest: '' },
        );
      }),
      { numRuns: 2000 },
    );
  });
});

describe('the service URLs of a bot without an app id', () => {
  for (const url of [
    'http://localhost:56150',
    'http://127.0.0.1:56150/',
    'http://[::1]:56150/',
    'http://localhost/_connector',
    'http://LOCALHOST:1/',
  ]) {
    it(`lets ${url} pass`, () => assert.equal(onLoopbackOnly(url), true));
  }
  for (const url of [
    'https://smba.trafficmanager.net/amer/',
    'https://localhost:1/',
    'http://localhost.evil.example/',
    'http://localhost@evil.example/',
    'http://evil.example/?http://localhost',
    'http://127.0.0.2/',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f.0.0.1/',
    'http://0177.0.0.1/',
    'http://0.0.0.0/',
    'http://[::]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[0:0:0:0:0:0:0:1]/',
    'http://10.0.0.1/',
    'http://192.168.0.1/',
    'http://169.254.169.254/',
    'http://localhost:999999/',
    'http://localhost:65536/',
    'http://localhost/../x',
    'urn:countersign:directline',
    'file:///etc/hosts',
  ]) {
    it(`refuses ${url}`, () => assert.equal(onLoopbackOnly(url), false));
  }
});
