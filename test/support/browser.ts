// One real browser for a test file: Chromium from npm, its pages with their own storage, and axe.
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Chromium from '@sparticuz/chromium';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

const require = createRequire(import.meta.url);

/** Where the screenshots of the tests lie, outside version control. */
const shots = join(import.meta.dirname, '../../.shots');

export interface TestBrowser {
  /** A page in a context of its own (its own cookies and storage). Everything the page complains of is collected. */
  page(options?: BrowserContextOptions): Promise<TestPage>;
  close(): Promise<void>;
}

export interface TestPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors of scripts and violations of the content security policy so far. */
  readonly complaints: string[];
}

/**
 * Launches the browser; call it in `before` and close it in `after`. The arguments the package suggests are left out: they switch web
 * security off. As root, Chromium runs without its sandbox only.
 */
export const launchBrowser = async (): Promise<TestBrowser> => {
  const home = await unpacked();
  const browser: Browser = await chromium.launch({
    executablePath: join(home, 'chromium'),
    args: ['--disable-gpu', '--font-render-hinting=none', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
    env: { ...process.env, TMPDIR: tmpdir() } as Record<string, string>,
  });
  return {
    page: async (options) => {
      const context = await browser.newContext(options);
      const complaints: string[] = [];
      const page = await context.newPage();
      page.on('pageerror', (fault) => complaints.push(`error: ${fault.message}`));
      page.on('console', (message) => {
        if (/Content Security Policy/i.test(message.text())) complaints.push(message.text());
      });
      return { page, context, complaints };
    },
    close: () => browser.close(),
  };
};

/** The package unpacks into the temporary folder, in place; two processes at once would run half a file. So: aside, then moved. */
const unpacked = async () => {
  // The package opens only its entry, which lies one folder down.
  const { version } = JSON.parse(await readFile(join(require.resolve('@sparticuz/chromium'), '../../package.json'), 'utf8'));
  const home = join(tmpdir(), `countersign-chromium-${version}`);
  if (existsSync(home)) return home;
  const draft = await mkdtemp(`${home}-`);
  const before = process.env.TMPDIR;
  process.env.TMPDIR = draft;
  try {
    await Chromium.executablePath();
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
  await rename(draft, home).catch(() => rm(draft, { recursive: true }));
  return home;
};

/** Takes a screenshot into `.shots/<name>.png`, to be looked at. */
export const shoot = async (page: Page, name: string) => {
  await mkdir(shots, { recursive: true });
  await page.screenshot({ path: join(shots, `${name}.png`) });
};

export interface AxeViolation {
  readonly id: string;
  readonly impact: string | null;
  readonly targets: string[];
}

interface AxeResults {
  violations: { id: string; impact: string | null; nodes: { target: unknown[] }[] }[];
}

/** What axe finds that is serious or critical, `rule` → where. Run in the page by the debugger, so the page's policy stays as it is. */
export const axe = async (page: Page): Promise<AxeViolation[]> => {
  await page.evaluate(await readFile(require.resolve('axe-core/axe.min.js'), 'utf8'));
  const { violations } = await page.evaluate<AxeResults>("axe.run(document, { resultTypes: ['violations'] })");
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, impact, nodes }) => ({ id, impact, targets: nodes.map(({ target }) => target.join(' ')) }));
};
