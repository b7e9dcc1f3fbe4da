import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeServiceTexts } from '../../../../src/service/core/texts.ts';
import { mailBody } from '../../../../src/service/delivery/mail-body.ts';
import { violationsOf } from '../../../support/accessibility.ts';
import { launchBrowser, shoot } from '../../../support/browser.ts';
import { startTestService, type TestService } from '../../../support/running-service.ts';
import { sendBody } from '../../../support/sends.ts';

const links = {
  privacy: 'https://northern-power.example.com/privacy',
  terms: 'https://northern-power.example.com/terms',
  support: 'tel:+12025550123',
};

describe('the links of a theme', function () {
  this.timeout(60_000);
  let folder: string;
  let service: TestService;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-links-'));
    const themeFile = join(folder, 'theme.yaml');
    writeFileSync(themeFile, JSON.stringify({ name: 'Northern Power', links }));
    service = await startTestService({ themeFile });
  });
  after(async () => {
    await service?.close();
    rmSync(folder, { recursive: true });
  });
  const linkOf = async () => {
    await service.call('POST', '/payments/send', { body: sendBody('payments') });
    return (await service.outbox())[0]?.link ?? '';
  };

  for (const [language, names] of [
    ['en', ['Privacy', 'Terms', 'Help']],
    ['es', ['Privacidad', 'Condiciones', 'Ayuda']],
  ] as const) {
    it(`are at the foot of a device page, in the language of the device (${language})`, async () => {
      const browser = await launchBrowser();
      try {
        for (const colorScheme of ['light', 'dark'] as const) {
          const { page, complaints } = await browser.page({ locale: language, viewport: { width: 390, height: 844 }, colorScheme });
          await page.goto(await linkOf());
          const shown = page.getByRole('contentinfo').getByRole('link');
          assert.deepEqual(await shown.allTextContents(), [...names]);
          const addresses = await shown.evaluateAll((all) => all.map((one) => one.getAttribute('href')));
          assert.deepEqual(addresses, Object.values(links));
          assert.deepEqual(await violationsOf(page), []);
          assert.deepEqual(complaints, []);
          await shoot(page, `device-links-${language}-${colorScheme}`);
        }
      } finally {
        await browser.close();
      }
    });
  }

  it('are on the page of a void link, too', async () => {
    assert.match((await service.open('GET', '/r/unknown-unknown-unknown')).text, /href="https:\/\/northern-power\.example\.com\/privacy"/);
  });

  it('are at the end of an e-mail, in both its bodies', () => {
    const message = {
      id: '01KAH5Z0V8Q2J9XW3N4M5P6R7S',
      requestId: '01KAH5Z0V8Q2J9XW3N4M5P6R7T',
      app: 'passkeys',
      channel: 'email',
      to: 'mei.tanaka@example.com',
      name: 'Mei Tanaka',
      language: 'es',
      text: 'Confirme que es usted',
      sentAt: 0,
    } as const;
    const { text, html } = mailBody(message, makeServiceTexts()('es'), { name: 'Northern Power', links });
    assert.ok(text.endsWith(`Privacidad: ${links.privacy}\nCondiciones: ${links.terms}\nAyuda: ${links.support}\n`), text);
    for (const address of Object.values(links)) assert.ok(html.includes(`href="${address}"`), address);
  });

  it('are only the configured ones', () => {
    const brand = { links: { terms: links.terms } };
    const message = {
      id: '',
      requestId: '',
      app: 'passkeys',
      channel: 'email',
      to: '',
      name: '',
      language: 'en',
      text: '',
      sentAt: 0,
    } as const;
    assert.deepEqual(mailBody(message, makeServiceTexts()('en'), brand).html.match(/href="[^"]+"/g), [`href="${links.terms}"`]);
    assert.equal(mailBody(message, makeServiceTexts()('en'), {}).html.match(/href=/g), null);
  });
});
