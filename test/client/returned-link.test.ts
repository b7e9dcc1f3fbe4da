import assert from 'node:assert/strict';
import type { ClientOptions } from '../../src/client/index.ts';
import { type AppId, appIds } from '../../src/contract/index.ts';
import { type ClientUnderTest, startClientUnderTest } from '../support/client-under-test.ts';
import { json } from '../support/misbehaving-service.ts';
import { requestId, samples } from '../support/service-samples.ts';

const token = 'Zq3vK8dTn1mXb6YwE4sLhA';
const linkHosts = ['verify.example.com', 'Verify.Example.com:8443'];

describe('the link of a request’s page', () => {
  let under: ClientUnderTest;
  let departures: [string, readonly string[]][] = [];
  before(async () => {
    under = await startClientUnderTest();
  });
  after(() => under.close());
  beforeEach(() => {
    departures = [];
  });

  const send = (app: AppId, returnLink?: boolean, options: Partial<ClientOptions> = { linkHosts }) =>
    under
      .make({ onDeparture: (operation, paths) => void departures.push([operation, paths]), ...options })
      .apps[app].send(samples[app].send as never, { idempotencyKey: requestId, returnLink });
  const asked = () => under.service.requests.at(-1)?.headers['return-link'];
  const returnable: readonly AppId[] = ['document-signature', 'payments', 'e-form'];

  for (const app of appIds) {
    const link = `https://verify.example.com/r/${token}`;
    const may = returnable.includes(app);
    it(`is ${may ? 'asked for with a header, and read' : 'neither asked for nor read'} (${app})`, async () => {
      under.service.script(json(200, { ...samples[app].sent, link }));
      const answer = await send(app, true);
      assert.equal(asked(), may ? 'true' : undefined);
      assert.equal(answer.link, may ? link : undefined);
      assert.deepEqual(departures, []);
    });

    it(`is no part of the answer where nobody asked for it, whatever is in its place (${app})`, async () => {
      for (const given of [link, 7, { href: link }]) {
        under.service.script(json(200, { ...samples[app].sent, link: given }));
        for (const returnLink of [undefined, false]) {
          assert.ok(!('link' in (await send(app, returnLink))));
          assert.equal(asked(), undefined);
        }
      }
      assert.deepEqual(departures, []);
    });
  }

  it('is missing, and nothing else, at a service that does not know it', async () => {
    under.service.script(json(200, samples.payments.sent));
    assert.deepEqual(await send('payments', true), samples.payments.sent);
    assert.deepEqual(departures, []);
  });

  const shown: [string, string][] = [
    ['at another port that is on the list', `https://verify.example.com:8443/r/${token}`],
    ['in capitals', `HTTPS://Verify.Example.COM/r/${token}`],
    ['of the longest kind', `https://verify.example.com/${'r'.repeat(500 - 'https://verify.example.com/'.length)}`],
  ];
  for (const [what, link] of shown)
    it(`is read ${what}`, async () => {
      under.service.script(json(200, { ...samples.payments.sent, link }));
      assert.equal((await send('payments', true)).link, new URL(link).href);
      assert.deepEqual(departures, []);
    });

  const left: [string, unknown][] = [
    ['in the clear', `http://verify.example.com/r/${token}`],
    ['elsewhere', `https://verify.example.org/r/${token}`],
    ['at a host below', `https://a.verify.example.com/r/${token}`],
    ['at another port', `https://verify.example.com:8444/r/${token}`],
    ['with a host for a name', `https://verify.example.com@evil.example/r/${token}`],
    ['with a name', `https://me@verify.example.com/r/${token}`],
    ['with a password', `https://:me@verify.example.com/r/${token}`],
    ['of a script', 'javascript:alert(1)'],
    ['without a host', `/r/${token}`],
    ['that is too long', `https://verify.example.com/${'r'.repeat(501 - 'https://verify.example.com/'.length)}`],
    ['that is null', null],
    ['that is a number', 7],
    ['that is a list', [`https://verify.example.com/r/${token}`]],
  ];
  for (const [what, link] of left)
    it(`is left out ${what}, and only its path is reported`, async () => {
      under.service.script(json(200, { ...samples.payments.sent, link }));
      const { link: read, ...answer } = await send('payments', true);
      assert.deepEqual([read, answer], [undefined, samples.payments.sent]);
      assert.deepEqual(departures, [['payments.send', ['link']]]);
    });

  // A service that is tried out links to itself, as http://localhost.
  it('may lead to the service in the clear where both are on this machine, under any of its names', async () => {
    const { port } = new URL(under.service.baseUrl);
    for (const [host, read] of [
      [`localhost:${port}`, true],
      [`127.0.0.1:${port}`, true],
      [`[::1]:${port}`, true],
      ['localhost:1', false],
      ['localhost', false],
      [`localhost.example.com:${port}`, false],
      [`192.168.0.1:${port}`, false],
    ] as const) {
      under.service.script(json(200, { ...samples.payments.sent, link: `http://${host}/r/${token}` }));
      assert.equal((await send('payments', true, {})).link !== undefined, read, host);
      under.service.script(json(200, { ...samples.payments.sent, link: `http://${host}/r/${token}` }));
      assert.equal((await send('payments', true)).link, undefined, `${host}, where other hosts are named`);
    }
  });

  it('may lead to the host of the service alone where no others are named', async () => {
    const own = new URL(under.service.baseUrl).host;
    for (const [host, read] of [
      [own, true],
      ['127.0.0.1', false],
      ['verify.example.com', false],
    ] as const) {
      under.service.script(json(200, { ...samples.payments.sent, link: `https://${host}/r/${token}` }));
      assert.equal((await send('payments', true, {})).link !== undefined, read, host);
    }
  });
});
