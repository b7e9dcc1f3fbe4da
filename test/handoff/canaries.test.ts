import assert from 'node:assert/strict';
import { fetch } from 'undici';
import { readSettings } from '../../src/compose/start/settings.ts';
import { type OpenTelemetry, openTelemetry } from '../../src/compose/start/telemetry.ts';
import type { AppId } from '../../src/contract/index.ts';
import { type Collector, startCollector } from '../support/collector.ts';
import { newUlid } from '../support/desk.ts';
import { answer, newestCode, newestLink } from '../support/device.ts';
import { type HubName, mara, openWorld, type World } from '../support/hubs.ts';
import { until } from '../support/until.ts';

const number = '+12025550102';
const documentId = '5d0c0000-0000-4000-8000-000000000001';
const chosen: Partial<Record<AppId, string>> = {
  'document-signature': documentId,
  payments: 'ev-charging-pass',
  'e-form': '6f1c0000-0000-4000-8000-000000000003',
};
const inTheWay: readonly [RegExp, string][] = [
  [/What is your phone number\?/, number],
  [/Which document/, 'Direct debit mandate'],
  [/Which form/, 'Feedback'],
  [/What would you like to pay for\?/, '1'],
  [/on your phone|^Confirm with your passkey|^Get a one-time passcode/, 'yes'],
];
const waits = /^Waiting for|went to \+1/;

// What a customer types, fills in, draws and is sent, before a person is on, while they are, and afterwards: each once
// under a value that is nowhere else, and that nobody but the service and the customer may ever hold.
describe('codes, card numbers, answers of forms, and signatures', function () {
  this.timeout(180_000);
  let collector: Collector;
  let telemetry: OpenTelemetry;
  let world: World;
  let canaries: Map<string, string>;
  let used: Set<string>;
  let phase: string;
  const open = async (hub: HubName) => {
    collector = await startCollector();
    telemetry = await openTelemetry(readSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint }), (fault) =>
      assert.fail(String(fault)),
    );
    world = await openWorld(hub, {}, { telemetry: () => telemetry });
    canaries = new Map();
    used = new Set();
  };
  afterEach(async () => {
    await world.close();
    await telemetry.close();
    await collector.close();
  });

  const canary = (what: string, value: string) => {
    canaries.set(`${what}, ${phase}`, value);
    return value;
  };
  const outcomes = () => world.talk.replies().filter(({ channelData }) => channelData?.interaction?.status === 'success').length;
  const filled = () => ({
    accountHolder: 'Mei Tanaka',
    accountEnding: canary('a blank of a document', `Blank${phase}`),
    monthlyLimit: '250',
    firstCollection: '2026-12-05',
  });
  /** What the customer does on their device, or types. */
  const finish = async (app: AppId, before: number) => {
    if (app === 'one-time-passcode') {
      const code = await until(async () => {
        const newest = await newestCode(world.whole);
        return !used.has(newest) && newest;
      }, 'the code');
      used.add(code);
      await world.talk.say(canary('a code', code));
    } else {
      const link = await until(async () => {
        const newest = await newestLink(world.whole);
        return !used.has(newest) && newest;
      }, 'the link');
      used.add(link);
      const stroke = { before: '11.37-213.91-87.53', while: '13.39-217.93-89.57', after: '17.41-219.97-91.59' }[phase] ?? '';
      await answer(world.whole, link, 'accept', {
        ...(app === 'document-signature' && { consent: 'on', name: 'Mei Tanaka', drawn: `300.150_${canary('a signature', stroke)}` }),
        ...(app === 'e-form' && { 'a.rating': 'very-good', 'a.comment': canary('an answer of a form', `Answer${phase}`) }),
      });
    }
    await until(() => outcomes() > before, `the outcome of ${app}, ${phase}`);
    // Said again where nobody asks for it.
    if (app === 'one-time-passcode') await world.talk.say(`it was ${canaries.get(`a code, ${phase}`)}, thank you`);
  };
  /** With the bot, from the wish to the outcome. */
  const withBot = async (app: AppId) => {
    const before = outcomes();
    await world.talk.say(app);
    for (let step = 0; ; step += 1) {
      assert.ok(step < 12, `${app}: ${world.said().slice(-3).join(' | ')}`);
      const last = world.said().at(-1) ?? '';
      if (waits.test(last)) break;
      if (/Fill in the document/.test(last)) {
        const fields = Object.fromEntries(Object.entries(filled()).map(([name, value]) => [`variable:${name}`, value]));
        await world.talk.submit({ ...world.talk.button('Continue'), ...fields });
      } else await world.talk.say(inTheWay.find(([question]) => question.test(last))?.[1] ?? 'yes');
    }
    await finish(app, before);
  };
  /** Begun by the person who is on. */
  const withAgent = async (app: AppId) => {
    const before = outcomes();
    const id = newUlid();
    const variables = app === 'document-signature' ? filled() : undefined;
    if (world.hub === 'desk') {
      const handoff = world.desk().rows()[0]?.id ?? '';
      const act = { kind: 'start', id, app, phoneNumber: number, chosen: chosen[app], filled: variables };
      assert.equal((await world.desk().act(handoff, act)).refused, undefined, app);
    } else {
      const names = { 'document-signature': 'documentId', payments: 'productId', 'e-form': 'formId' } as Record<string, string>;
      const body = { id, app, agentId: mara.id, phoneNumber: number, variables, ...(names[app] && { [names[app]]: chosen[app] }) };
      const { status, body: told } = await world.call('interactions', body);
      assert.equal(status, 200, JSON.stringify(told));
    }
    await finish(app, before);
  };
  const types = async (card: string) => {
    await world.talk.say(`my card is ${canary('a card number', card)}, thank you`);
    await world.talk.say(`and again ${card.replaceAll(' ', '')}`);
    canary('a card number without spaces', card.replaceAll(' ', ''));
  };
  /** What the person who is on says of it themselves. */
  const repeats = async (card: string) => {
    const said = { id: 'm1', text: `Was it ${canary('a card number that an agent writes', card)}?` };
    if (world.hub === 'webhook') assert.equal((await world.call('messages', said)).status, 200);
    else assert.equal((await world.desk().act(world.desk().rows()[0]?.id ?? '', { kind: 'say', ...said })).refused, undefined);
  };
  const apps = ['one-time-passcode', 'document-signature', 'payments', 'e-form'] as const;

  for (const hub of ['desk', 'webhook', 'event'] as const) {
    it(`in a chat that is handed over reach no agent (${hub}), no log, no trace and no metric`, async () => {
      await open(hub);
      phase = 'before';
      await types('4111 1111 1111 1111');
      for (const app of apps) await withBot(app);
      await world.talk.say('agent');
      await until(() => world.requests().length === 1, 'the request');
      await world.accept();
      phase = 'while';
      await types('5555 5555 5555 4444');
      if (hub !== 'event') {
        for (const app of apps) await withAgent(app);
        await repeats('4000 0566 5566 5556');
      }
      const told = () => JSON.stringify([world.told(), world.requests(), world.transcript()]);
      await world.talk.say('that was everything');
      if (hub !== 'event') await until(() => told().includes('that was everything'), 'the last words');
      await world.finish();
      phase = 'after';
      await types('4242 4242 4242 4242');
      for (const app of apps) await withBot(app);
      const { port } = world.whole.bot();
      const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
      const page = hub === 'desk' ? await fetch(`http://localhost:${port}/desk`, { headers: { cookie: world.desk().cookie } }) : undefined;
      const handoff = world.events('requested')[0]?.data.handoff.id;
      const read = hub === 'webhook' ? (await world.platform.get(`/handoff/${handoff}/events`)).body : {};
      await world.whole.stopBot();
      await telemetry.close();
      // What is looked through is there: nothing is proved by looking into the void.
      const sinks = {
        'what agents are told': told(),
        'what is read afterwards': JSON.stringify(read),
        'the page': (await page?.text()) ?? '',
        'the events of the channel': JSON.stringify(world.channel.received.filter(({ body }) => body?.type === 'event')),
        'the logs': world.whole.lines.join('\n'),
        'the traces': collector.bodies.join('\n'),
        'the metrics': metrics,
      };
      assert.match(sinks['what agents are told'], /••••/);
      assert.match(sinks['the logs'], /outcome was delivered/);
      assert.match(sinks['the traces'], /payments\.send/);
      assert.match(sinks['the metrics'], /countersign_/);
      if (hub === 'webhook') assert.match(sinks['what is read afterwards'], /handoff\.outcome/);
      if (hub === 'event') assert.match(sinks['the events of the channel'], /handoff\.initiate/);
      assert.equal(canaries.size, hub === 'event' ? 14 : 19);
      const found = Object.entries(sinks).flatMap(([sink, text]) =>
        [...canaries].flatMap(([what, value]) => {
          // A code is six digits of many: only where no letter or digit stands beside it, it is one.
          const at = text.search(new RegExp(`(?<![\\w.-])${value.replaceAll('.', '\\.')}(?![\\w.-])`));
          return at < 0 ? [] : [`${what} in ${sink}: ${text.slice(Math.max(0, at - 80), at + 40)}`];
        }),
      );
      assert.deepEqual(found, []);
    });
  }
});
