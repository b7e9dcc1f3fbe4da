import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { contrast, mix } from '../../../../src/platform/pages/contrast.ts';
import { loadTheme, readLogo } from '../../../../src/platform/pages/theme.ts';
import { SettingsError } from '../../../../src/platform/settings/settings-error.ts';
import { readServiceSettings } from '../../../../src/service/settings.ts';
import { startChromium } from '../../../support/chromium.ts';
import { onPhone } from '../../../support/device-screen.ts';
import { ownCatalogue } from '../../../support/own-catalogue.ts';
import { startTestService } from '../../../support/running-service.ts';
import { sendBody } from '../../../support/sends.ts';
import { northernKey, startTwoAccounts } from '../../../support/two-accounts.ts';

const svg = (inside: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 160 40">${inside}</svg>`;
const plainLogo = svg('<rect width="40" height="40" rx="9" fill="#6d28d9"/><path d="M10 28 20 8l10 20" stroke="#fff" fill="none"/>');
const good = `name: Violet Bank
logo: logo.svg
colours:
  light: { accent: "#6d28d9" }
  dark: { accent: "#c4b5fd", text: "#1e1033" }
`;

it('the pages and the messages have one accent', async () => {
  const accents = (text: string, name: string) => [...text.matchAll(new RegExp(`${name}: '?(#[0-9a-f]{6})`, 'g'))].map(([, hex]) => hex);
  const read = (path: string) => readFileSync(new URL(`../../../../src/${path}`, import.meta.url), 'utf8');
  const pages = accents(read('platform/pages/assets/tokens.css'), '--accent');
  assert.equal(pages.length, 2, 'one for the day, one for the night');
  assert.deepEqual(accents(read('service/delivery/mail-body.ts'), 'accent'), pages);
});

it('the contrast of a theme is measured on the grounds that pages have', () => {
  const read = (path: string) => readFileSync(new URL(`../../../../src/platform/pages/${path}`, import.meta.url), 'utf8');
  const grounds = (name: string) =>
    [...read('assets/tokens.css').matchAll(new RegExp(`--${name}: (#[0-9a-f]{6})`, 'g'))].map(([, hex]) => hex);
  const [panels, canvases] = [grounds('panel'), grounds('canvas')];
  const measured = [...read('theme.ts').matchAll(/grounds: \['(#[0-9a-f]{6})', '(#[0-9a-f]{6})'\]/g)].map(([, ...pair]) => pair);
  assert.deepEqual(
    measured,
    panels.map((panel, index) => [panel, canvases[index]]),
  );
});

describe('a theme', function () {
  this.timeout(60_000);
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-theme-'));
    writeFileSync(join(folder, 'logo.svg'), plainLogo);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const write = (content: string) => {
    const file = join(folder, 'theme.yaml');
    writeFileSync(file, content);
    return file;
  };
  const linesOf = (act: () => unknown): readonly string[] => {
    try {
      act();
    } catch (fault) {
      assert.ok(fault instanceof SettingsError);
      return fault.lines;
    }
    return [];
  };

  describe('contrast', () => {
    for (const [one, other, ratio] of [
      ['#ffffff', '#000000', 21],
      ['#777777', '#ffffff', 4.48],
      ['#767676', '#ffffff', 4.54],
      ['#0b6b62', '#0b6b62', 1],
    ] as const)
      it(`of ${one} on ${other} is ${ratio}, either way`, () => {
        assert.equal(Math.round(contrast(one, other) * 100) / 100, ratio);
        assert.equal(contrast(one, other), contrast(other, one));
      });
    it('is checked for mixed colours as well', () => assert.equal(mix('#ff0000', 0.5, '#0000ff'), '#800080'));
  });

  const refused: [string, string, RegExp][] = [
    ['no mapping', '- 1', /the file: must be an object/],
    ['something unknown', 'fonts: Arial', /fonts: is not known here/],
    [
      'a colour by name',
      'colours: { light: { accent: teal }, dark: { accent: "#4fd1c0" } }',
      /colours\.light\.accent: must be a colour such as/,
    ],
    ['one half of the day only', 'colours: { light: { accent: "#0b6b62" } }', /colours\.dark: is required/],
    [
      'text that cannot be read on its accent',
      'colours: { light: { accent: "#0b6b62", text: "#33aa99" }, dark: { accent: "#4fd1c0" } }',
      /colours\.light\.text: text \(#33aa99\) on the accent \(#0b6b62\) has a contrast of 2\.\d+ to 1, and 4\.5 is the least/,
    ],
    [
      'an accent that white cannot be read on',
      'colours: { light: { accent: "#facc15", link: "#1d4ed8" }, dark: { accent: "#4fd1c0" } }',
      /colours\.light\.accent: text \(#ffffff\) on the accent/,
    ],
    [
      'an accent that links cannot be read in',
      'colours: { light: { accent: "#facc15", text: "#000000" }, dark: { accent: "#4fd1c0" } }',
      /colours\.light\.accent: a link \(#facc15\) on the page has a contrast of 1\.\d+ to 1/,
    ],
    [
      'a dark accent by night',
      'colours: { light: { accent: "#0b6b62" }, dark: { accent: "#0b6b62", text: "#ffffff" } }',
      /colours\.dark\.accent: a link/,
    ],
    ['a logo that is not there', 'logo: none.svg', /logo: cannot be read/],
    ['no YAML', 'name: [', /line \d+, column \d+: not YAML/],
  ];
  for (const [what, content, expected] of refused) {
    it(`with ${what} is refused in words`, () => {
      const file = write(content);
      const lines = linesOf(() => loadTheme(file, 'SERVICE_THEME'));
      assert.ok(
        lines.some((line) => line.startsWith(`SERVICE_THEME: ${file}: `) && expected.test(line)),
        lines.join('\n'),
      );
      assert.deepEqual(
        linesOf(() => readServiceSettings({ SERVICE_THEME: file })),
        lines,
      );
    });
  }
  it('reports all mistakes at once', () => {
    const lines = linesOf(() =>
      loadTheme(write('logo: none.svg\ncolours: { light: { accent: "#eeeeee" }, dark: { accent: "#111111" } }'), 'SERVICE_THEME'),
    );
    assert.equal(lines.length, 5, lines.join('\n'));
  });

  describe('logo', () => {
    const unfit: [string, string | Buffer][] = [
      ['too large a file', svg(`<path d="${'M0 0 '.repeat(9000)}"/>`)],
      ['a JPEG', Buffer.from([0xff, 0xd8, 0xff, 0xe0])],
      ['a web page', '<!doctype html><svg></svg>'],
      ['nothing', ''],
      ['a script', svg('<script>alert(1)</script>')],
      ['a script under a prefix', svg('<svg:script xmlns:svg="http://www.w3.org/2000/svg">alert(1)</svg:script>')],
      ['a handler', svg('<rect onload="alert(1)"/>')],
      ['a handler without a space', svg('<rect/onload="alert(1)"/>')],
      ['a link that is a script', svg('<a href="javascript:alert(1)"><rect/></a>')],
      ['an encoded link', svg('<a xlink:href="&#106;avascript:alert(1)"><rect/></a>')],
      ['an image from elsewhere', svg('<image href="https://example.com/a.png"/>')],
      ['an image from elsewhere in single quotes', svg("<image xlink:href='//example.com/a.png'/>")],
      ['a style sheet from elsewhere', svg('<style>@import "https://example.com/a.css";</style>')],
      ['a fill from elsewhere', svg('<rect fill="url(https://example.com/a.svg#b)"/>')],
      ['an escaped fill', svg('<rect style="fill:u\\72l(https://example.com/a.svg#b)"/>')],
      ['a web page inside', svg('<foreignObject><p/></foreignObject>')],
      ['an animation of a link', svg('<a><set attributeName="href" to="javascript:alert(1)"/></a>')],
      ['an entity', `<!DOCTYPE svg [<!ENTITY a "b">]>${svg('')}`],
      ['a processing instruction', `<?xml version="1.0"?><?xml-stylesheet href="a.css"?>${svg('')}`],
    ];
    for (const [what, content] of unfit) {
      it(`is refused: ${what}`, () => assert.ok('wrong' in readLogo(Buffer.from(content))));
    }
    const fit: [string, string | Buffer][] = [
      ['a drawing', plainLogo],
      ['a drawing with a head', `<?xml version="1.0" encoding="UTF-8"?>\n<!-- made by hand -->\n${plainLogo}`],
      ['its own gradient', svg('<linearGradient id="a"/><rect fill="url(#a)"/><use href="#a"/>')],
      ['a PNG', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0])],
    ];
    for (const [what, content] of fit) it(`may be ${what}`, () => assert.ok('content' in readLogo(Buffer.from(content))));
  });

  describe('on pages', () => {
    let browser: Browser;
    before(async () => {
      browser = await startChromium();
    });
    after(() => browser.close());

    for (const colorScheme of ['light', 'dark'] as const) {
      it(`is used in ${colorScheme} mode`, async () => {
        const service = await startTestService({ themeFile: write(good) });
        try {
          await service.call('POST', '/payments/send', { body: sendBody('payments') });
          const link = (await service.outbox())[0]?.link ?? '';
          const visit: Parameters<typeof onPhone>[2] = async ({ page, look, weight }) => {
            assert.match(await page.title(), / · Violet Bank$/);
            const logo = page.getByRole('img', { name: 'Violet Bank' });
            assert.ok(await logo.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0));
            const ground = await page.locator('button.primary').evaluate((button) => getComputedStyle(button).backgroundColor);
            assert.equal(ground, colorScheme === 'light' ? 'rgb(109, 40, 217)' : 'rgb(196, 181, 253)');
            assert.ok((await weight()).bytes < 60_000);
            await look(`theme-${colorScheme}`);
          };
          await onPhone(browser, link, visit, { colorScheme });
        } finally {
          await service.close();
        }
      });
    }
  });

  it('of an account is used for that account only', async () => {
    writeFileSync(join(folder, 'own.yaml'), good);
    const service = await startTwoAccounts(
      { themeFile: write('name: Host\ncolours: { light: { accent: "#1d4ed8" }, dark: { accent: "#93c5fd" } }') },
      ({ accounts }) => {
        accounts[1].theme = join(folder, 'own.yaml');
      },
    );
    try {
      const pageOf = async (headers: Record<string, string>, body: object) => {
        await service.call('POST', '/payments/send', { headers, body });
        return (await service.open('GET', (await service.outbox())[0]?.link ?? '')).text;
      };
      const theirs = await pageOf({ authorization: `Bearer ${northernKey}` }, { ...sendBody('payments'), productId: 'northern-bill' });
      assert.match(theirs, /alt="Violet Bank"/);
      assert.match(theirs, /--accent:#6d28d9/);
      const first = await pageOf({}, sendBody('payments'));
      assert.match(first, /<span class="mark" aria-hidden="true">B<\/span>Brightwater Energy/);
      assert.match(first, /--accent:#1d4ed8/);
      assert.doesNotMatch(first, /Violet|Host/);
      assert.match((await service.open('GET', '/r/abcdefghijklmnopqrstuvwxyz')).text, /Host/);
    } finally {
      await service.close();
    }
  });

  it('of an account that is invalid is reported by its place in the catalogue', async () => {
    const file = ownCatalogue(folder, (catalogue) => {
      catalogue.theme = 'bad.yaml';
    });
    writeFileSync(join(folder, 'bad.yaml'), 'colours: 1');
    await assert.rejects(startTestService({ catalogueFile: file }), ({ lines }: SettingsError) => {
      assert.deepEqual(lines, [`SERVICE_CATALOGUE: ${file}: theme: colours: must be an object.`]);
      return true;
    });
  });
});
