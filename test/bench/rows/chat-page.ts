// What a customer waits for on a slow phone: the chat page, beside a page of Web Chat's own bundle and nothing else.
import type { Browser, CDPSession } from 'playwright-core';
import { pageBot, startPage } from '../../support/chat-page.ts';
import { startChromium } from '../../support/chromium.ts';
import type { Bench, Line } from '../line.ts';
import { median } from '../numbers.ts';
import { addStockPage } from '../peers/stock-page.ts';

/** A phone on a slow network, as Lighthouse has it by default (github.com/GoogleChrome/lighthouse, "Throttling"). */
const network = { offline: false, latency: 150, downloadThroughput: (1.6 * 1024 * 1024) / 8, uploadThroughput: (750 * 1024) / 8 };
const slower = 4;

/** One visit of a browser that was never here: kilobytes received, milliseconds until something and until the greeting is seen, CPU. */
const visit = async (browser: Browser, url: string) => {
  const context = await browser.newContext({ locale: 'en-US', viewport: { width: 390, height: 844 } });
  try {
    const page = await context.newPage();
    const session: CDPSession = await context.newCDPSession(page);
    let received = 0;
    session.on('Network.loadingFinished', ({ encodedDataLength }) => {
      received += encodedDataLength;
    });
    await session.send('Network.enable');
    await session.send('Performance.enable');
    await session.send('Network.emulateNetworkConditions', network);
    await session.send('Emulation.setCPUThrottlingRate', { rate: slower });
    await page.goto(url, { waitUntil: 'commit' });
    const greeted = await page.waitForFunction(
      () => {
        const said = [...document.querySelectorAll('.webchat__bubble__content')].some(({ textContent }) => textContent?.includes('Hello'));
        return said && document.querySelector('[data-id="webchat-sendbox-input"]') && performance.now();
      },
      undefined,
      { timeout: 60_000 },
    );
    const ready = Number(await greeted.jsonValue());
    const first = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN);
    const { metrics } = await session.send('Performance.getMetrics');
    const cpu = (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1000;
    return { received: received / 1024, first, ready, cpu };
  } finally {
    await context.close();
  }
};

type Visit = Awaited<ReturnType<typeof visit>>;

export const chatPage: Bench = async ({ rounds, say }) => {
  const site = await startPage({ bot: pageBot, more: addStockPage });
  const browser = await startChromium();
  const visits: { floor: Visit; ours: Visit }[] = [];
  try {
    // Compressed once, which is nobody's wait.
    for (const path of ['stock', '']) await visit(browser, site.url + path);
    for (let round = 1; round <= rounds; round += 1) {
      visits.push({ floor: await visit(browser, `${site.url}stock`), ours: await visit(browser, site.url) });
      say(`visited ${round} of ${rounds} times`);
    }
  } finally {
    await browser.close();
    await site.close();
  }
  const line = (what: string, unit: string, of: keyof Visit, most?: number): Line => ({
    ...{ what, unit, floor: median(visits.map(({ floor }) => floor[of])), ours: median(visits.map(({ ours }) => ours[of])) },
    ...(most !== undefined && { reach: { most } }),
  });
  return [
    line('a first visit at 1.6 Mb/s, 150 ms, 4 × slower CPU: received, against Web Chat alone', 'KB', 'received'),
    line('until something is seen', 'ms', 'first', 1000),
    line('until the greeting is seen and can be answered', 'ms', 'ready', 5000),
    line('CPU of the page until then, as slowed', 'ms', 'cpu'),
  ];
};
