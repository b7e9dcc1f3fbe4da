// A real browser, from npm alone.
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import chromiumFile from '@sparticuz/chromium';
import { type Browser, chromium } from 'playwright-core';
import { lastingFolder, wholeFastTier } from './tier.ts';

// Not the package's own arguments: they disable web security.
const args = [
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts it, with further arguments if there are any. The caller must close it. */
export const startChromium = async (further: readonly string[] = []): Promise<Browser> => {
  if (wholeFastTier) throw new Error('The fast tier has no browser: its tests stand in test/tiers.ts.');
  return chromium.launch({
    executablePath: join(await unpacked(), 'chromium'),
    headless: true,
    // As root, Chromium cannot start its sandbox.
    args: [...args, ...further, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  });
};

/**
 * The folder of the unpacked browser. The package unpacks into the shared temporary folder, where a second process
 * could run a half-written file, and a newer package an older browser. So it is unpacked elsewhere and moved to a
 * folder for this version.
 */
const unpacked = async () => {
  // The package only finds its entry one folder down.
  const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium');
  const { version } = JSON.parse(await readFile(join(entry, '../../package.json'), 'utf8'));
  const home = join(lastingFolder(), `countersign-chromium-${version}`);
  if (existsSync(home)) return home;
  const draft = await mkdtemp(`${home}-`);
  const before = process.env.TMPDIR;
  process.env.TMPDIR = draft;
  try {
    await chromiumFile.executablePath();
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
  await rename(draft, home).catch(() => rm(draft, { recursive: true }));
  return home;
};
