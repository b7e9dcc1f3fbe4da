import assert from 'node:assert/strict';
import { begin, menuAgain } from '../support/chat-screen.ts';
import { openWorkshop, type Running, type Workshop } from '../support/process.ts';
import { payInSandbox } from '../support/sandbox-page.ts';
import { useScreens } from '../support/screens.ts';

describe('the bot, away while a customer is paying', function () {
  this.timeout(120_000);
  const sit = useScreens();
  let workshop: Workshop;
  let settings: Record<string, string>;
  let bot: Running;
  let chatUrl: string;
  let outboxUrl: string;
  before(async () => {
    workshop = openWorkshop();
    settings = { ...(await workshop.settings()), AGENT_CONTACT: '0800 555 0147' };
    outboxUrl = (await workshop.start(['service'], settings).addresses('service')).outbox ?? '';
    bot = await startBot();
  });
  after(() => workshop.close());

  const startBot = async () => {
    const running = workshop.start(['bot'], settings);
    chatUrl = (await running.addresses('bot endpoint')).chat ?? '';
    return running;
  };
  const pay = async () => {
    const customer = await sit({ chatUrl, outboxUrl });
    const { chat } = customer;
    await begin(chat, 'Pay a bill');
    await chat.sees(/What would you like to pay for\?/);
    await chat.press('Charging pass');
    await chat.sees(/Waiting to be opened/);
    return customer;
  };

  const ends = [
    ['killed', 'SIGKILL', null],
    ['stopped', 'SIGTERM', 0],
  ] as const;
  for (const [how, signal, expected] of ends) {
    it(`shows the outcome in the open chat once it runs again, after it was ${how}`, async () => {
      const { chat, phone } = await pay();
      const device = await phone.openLink();
      await chat.sees(/Waiting for you to start/);

      const since = performance.now();
      const tried = chat.page.waitForEvent('requestfailed', (request) => /watermark=/.test(request.url()));
      assert.equal((await bot.stop(signal)).code, expected);
      assert.ok(performance.now() - since < 10_000, 'it took longer than 10 s');
      assert.equal(bot.stderr(), '');
      await device.getByRole('button', { name: 'Pay €59.90' }).tap();
      await payInSandbox(device);
      await device.getByRole('heading', { name: /^You paid / }).waitFor();
      // Away for long enough that the page has tried in vain.
      await tried;
      bot = await startBot();

      const back = performance.now();
      const receipt = await chat.sees(/Payment received/);
      assert.match(receipt, /€59\.90\n[\s\S]*Your receipt is on the payment page on your phone/);
      assert.ok(performance.now() - back < 15_000, 'the page took longer than 15 s to notice');
      await menuAgain(chat);
      await chat.progress('✓ Sent to your phone', '✓ Opened', '✓ Started', '✓ Completed');
      // What would come a second time would come before the answer to something said later, and would still be there
      // after a reload.
      await chat.say('did it work?');
      await chat.sees(/was completed\./);
      assert.equal((await chat.showing(/Payment received/)).length, 1);
      await chat.page.reload();
      await chat.sees(/was completed\./);
      assert.equal((await chat.showing(/Payment received/)).length, 1);
      assert.equal((await chat.showing(/^Payments\s+Paid \d/)).length, 1);
    });
  }
});
