import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { begin, menuAgain } from '../support/chat-screen.ts';
import { freePorts, type Process, startProcess } from '../support/processes.ts';
import { payInSandbox } from '../support/sandbox-page.ts';
import { useScreens } from '../support/screens.ts';

describe('the bot, away while a customer is paying', function () {
  this.timeout(120_000);
  const sit = useScreens();
  let dataDir: string;
  let settings: Record<string, string>;
  let service: Process;
  let bot: Process;
  before(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'countersign-'));
    const [port, servicePort] = await freePorts(2);
    settings = { DATA_DIR: dataDir, PORT: String(port), SERVICE_PORT: String(servicePort) };
    service = await startProcess('service', settings);
    bot = await startProcess('bot', settings);
  });
  after(async () => {
    await bot?.end('SIGTERM');
    await service?.end('SIGTERM');
    rmSync(dataDir, { recursive: true });
  });

  const pay = async () => {
    const customer = await sit({ chatUrl: bot.addresses.chat ?? '', outboxUrl: service.addresses.outbox ?? '' });
    const { chat } = customer;
    await begin(chat, 'Payments');
    await chat.sees(/What would you like to pay for\?/);
    await chat.press('Charging pass');
    await chat.sees(/Send this payment request\?/);
    await chat.press('Send');
    await chat.sees(/Waiting to be opened/);
    return customer;
  };

  const ends = [
    ['killed', 'SIGKILL', null],
    ['stopped', 'SIGTERM', 0],
  ] as const;
  for (const [how, signal, expected] of ends) {
    it(`brings the outcome into the open chat once it runs again, after it was ${how}`, async () => {
      const { chat, phone } = await pay();
      const device = await phone.openLink();
      await chat.sees(/Waiting for you to start/);

      const { code, milliseconds, errors } = await bot.end(signal);
      assert.equal(code, expected);
      assert.equal(errors, '');
      assert.ok(milliseconds < 10_000, `it took ${milliseconds} ms`);
      await device.getByRole('button', { name: 'Pay €59.90' }).tap();
      await payInSandbox(device);
      await device.getByRole('heading', { name: 'Done' }).waitFor();
      bot = await startProcess('bot', settings);

      const receipt = await chat.sees(/Payment received/);
      assert.match(receipt, /€59\.90\n[\s\S]*Transaction\s+sandbox-[0-9A-Z]{26}\n/);
      await menuAgain(chat);
      await chat.progress('✓ Sent to your phone', '✓ Opened', '✓ Started', '✓ Completed');
      // What would come a second time would come before the answer to something said later, and would still be there after a reload.
      await chat.say('help');
      await chat.sees(/I did not understand that\./);
      assert.equal((await chat.showing(/Payment received/)).length, 1);
      await chat.page.reload();
      await chat.sees(/I did not understand that\./);
      assert.equal((await chat.showing(/Payment received/)).length, 1);
      assert.equal((await chat.showing(/This request is over/)).length, 1);
    });
  }
});
