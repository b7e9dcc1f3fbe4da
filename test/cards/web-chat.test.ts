import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { heading, paragraph } from '../../cards/elements.ts';
import { message } from '../../cards/message.ts';
import { oneLine } from '../../cards/plain.ts';
import { chatLanguages, makeTexts } from '../../dialogs/language/texts.ts';
import { cardSamples } from '../../src/gallery/samples.ts';
import { prepareWebChat, showCards } from '../support/card-gallery.ts';
import { startChromium } from '../support/chromium.ts';
import { hostileStrings } from '../support/hostile.ts';
import { payloads } from '../support/payloads.ts';

const fileOf = (path: string) => fileURLToPath(new URL(`../../node_modules/${path}`, import.meta.url));

describe('cards in a real browser', function () {
  this.timeout(120_000);
  let browser: Browser;
  let page: Page;
  before(async () => {
    browser = await startChromium();
    page = await browser.newPage({ viewport: { width: 390, height: 800 } });
    await prepareWebChat(page);
  });
  after(() => browser?.close());

  it('are accepted by the Adaptive Cards parser without a complaint, at the version they ask for', async () => {
    await page.addScriptTag({ path: fileOf('adaptivecards/dist/adaptivecards.min.js') });
    for (const language of chatLanguages) {
      const samples = cardSamples(makeTexts(language)).map(({ name, message: { card } }) => ({ name, card }));
      const complaints = await page.evaluate((samples) => {
        // biome-ignore lint/suspicious/noExplicitAny: comes as a script
        const { AdaptiveCard, SerializationContext, Version } = (window as any).AdaptiveCards;
        return samples.flatMap(({ name, card }) => {
          const [major, minor] = card.version.split('.').map(Number);
          const context = new SerializationContext(new Version(major, minor));
          const parsed = new AdaptiveCard();
          parsed.parse(card, context);
          const events = Array.from({ length: context.eventCount }, (_, index) => String(context.getEventAt(index).message));
          const { validationEvents } = parsed.validateProperties();
          return [...events, ...validationEvents.map((event: { message: string }) => event.message)].map((text) => `${name}: ${text}`);
        });
      }, samples);
      // Headings have a rank since 1.5; hosts before that show them as plain text.
      assert.deepEqual(
        complaints.filter((complaint) => !/Property "style" is supported in version 1\.5/i.test(complaint)),
        [],
      );
    }
  });

  for (const language of chatLanguages) {
    it(`are shown by Web Chat in ${language}, on a phone, without overflowing and for everyone`, async () => {
      const samples = cardSamples(makeTexts(language));
      await showCards(
        page,
        samples.map(({ message: { card } }) => card),
        language,
      );
      const cards = page.locator('.ac-adaptiveCard');
      const texts = await cards.allInnerTexts();
      samples.forEach(({ name, message: { card } }, index) => {
        for (const action of card.actions ?? []) assert.ok(texts[index]?.includes(action.title), `${name} shows ${action.title}`);
      });
      const tooWide = await cards.evaluateAll(
        (elements) => elements.filter((element) => element.scrollWidth > element.clientWidth + 1).length,
      );
      assert.equal(tooWide, 0);

      await page.evaluate(readFileSync(fileOf('axe-core/axe.min.js'), 'utf8'));
      const violations = await page.evaluate(async () => {
        // biome-ignore lint/suspicious/noExplicitAny: comes as a script
        const { violations } = await (window as any).axe.run({ include: [['.ac-adaptiveCard']] });
        return violations
          .filter(({ impact }: { impact: string }) => impact === 'serious' || impact === 'critical')
          .map(({ id, nodes }: { id: string; nodes: { html: string }[] }) => `${id}: ${nodes.length} × ${nodes[0]?.html.slice(0, 300)}`);
      });
      assert.deepEqual(violations, []);
    });
  }

  it('show untrusted text as it is, in headings and elsewhere', async () => {
    const t = makeTexts('en');
    const texts = [...hostileStrings, ...payloads.map(({ text }) => text)].map((text) => oneLine(text));
    await showCards(
      page,
      texts.map((text) => message({ kind: 'notice', shown: () => ({}), body: [heading(text), paragraph(text)], lines: [text] }, t).card),
    );
    const shown = await page.locator('.ac-adaptiveCard').evaluateAll((cards) =>
      cards.map((card) => ({
        heading: card.querySelector('.ac-textBlock')?.textContent ?? '',
        paragraph: card.querySelector('.ac-richTextBlock')?.textContent ?? '',
        active: [
          ...card.querySelectorAll(
            'a, img, svg, script, b, strong, em, i, s, del, code, pre, ul, ol, table, blockquote, hr, h1, h3, h4, h5, h6',
          ),
        ].map((element) => element.outerHTML),
      })),
    );
    // Web Chat's markdown also sets quotation marks and dashes as printers do, and three marks where there are more.
    const typed = (text: string) =>
      text
        .trim()
        .replace(/[“”]/g, '"')
        .replace(/[‘’]/g, "'")
        .replaceAll('\u200B', '')
        .replaceAll('—', '---')
        .replaceAll('–', '--')
        .replace(/([!?])\1{3,}/g, '$1$1$1');
    shown.forEach(({ heading, paragraph, active }, index) => {
      assert.deepEqual(active, [], texts[index]);
      assert.equal(typed(paragraph), typed(texts[index] ?? ''));
      assert.equal(typed(heading), typed(texts[index] ?? ''));
    });
  });
});
