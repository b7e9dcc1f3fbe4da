// The customer's own device: the newest message that reached it, and the page behind its link.
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

/** Opens the link, and answers its page: `accept` with what is filled in, or `decline`. */
export const answer = async (
  whole: Pick<Whole, 'service'>,
  link: string,
  decision: 'accept' | 'decline',
  fields: Readonly<Record<string, string>> = {},
): Promise<void> => {
  const address = `${whole.service.baseUrl}${link}`;
  assert.equal((await fetch(address)).status, 200);
  assert.equal((await fetch(`${address}/opened`, { method: 'POST' })).status, 204);
  const response = await fetch(address, { method: 'POST', body: new URLSearchParams({ ...fields, decision }) });
  assert.equal(response.status, 200, await response.text());
};
