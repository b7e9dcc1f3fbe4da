import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Activity,
  CloudAdapter,
  ConfigurationBotFrameworkAuthentication,
  ConversationState,
  MemoryStorage,
  type TurnContext,
} from 'botbuilder';
import { DialogSet, DialogTurnStatus } from 'botbuilder-dialogs';
import { createBot } from '../../src/compose/create-bot.ts';
import type { AppId } from '../../src/contract/index.ts';
import { createDialogs, type GuestOptions, type GuestOutcome, type HostBot } from '../../src/guests/create-dialogs.ts';
import { makeLog } from '../../src/platform/log.ts';
import { type RunningService, startService } from '../../src/service/index.ts';
import { message } from '../support/activities.ts';
import { type Channel, openChannel } from '../support/channel.ts';
import type { Seen } from '../support/direct-line.ts';
import { until } from '../support/until.ts';

/** A bot that is not ours: it begins the app that a test names, and keeps what its dialog ends with. */
const openHost = (channel: Channel) => {
  const adapter = new CloudAdapter(new ConfigurationBotFrameworkAuthentication({}));
  const conversationState = new ConversationState(new MemoryStorage());
  const dialogs = new DialogSet(conversationState.createProperty('dialogs'));
  const outcomes: GuestOutcome[] = [];
  let wish: readonly [AppId, GuestOptions[AppId]] | undefined;
  const run = async (context: TurnContext) => {
    const dc = await dialogs.createContext(context);
    let { status, result } = await dc.continueDialog();
    if (status === DialogTurnStatus.empty && wish) {
      const [app, options] = wish;
      wish = undefined;
      ({ status, result } = await dc.beginDialog(app, options));
    }
    if (status === DialogTurnStatus.complete) outcomes.push(result as GuestOutcome);
    await conversationState.saveChanges(context);
  };
  const bot: HostBot = { adapter, appId: '', conversationState, resume: run };
  let said = 0;
  const say = (text: string, more: object = {}) => {
    said += 1;
    const activity = message({ id: `m${said}`, channelId: 'emulator', serviceUrl: channel.serviceUrl, text, ...more });
    return adapter.processActivityDirect('', activity as unknown as Activity, run);
  };
  return {
    bot,
    outcomes,
    add: (all: readonly Parameters<DialogSet['add']>[0][]) => {
      for (const dialog of all) dialogs.add(dialog);
    },
    say,
    begin: <Id extends AppId>(app: Id, options: GuestOptions[Id] = {}, more: object = {}) => {
      wish = [app, options];
      return say('go', more);
    },
    /** Forgets its dialogs, as a bot does that has been told to start over. */
    clear: () => {
      const activity = message({ id: 'clear', channelId: 'emulator', serviceUrl: channel.serviceUrl });
      return adapter.processActivityDirect('', activity as unknown as Activity, async (context) => {
        await conversationState.createProperty('dialogs').delete(context);
        await conversationState.saveChanges(context);
      });
    },
    /** Changes the stored dialogs, outermost first, as another version of this package would have written them. */
    rewrite: (change: (instance: Seen) => void) => {
      const activity = message({ id: 'rewrite', channelId: 'emulator', serviceUrl: channel.serviceUrl });
      const all = (state: Seen): Seen[] => (state?.dialogStack ?? []).flatMap((one: Seen) => [one, ...all(one.state?.dialogs)]);
      return adapter.processActivityDirect('', activity as unknown as Activity, async (context) => {
        for (const instance of all(await conversationState.createProperty('dialogs').get(context))) change(instance);
        await conversationState.saveChanges(context);
      });
    },
    hears: (words: RegExp) => until(() => channel.received.find(({ body }) => words.test(JSON.stringify(body ?? {}))), `${words}`, 30_000),
  };
};

describe('the apps in another program’s bot', function () {
  this.timeout(120_000);
  let folder: string;
  let service: RunningService;
  let channel: Channel;
  let host: ReturnType<typeof openHost>;
  let stop: () => Promise<void>;
  const log = makeLog('silent');
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-guest-'));
    mkdirSync(join(folder, 'service'));
    service = await startService({ port: 0, host: '127.0.0.1', dataDir: join(folder, 'service'), demo: true, log });
    channel = await openChannel();
    host = openHost(channel);
    stop = async () => {};
  });
  afterEach(async () => {
    await stop();
    await service.close();
    await channel.close();
    rmSync(folder, { recursive: true });
  });
  const options = () => ({
    service: { baseUrl: service.baseUrl, secretKey: service.secretKey, wsUrl: service.wsUrl },
    storage: { folder: join(folder, 'bot') },
    log,
  });
  const start = async () => {
    const apps = createDialogs({ ...host.bot, ...options() });
    host.add(Object.values(apps.dialogs));
    await apps.start();
    stop = apps.stop;
    return apps;
  };
  const customerRef = 'cust-0110-samira';
  const bill = { productId: 'energy-bill-november' };

  it('do not ask for the link of a page on the customer’s own phone either: the bot’s transcripts are not ours', async () => {
    await start();
    const number = '+12025550110';
    const texting = { channelId: 'sms', from: { id: number } };
    await host.begin('payments', { phoneNumber: number, customerRef, ...bill }, texting);
    await host.say('send', texting);
    const { requestId } = (await until(() => host.outcomes[0], 'the outcome', 30_000)) as { requestId?: string };
    const headers = { authorization: `Bearer ${service.secretKey}` };
    const trail = await (await fetch(`${service.baseUrl}/requests/${requestId}/audit`, { headers })).text();
    assert.match(trail, /request\.accepted/);
    assert.doesNotMatch(trail, /link\.returned/);
  });

  it('do not ask for given values, and end with the payment, whose full result can be read', async () => {
    const apps = await start();
    await host.begin('payments', { phoneNumber: '+12025550110', customerRef, ...bill });
    await host.hears(/on your phone/);
    await host.say('send');
    const outcome = await until(() => host.outcomes[0], 'the outcome', 30_000);
    assert.ok(outcome.status === 'success' && outcome.result?.app === 'payments', JSON.stringify(outcome));
    assert.deepEqual([outcome.app, outcome.customerRef, outcome.verified, outcome.result.amount], ['payments', customerRef, false, 128.4]);
    const whole = await apps.result(outcome.interactionId);
    assert.ok(whole?.app === 'payments' && whole.transactionId);
    assert.doesNotMatch(JSON.stringify(outcome), /transactionId|gateway/);
  });

  it('say that the customer is verified, once they are', async () => {
    await start();
    await host.begin('passkeys', { phoneNumber: '+12025550110', customerRef });
    await host.say('send');
    const outcome = await until(() => host.outcomes[0], 'the outcome', 30_000);
    assert.ok(outcome.status === 'success' && outcome.verified, JSON.stringify(outcome));
  });

  it('end with the failure, and with what the customer wanted then', async () => {
    await start();
    await host.begin('payments', { phoneNumber: '+12025550111', customerRef: 'cust-0111-tomas', ...bill });
    await host.say('send');
    await host.hears(/Payment not completed/);
    await until(() => channel.received.some(({ body }) => /Try again/.test(JSON.stringify(body))), 'the question', 20_000);
    await host.say('no');
    const outcome = await until(() => host.outcomes[0], 'the outcome');
    assert.ok(outcome.status === 'failure' && outcome.then === 'left', JSON.stringify(outcome));
  });

  it('end if the customer leaves before anything is sent', async () => {
    await start();
    await host.begin('payments', { phoneNumber: '+12025550110', customerRef, ...bill });
    await host.say('cancel');
    assert.deepEqual(host.outcomes, [{ status: 'left', app: 'payments', why: 'cancel' }]);
  });

  it('do not begin where others can read the chat', async () => {
    await start();
    await host.begin('payments', { phoneNumber: '+12025550110' }, { conversation: { id: 'group-1', isGroup: true } });
    assert.deepEqual(host.outcomes, [{ status: 'left', app: 'payments', why: 'shared' }]);
    assert.doesNotMatch(JSON.stringify(channel.received), /Samira/);
  });

  it('give every typed number the same answer', async () => {
    await start();
    await host.begin('passkeys');
    await host.say('+12025550110');
    await host.hears(/initials of your name/);
  });

  const anotherVersion = (instance: Seen) => {
    if (instance.version !== undefined) instance.version = '1';
    if (instance.state?.stepIndex !== undefined) instance.state.stepIndex += 1;
  };
  it('end with a sentence if another version of them asked the question', async () => {
    await start();
    await host.begin('payments', { phoneNumber: '+12025550110', customerRef, ...bill });
    await host.rewrite(anotherVersion);
    await host.say('send');
    await host.hears(/updated in the meantime/);
    assert.deepEqual(host.outcomes, [{ status: 'left', app: 'payments', why: 'menu' }]);
  });

  it('end with a sentence if what is stored cannot be used', async () => {
    await start();
    await host.begin('payments', { phoneNumber: '+12025550110', customerRef, ...bill });
    await host.rewrite((instance) => {
      if (instance.state?.stepIndex !== undefined) delete instance.state.values;
    });
    await host.say('send');
    await host.hears(/updated in the meantime/);
    assert.deepEqual(host.outcomes, [{ status: 'left', app: 'payments', why: 'menu' }]);
  });

  it('still wait for what another version of them sent', async () => {
    await start();
    await host.begin('payments', { phoneNumber: '+12025550110', customerRef, ...bill });
    await host.say('send');
    await host.rewrite(anotherVersion);
    const outcome = await until(() => host.outcomes[0], 'the outcome', 30_000);
    assert.equal(outcome.status, 'success', JSON.stringify(outcome));
    assert.equal(channel.received.filter(({ body }) => /Payment received|Paid/.test(JSON.stringify(body))).length, 1);
  });

  it('deliver an outcome once that no dialog waits for any more', async () => {
    await start();
    await host.begin('payments', { phoneNumber: '+12025550110', customerRef, ...bill });
    await host.say('send');
    await host.clear();
    await host.hears(/Payment received/);
    assert.equal(
      channel.received.filter(({ body }) => body?.type === 'message' && /Payment received/.test(JSON.stringify(body))).length,
      1,
    );
    assert.deepEqual(host.outcomes, []);
  });

  it('use the connection of a bot that this program runs', async () => {
    const bot = createBot(options());
    host.add(Object.values(bot.dialogs(host.bot)));
    await bot.start();
    stop = bot.stop;
    await host.begin('payments', { phoneNumber: '+12025550110', customerRef, ...bill });
    await host.say('send');
    const outcome = await until(() => host.outcomes[0], 'the outcome', 30_000);
    assert.equal(outcome.status, 'success');
  });
});
