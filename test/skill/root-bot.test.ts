import assert from 'node:assert/strict';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { MemoryStorage } from 'botbuilder';
import { type Authority, openAuthority } from '../support/authority.ts';
import { type Channel, openChannel } from '../support/channel.ts';
import type { Seen } from '../support/direct-line.ts';
import { rewriteChats } from '../support/other-version.ts';
import { hostsHere, openRoot, type RootBot, type RootOptions, SignedBy } from '../support/root-bot.ts';
import { until } from '../support/until.ts';
import { startWhole, type Whole } from '../support/whole.ts';

const skillId = '8a4b1c50-0000-4000-8000-000000000001';
const rootId = '8a4b1c50-0000-4000-8000-00000000000a';
const strangerId = '8a4b1c50-0000-4000-8000-00000000000b';
const host = 'root.example.com';

describe('run as a skill by a root bot', function () {
  this.timeout(120_000);
  let authority: Authority;
  let channel: Channel;
  let whole: Whole;
  let storage: MemoryStorage;
  let users = 0;
  let user: string;
  let ports: Record<string, number>;
  const open: RootBot[] = [];
  /** The payments that were asked for. */
  const sent: string[] = [];

  before(async () => {
    authority = await openAuthority();
    ports = {};
    whole = await startWhole({
      settings: {
        MicrosoftAppId: skillId,
        MicrosoftAppPassword: 'hunter2',
        TRUSTED_PROXIES: '0',
        PUBLIC_URL: 'https://chat.example.com',
        SKILL_CALLERS: `${rootId}@${host}`,
      },
      around: {
        client: (client) => {
          const { payments } = client.apps;
          const send: typeof payments.send = async (...call) => {
            const answer = await payments.send(...call);
            sent.push(answer.requestId);
            return answer;
          };
          return { ...client, apps: { ...client.apps, payments: { ...payments, send } } };
        },
      },
      channels: () => ({
        authority: { metadataUrl: authority.metadataUrl },
        skillAuthority: { metadataUrl: authority.metadataUrl },
        credentials: new SignedBy(authority, skillId),
        connections: hostsHere(() => ports),
      }),
    });
  });
  after(async () => {
    await whole.close();
    await authority.close();
  });
  beforeEach(async () => {
    channel = await openChannel();
    storage = new MemoryStorage();
    users += 1;
    user = `user-${users}`;
  });
  afterEach(async () => {
    for (const root of open.splice(0)) await root.close();
    await channel.close();
  });

  const start = async (more: Partial<RootOptions> = {}): Promise<RootBot> => {
    const skill = { appId: skillId, port: whole.bot().port };
    const root = await openRoot({ authority, appId: rootId, host, storage, channel, skill, user, ...more });
    ports[more.host ?? host] = root.port;
    open.push(root);
    return root;
  };
  const pays = async (root: RootBot, phoneNumber: string) => {
    await root.begin(event('payments', { phoneNumber, productId: 'energy-bill-november' }));
    await root.sees(/\S••• \S\.[\s\S]*Electricity and gas/);
    await root.say('yes');
  };
  /** The manifest, as root bots find it, holds what they are told. */
  const isAsPromised = async (action: string, end: Seen) => {
    const answer = await fetch(`http://127.0.0.1:${whole.bot().port}/manifests/skill.json`);
    const { activities } = (await answer.json()) as Seen;
    const ajv = new Ajv({ strict: false });
    (addFormats as unknown as (ajv: Ajv) => void)(ajv);
    const { properties } = activities[action].resultValue;
    assert.ok(ajv.validate(activities[action].resultValue as object, end), ajv.errorsText());
    assert.deepEqual(
      Object.keys(end as object).filter((name) => !(name in properties)),
      [],
    );
  };
  const event = (name: string, value?: unknown) => ({ type: 'event', name, value });

  it('begins an app with its inputs, and reports its typed outcome to the root bot', async () => {
    const root = await start();
    await pays(root, '+12025550110');
    await isAsPromised('payments', await root.ended());
    const { requestId, interactionId, customerRef, ...end } = await root.ended();
    assert.deepEqual(end, {
      app: 'payments',
      status: 'success',
      verified: false,
      product: 'Electricity and gas, November',
      productId: 'energy-bill-november',
      quantity: 1,
      amount: 128.4,
      currency: 'USD',
    });
    assert.match(requestId, /^[0-9A-Z]{26}$/);
    assert.match(interactionId, /^[0-9A-Z]{26}$/);
    assert.ok(customerRef);
    assert.deepEqual(root.faults, []);
    // One greeting there is: the root bot's.
    assert.ok(!channel.received.some(({ body }) => /How can I help you/.test(JSON.stringify(body))));
  });

  it('reports a failure as the end, and asks nothing more', async () => {
    const root = await start();
    await pays(root, '+12025550111');
    const { app, status } = await root.ended();
    assert.deepEqual([app, status], ['payments', 'failure']);
    await root.sees(/./);
    assert.ok(!channel.received.some(({ body }) => /try again/i.test(JSON.stringify(body))));
  });

  it('runs a flow with its inputs, and answers with its outputs', async () => {
    const root = await start();
    await root.begin(event('settle-bill', { phoneNumber: '+12025550110', product: 'energy-bill-november' }));
    // Whatever is asked, its first answer.
    for (let asked = 0; root.results.length === 0; asked += 1) {
      await until(() => root.results.length > 0 || root.asks(), `an answer after ${asked} questions`, 30_000);
      if (root.results.length === 0) await root.say('1');
    }
    await isAsPromised('settle-bill', await root.ended());
    assert.deepEqual(await root.ended(), { flow: 'settle-bill', paid: 128.4, currency: 'USD', status: 'success' });
  });

  it('withdraws what was sent when the root bot ends it, and says nothing more', async () => {
    const root = await start();
    await pays(root, '+12025550113');
    await root.sees(/on its way|sent/i);
    const before = channel.received.length;
    await root.cancel();
    await until(() => whole.lines.some((line) => /"outcome":"cancelled"/.test(line)), 'a cancelled outcome');
    assert.deepEqual(root.results, []);
    assert.deepEqual(
      channel.received.slice(before).map(({ body }) => body?.type),
      [],
    );
    assert.deepEqual(root.faults, []);
  });

  it('reports the end to a root bot that was restarted in the meantime', async () => {
    const first = await start();
    await pays(first, '+12025550102');
    await first.sees(/on its way|sent/i);
    const { port } = first;
    await open.splice(0)[0]?.close();
    const second = await start({ port });
    await whole.service.end(sent.at(-1) ?? '', 'success');
    const { app, status } = await second.ended();
    assert.deepEqual([app, status], ['payments', 'success']);
  });

  it('continues after it was restarted itself', async () => {
    const root = await start();
    await pays(root, '+12025550102');
    await root.sees(/on its way|sent/i);
    await whole.stopBot();
    await whole.service.end(sent.at(-1) ?? '', 'failure');
    await whole.startBot();
    const { app, status } = await root.ended();
    assert.deepEqual([app, status], ['payments', 'failure']);
  });

  const openQuestions: [string, object, RegExp, object][] = [
    ['an app', event('payments', { phoneNumber: '+12025550110' }), /What would you like to pay for\?[\s\S]*S••• H\./, { app: 'payments' }],
    ['a flow', event('settle-bill', { phoneNumber: '+12025550110' }), /Confirm with your passkey[\s\S]*S••• H\./, { flow: 'settle-bill' }],
  ];
  for (const [what, action, question, named] of openQuestions)
    it(`tells the root bot that ${what} cannot go on because of an update`, async () => {
      const root = await start();
      await root.begin(action);
      await root.sees(question);
      await whole.stopBot();
      rewriteChats(whole.dataDir);
      await whole.startBot();
      await root.say('yes');
      await root.sees(/updated in the meantime/);
      await isAsPromised(Object.values(named)[0], await root.ended());
      assert.deepEqual(await root.ended(), { ...named, status: 'failure', reason: 'outdated' });
      assert.deepEqual(root.faults, []);
    });

  it('asks the open question again when the root bot has said something in between', async () => {
    const root = await start();
    await root.begin(event('payments', { phoneNumber: '+12025550110' }));
    await root.sees(/\S••• \S\./);
    await root.interrupt();
    await root.sees(/\S••• \S\./);
  });

  it('ends as left if the customer declines', async () => {
    const root = await start();
    await root.begin(event('payments', { phoneNumber: '+12025550110' }));
    await root.sees(/\S••• \S\./);
    await root.say('cancel');
    assert.deepEqual(await root.ended(), { app: 'payments', status: 'left', why: 'cancel' });
  });

  it('accepts a request in words, too', async () => {
    const root = await start();
    await root.begin({ type: 'message', text: 'I would like to pay' });
    await root.sees(/phone number/);
    await root.say('cancel');
    assert.deepEqual(await root.ended(), { status: 'left', why: 'cancel' });
  });

  it('answers words that it does not understand without a menu, and ends', async () => {
    const root = await start();
    await root.begin({ type: 'message', text: 'Hello there' });
    await root.sees(/Nothing has been sent/);
    const { status, code } = await root.ended();
    assert.deepEqual([status, code], ['refused', 'not_understood']);
    assert.ok(!channel.received.some(({ body }) => /How can I help|What (else )?would you like/.test(JSON.stringify(body))));
  });

  it('hands a customer who wants a person back to the root bot', async () => {
    const root = await start();
    await root.begin({ type: 'message', text: 'talk to a person' });
    assert.deepEqual(await root.ended(), { status: 'agent', reason: 'asked' });
  });

  it('ends when the customer says goodbye, unless a request is pending', async () => {
    const root = await start();
    await root.begin(event('payments', { phoneNumber: '+12025550110' }));
    await root.sees(/\S••• \S\./);
    await root.say('goodbye');
    assert.deepEqual(await root.ended(), { app: 'payments', status: 'left', why: 'cancel' });
  });

  it('reports the ends of later actions in the same conversation, too', async () => {
    const root = await start();
    await root.begin(event('payments', { phoneNumber: '+12025550110' }));
    await root.sees(/\S••• \S\./);
    await root.say('cancel');
    await root.ended();
    await pays(root, '+12025550110');
    await until(() => root.results.length === 2, 'the second end', 30_000);
    assert.equal(root.results[1]?.status, 'success');
  });

  it('gives its replies in the answer where the root bot expects them there', async () => {
    const root = await start();
    await root.begin({
      ...event('payments', { phoneNumber: '+12025550110', productId: 'energy-bill-november' }),
      deliveryMode: 'expectReplies',
    });
    await root.sees(/\S••• \S\.[\s\S]*Electricity and gas/);
    await root.say('yes');
    assert.equal((await root.ended()).status, 'success');
    const refused = await start();
    await refused.begin({ ...event('payments', { phoneNumber: 'none' }), deliveryMode: 'expectReplies' });
    assert.equal((await refused.ended()).code, 'invalid_inputs');
  });

  const refusals: readonly (readonly [what: string, name: string, value: unknown, message: RegExp])[] = [
    ['a phone number that is none', 'payments', { phoneNumber: '0170' }, /^phoneNumber must be a phone number in E\.164/],
    ['an input of the wrong kind', 'payments', { productId: 7 }, /^productId must be a string\.$/],
    ['an input that is not known', 'payments', { amount: 7 }, /^amount is not known here\.$/],
    [
      'two of them',
      'document-signature',
      { documentId: 'x', phoneNumber: 1 },
      /^phoneNumber must be a string\. documentId must be a UUID\.$/,
    ],
    ['a list', 'e-form', [], /^value must be an object/],
    ['words alone', 'e-form', 'form', /^value must be an object/],
    ['an action that there is not', 'book-flight', {}, /^There is no action book-flight\.$/],
  ];
  for (const [what, name, value, words] of refusals)
    it(`answers ${what} in words, and ends`, async () => {
      const root = await start();
      await root.begin(event(name, value));
      await root.sees(/Nothing has been sent/);
      const { message, status, code } = await root.ended();
      assert.match(message, words);
      assert.deepEqual([status, code], ['refused', name === 'book-flight' ? 'unknown_action' : 'invalid_inputs']);
    });

  it('treats empty inputs as missing', async () => {
    const root = await start();
    await root.begin(event('payments', { phoneNumber: '+12025550110', productId: '', customerRef: null }));
    await root.sees(/\S••• \S\./);
  });

  describe('refuses', () => {
    const strangers: readonly (readonly [what: string, more: Partial<RootOptions>])[] = [
      ['a bot that no setting names', { appId: strangerId }],
      ['a bot that takes answers elsewhere than the operator said', { host: 'evil.example.com' }],
    ];
    for (const [what, more] of strangers)
      it(what, async () => {
        const root = await start(more);
        await root.begin(event('payments', { phoneNumber: '+12025550110' })).catch(() => {});
        await until(() => root.faults.length > 0, 'a refusal');
        assert.match(String(root.faults[0]), /status is 40[01]/);
        assert.deepEqual(channel.received, []);
      });
  });
});
