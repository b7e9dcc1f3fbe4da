// A real browser, from npm alone.
import chromiumFile from '@sparticuz/chromium';
import { type Browser, chromium } from 'playwright-core';

// Not the package's own arguments: they switch web security off.
const args = [
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts it; whoever does closes it. */
export const startChromium = async (): Promise<Browser> =>
  chromium.launch({
    executablePath: await chromiumFile.executablePath(),
    headless: true,
    // As root Chromium has no sandbox to start.
    args: process.getuid?.() === 0 ? [...args, '--no-sandbox'] : args,
  });
