// A real browser, from npm alone.
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import chromiumFile from '@sparticuz/chromium';
import { type Browser, chromium } from 'playwright-core';
import { wholeFastTier } from './tier.ts';

// Not the package's own arguments: they switch web security off.
const args = [
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts it; whoever does closes it. */
export const startChromium = async (): Promise<Browser> => {
  if (wholeFastTier) throw new Error('The fast tier has no browser: its tests stand in test/tiers.ts.');
  return chromium.launch({
    executablePath: join(await unpacked(), 'chromium'),
    headless: true,
    // As root Chromium has no sandbox to start.
    args: process.getuid?.() === 0 ? [...args, '--no-sandbox'] : args,
  });
};

/**
 * Where it lies. The package unpacks into the temporary folder as it is, where a second process would run half a file
 * and a newer package an older browser: so it is unpacked aside and moved to a place of this version's.
 */
const unpacked = async () => {
  // The package opens only its entry, which lies one folder down.
  const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium');
  const { version } = JSON.parse(await readFile(join(entry, '../../package.json'), 'utf8'));
  const home = join(tmpdir(), `countersign-chromium-${version}`);
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
