// The desk in a browser, beside a supervisor who is there already.
import type { BrowserContextOptions } from 'playwright-core';
import type { TestBrowser, TestPage } from './browser.ts';
import { signInAtDesk } from './desk.ts';
import type { World } from './hubs.ts';
import { until } from './until.ts';

/** The customer of this number tries to be verified by a passkey, and then asks for a person. */
export const askedAfterPasskey = async ({ talk }: World, phoneNumber: string, status: 'failure' | 'success'): Promise<void> => {
  for (const words of ['hello', 'passkeys', phoneNumber, 'yes']) await talk.say(words);
  await until(() => talk.replies().some(({ channelData }) => channelData?.interaction?.status === status), 'the outcome');
  await talk.say('agent');
};

/** Signs a colleague in by an invitation of the supervisor's; the result opens the desk for them in the browser. */
export const inviteColleague = async (
  world: World,
): Promise<(browser: TestBrowser, options: BrowserContextOptions) => Promise<TestPage>> => {
  const base = `http://localhost:${world.whole.bot().port}`;
  const { value: link } = await world.desk().ask({ type: 'invite' });
  const cookie = await signInAtDesk(new URL(String(link), base).href, { id: 'noa@example.com', name: 'Noa Berg' });
  const [name = '', value = ''] = cookie.split('=');
  return async (browser, options) => {
    const opened = await browser.page(options);
    await opened.context.addCookies([{ name, value, domain: 'localhost', path: '/desk' }]);
    await opened.page.goto(`${base}/desk`);
    return opened;
  };
};
