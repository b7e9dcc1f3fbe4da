import assert from 'node:assert/strict';
import { begin } from '../support/chat-screen.ts';
import { useScreens } from '../support/screens.ts';
import { startWhole, type Whole } from '../support/whole.ts';

describe('a chat page that cannot reach the bot', function () {
  this.timeout(120_000);
  const sit = useScreens();
  let whole: Whole;
  beforeEach(async () => {
    whole = await startWhole();
  });
  afterEach(() => whole.close());

  it('says that messages were not sent, and sends each once, in their order, when it can', async () => {
    const { chat } = await sit(whole.addresses());
    await whole.stopBot();
    await chat.say('I want to pay my bill');
    await chat.say('(202) 555-0102');
    const retry = chat.page.getByRole('button', { name: 'Retry' });
    await retry.first().waitFor({ timeout: 30_000 });
    await whole.startBot();
    await retry.first().waitFor({ state: 'detached' });
    assert.equal((await chat.showing(/I want to pay my bill/)).length, 1);
    await chat.page.reload();
    await chat.sees(/What is your phone number\?/);
    assert.equal((await chat.showing(/I want to pay my bill/)).length, 1);
    assert.equal((await chat.showing(/What is your phone number\?/)).length, 1);
    assert.equal((await chat.showing(/\(202\) 555-0102/)).length, 1);
  });

  it('sends a message once that arrived and whose answer was lost', async () => {
    const { chat } = await sit(whole.addresses(), { forgives: /status of 400|Failed to post activity/ });
    await begin(chat, 'Pay a bill', '+12025550113');
    await chat.sees(/What would you like to pay for\?/);
    await chat.say('the router, please');
    await chat.sees(/Pay \S+ on your phone/);
    let lost = 0;
    await chat.page.context().route(/\/activities$/, async (route) => {
      if (lost > 0) return route.continue();
      lost += 1;
      await route.fetch();
      // Refused in the bot's name, which the page is told at once.
      return route.fulfill({ status: 400, body: '{}' });
    });
    await chat.say('send');
    await chat.sees(/Waiting for your payment/);
    assert.equal(lost, 1);
    const retry = chat.page.getByRole('button', { name: 'Retry' });
    await retry.click();
    await retry.waitFor({ state: 'detached' });
    await chat.say('status');
    await chat.sees(/has not been opened yet/);
    assert.equal((await chat.showing(/Waiting for your payment/)).length, 1);
    assert.equal((await chat.showing(/^send$/)).length, 1);
    assert.equal(whole.proxy.count(/POST .*\/send/), 1);
  });

  it('says that the chat cannot be reached, and opens automatically once it can', async () => {
    const { chat } = await sit(whole.addresses());
    await chat.page.route(/\/chat\/token$/, (route) => route.abort());
    await chat.page.evaluate(() => sessionStorage.clear());
    await chat.page.reload();
    await chat.page.getByText('The chat cannot be reached. We keep trying.').waitFor();
    await chat.page.unroute(/\/chat\/token$/);
    await chat.sees(/How can I help you\?/);
  });
});
