// The customer's own device: the newest message on it, and the page behind its link.
import assert from 'node:assert/strict';
import { fetch } from 'undici';
import { until } from './until.ts';
import type { Whole } from './whole.ts';

const outbox = async ({ service }: Pick<Whole, 'service'>) => (await fetch(`${service.baseUrl}/outbox/messages`)).text();

/** The link in the newest message. */
export const newestLink = (whole: Pick<Whole, 'service'>) =>
  until(async () => /href="[^"]*(\/r\/[A-Za-z0-9_-]+)"/.exec(await outbox(whole))?.[1], 'a link on the device');

/** The passcode in the newest message. */
export const newestCode = (whole: Pick<Whole, 'service'>) =>
  until(async () => /\b(\d{6})\b/.exec(await outbox(whole))?.[1], 'a passcode on the device');

/** The data that a page's form posts without input. */
export const hiddenFields = (page: string): Record<string, string> =>
  Object.fromEntries(
    [...page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)].map(([, name = '', value = '']) => [name, value]),
  );

/** Where a page redirects by itself, without its origin. */
export const onwardPath = (page: string): string | undefined => {
  const address = /http-equiv="refresh" content="0;url=([^"]+)"/.exec(page)?.[1];
  return address && new URL(address).pathname;
};

/** Opens the link and answers its page: `accept` with the input, paying with a valid card, or `decline`. */
export const answer = async (
  whole: Pick<Whole, 'service'>,
  link: string,
  decision: 'accept' | 'decline',
  fields: Readonly<Record<string, string>> = {},
): Promise<void> => {
  const address = `${whole.service.baseUrl}${link}`;
  const page = await fetch(address);
  assert.equal(page.status, 200);
  assert.equal((await fetch(`${address}/opened`, { method: 'POST' })).status, 204);
  const hidden = hiddenFields(await page.text());
  const response = await fetch(address, { method: 'POST', body: new URLSearchParams({ ...hidden, ...fields, decision }) });
  const text = await response.text();
  assert.equal(response.status, 200, text);
  const onward = onwardPath(text);
  if (onward === undefined) return;
  const card = new URLSearchParams({ card: 'approved' });
  const paid = await fetch(`${whole.service.baseUrl}${onward}`, { method: 'POST', body: card, redirect: 'manual' });
  // Back to the page, at the service itself: its public address need not lead anywhere here.
  const { pathname, search } = new URL(paid.headers.get('location') ?? '', whole.service.baseUrl);
  assert.equal(paid.status, 303, await paid.text());
  const back = await fetch(`${whole.service.baseUrl}${pathname}${search}`);
  assert.equal(back.status, 200, await back.text());
};
