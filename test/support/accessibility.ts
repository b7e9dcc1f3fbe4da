// Accessibility checks with axe.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The rules and best practices that a page breaks, with their places. */
export const violationsOf = async (page: Page): Promise<string[]> => {
  await page.evaluate(axe);
  // What fades in, even while axe is reading, has the contrast of its last moment.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.evaluate(async () => {
    const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY);
    await Promise.allSettled(ending.map(({ finished }) => finished));
  });
  const found = await page.evaluate(async () => {
    // biome-ignore lint/suspicious/noExplicitAny: axe comes as a script
    const { axe } = window as any;
    // Our pages have no icon font. Axe takes connected Arabic letters for one, and does not read them.
    axe.configure({ checks: [{ id: 'label-content-name-mismatch', options: { pixelThreshold: 1, occurrenceThreshold: 3 } }] });
    const { violations } = await axe.run();
    return (violations as { id: string; nodes: { target: string[] }[] }[]).map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
    );
  });
  await page.emulateMedia({ reducedMotion: null });
  return found;
};
