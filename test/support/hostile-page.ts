// A browser's report about a page with texts of strangers: whether any of them ran, and how they read.
import type { Page } from 'playwright-core';
import type { TestBrowser } from './browser.ts';

export interface HostilePage {
  readonly page: Page;
  /** Scripts that ran, dialogs, violated policies, and requests to elsewhere. */
  readonly harm: readonly string[];
  close(): Promise<void>;
}

type Options = Parameters<TestBrowser['page']>[0];

/** Opens a page without access to the outside. Attempts are recorded. */
export const openHostilePage = async (browser: TestBrowser, options: Options = {}): Promise<HostilePage> => {
  const { page, context, complaints } = await browser.page(options);
  const harm: string[] = [];
  await page.exposeFunction('canary', () => void harm.push('a script ran'));
  page.on('dialog', (dialog) => {
    harm.push('a dialog opened');
    void dialog.dismiss();
  });
  page.on('popup', () => void harm.push('a window opened'));
  page.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url());
    const own = ['data:', 'blob:', 'about:'].includes(protocol) || ['localhost', '127.0.0.1'].includes(hostname);
    if (!own) harm.push(`a request left for ${hostname}`);
  });
  return {
    page,
    get harm() {
      return [...harm, ...complaints];
    },
    close: () => context.close(),
  };
};

/** Its elements in order with the names of their attributes. Line breaks are left out, since texts may contain some. */
export const skeletonOf = (page: Page, within = 'html'): Promise<readonly string[]> =>
  page.evaluate((selector) => {
    const root = document.querySelector(selector) ?? document.documentElement;
    return [root, ...root.querySelectorAll(':not(br)')].map((element) => {
      const names = [...element.attributes].map(({ name }) => name).sort();
      return `${element.localName} ${names.join(' ')}`;
    });
  }, within);

/** Targets of the page's links and forms outside its own address. */
export const waysOut = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('[href], [action], [formaction], [src]')].flatMap((element) =>
      ['href', 'action', 'formaction', 'src', 'xlink:href'].flatMap((name) => {
        const value = element.getAttribute(name);
        const url = value === null ? null : URL.parse(value, location.href);
        const own = url === null || url.origin === location.origin || url.protocol === 'data:' || url.hostname === 'localhost';
        return own ? [] : [`${element.localName} ${name}=${value}`];
      }),
    ),
  );

/** All text of the page, including readable attributes and fields, normalised by {@link asRead}. */
export const readingOf = async (page: Page): Promise<string> => {
  const found = await page.evaluate(() => {
    const attributes = ['placeholder', 'aria-label', 'alt', 'title', 'value'];
    const parts = [...document.querySelectorAll<HTMLElement>('*')].flatMap((element) => [
      ...attributes.flatMap((name) => element.getAttribute(name) ?? []),
      ...('value' in element ? [String(element.value)] : []),
    ]);
    let text = '';
    const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    while (nodes.nextNode()) text += nodes.currentNode.nodeName === 'BR' ? '\n' : (nodes.currentNode.nodeValue ?? '');
    return [text, ...parts].join('\n');
  });
  return asRead(found);
};

/**
 * A text as people read it: white space as in HTML, and without the zero-width characters that break up host functions.
 */
export const asRead = (text: string) =>
  text.toWellFormed().replaceAll('\u0000', '\ufffd').replaceAll('\u200b', '').replace(/\s+/g, ' ').trim();
