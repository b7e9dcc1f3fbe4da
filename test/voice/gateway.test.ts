import assert from 'node:assert/strict';
import { fetch } from 'undici';
import { WebSocket } from 'ws';
import { answer, newestLink } from '../support/device.ts';
import { until } from '../support/until.ts';
import { asGateway, type Call, gatewayKey, startCall } from '../support/voice-gateway.ts';
import { startWhole, type Whole } from '../support/whole.ts';

describe('the route for voice gateways', () => {
  let whole: Whole;
  const address = (path = '') => `http://127.0.0.1:${whole.bot().port}/voice/audiocodes${path}`;
  before(async () => {
    whole = await startWhole({ settings: { VOICE_GATEWAY_KEY: gatewayKey, VOICE_TRANSFER: 'tel:+12025550100' } });
  });
  after(() => whole.close());

  it('answers only gateways with the right key', async () => {
    assert.deepEqual(await asGateway(address(), undefined), { status: 200, body: { type: 'ac-bot-api', success: true } });
    for (const key of ['', 'another', `${gatewayKey}x`, gatewayKey.slice(1)])
      assert.equal((await asGateway(address(), undefined, key)).status, 401, key);
    for (const [method, path] of [
      ['POST', ''],
      ['POST', '/conversations/c1/activities'],
      ['POST', '/conversations/c1/refresh'],
      ['POST', '/conversations/c1/disconnect'],
    ] as const)
      assert.equal((await fetch(address(path), { method, body: '{}', headers: { 'content-type': 'application/json' } })).status, 401);
  });

  it('refuses guessed keys', async () => {
    const statuses = new Set<number>();
    await until(async () => statuses.add((await asGateway(address(), undefined, 'guess')).status).has(429), 'a guesser to be refused');
    // The gateway shares the address with them here, and is let in.
    assert.equal((await asGateway(address(), undefined)).status, 200);
  });

  it('begins a call with the addresses of its three requests, the keys, and a welcome', async () => {
    const { status, body } = await asGateway(address(), { conversation: 'c-1', id: '1', timestamp: '2026-11-20T09:00:00Z' });
    const call = address('/conversations/c-1');
    assert.deepEqual(body, {
      activitiesURL: `${call}/activities`,
      refreshURL: `${call}/refresh`,
      disconnectURL: `${call}/disconnect`,
      websocketURL: `${call.replace('http', 'ws')}/websocket`,
      expiresSeconds: 60,
    });
    assert.equal(status, 200);
    const { heard, events } = await startCall(whole);
    assert.deepEqual(
      events.map(({ type, name, sessionParams }) => ({ type, name, sessionParams })),
      [{ type: 'event', name: 'config', sessionParams: { sendDTMF: true, dtmfCollect: false } }],
    );
    assert.match(heard[0]?.text ?? '', /^Hello! How can I help you\?/);
  });

  const bad: [string, string, object][] = [
    ['a body without a conversation', '', {}],
    ['a conversation whose name could be a path', '', { conversation: '../x' }],
    ['activities of another conversation', '/conversations/c-1/activities', { conversation: 'c-2', activities: [] }],
    ['activities without ids', '/conversations/c-1/activities', { conversation: 'c-1', activities: [{ type: 'message', text: 'hi' }] }],
    [
      'more activities than anybody has',
      '/conversations/c-1/activities',
      { conversation: 'c-1', activities: Array.from({ length: 51 }, (_, index) => ({ id: `${index}`, type: 'message', text: 'hi' })) },
    ],
  ];
  for (const [what, path, body] of bad) it(`refuses ${what}`, async () => assert.equal((await asGateway(address(path), body)).status, 400));

  it('speaks over a websocket, once and in order, where the gateway opens one: an outcome needs no asking', async () => {
    const call = await startCall(whole, { caller: '+12025550110', websocket: true });
    await call.hears(/^Hello/);
    assert.deepEqual(
      call.sent.slice(0, 2).map(({ name, type }) => name ?? type),
      ['config', 'message'],
    );
    assert.equal(call.events.length, 1);
    for (const words of ['pay', 'yes', 'my electricity', 'send']) await call.say(words);
    await until(() => call.heard.some(({ text }) => /anything else/.test(text)), 'the outcome over the websocket');
    const texts = call.heard.map(({ text }) => text);
    assert.deepEqual(texts, [...new Set(texts)]);
    assert.ok(texts.findIndex((text) => /Waiting for/.test(text)) < texts.findIndex((text) => /Payment received/.test(text)));
  });

  it('opens no websocket to anybody without the key, nor at another address', async () => {
    const statusOf = (path: string, authorization?: string) =>
      new Promise<number | undefined>((resolve) => {
        const socket = new WebSocket(address(path).replace('http', 'ws'), { headers: authorization ? { authorization } : {} });
        socket.on('error', () => {});
        socket.on('open', () => resolve(101));
        socket.on('unexpected-response', (_request, response) => resolve(response.statusCode));
      });
    assert.equal(await statusOf('/conversations/c-1/websocket'), 401);
    assert.equal(await statusOf('/conversations/c-1/websocket', 'Bearer another'), 401);
    assert.equal(await statusOf('/conversations/c-1/socket', `Bearer ${gatewayKey}`), 404);
  });

  it('answers 404 for a call that was never begun', async () => {
    for (const path of ['refresh', 'disconnect'])
      assert.equal((await asGateway(address(`/conversations/c-9/${path}`), { conversation: 'c-9' })).status, 404);
  });

  it('runs no second turn for a repeated activity', async () => {
    const call = await startCall(whole);
    const wish = { id: 'same', type: 'message', text: 'pay' };
    assert.match((await call.post(wish)).text, /Is the number ending in 0102 yours/);
    assert.deepEqual(await call.post(wish), { status: 200, text: '' });
  });

  it('ignores unknown events and messages without text', async () => {
    const call = await startCall(whole);
    for (const activity of [
      { type: 'event', name: 'speechHypothesis', value: 'pa' },
      { type: 'event', name: 'DTMF', value: 'A' },
      { type: 'event', name: 'handoff.status', value: { state: 'accepted' } },
      { type: 'message' },
      { type: 'somethingNew' },
    ])
      assert.deepEqual(await call.post(activity), { status: 200, text: '' });
  });

  it('speaks the caller’s language', async () => {
    const call = await startCall(whole, { language: 'es-ES' });
    assert.match(call.heard[0]?.text ?? '', /^¡Hola! ¿En qué puedo ayudarle\? Puede hablarme/);
    assert.match(call.heard[0]?.ssml ?? '', /xml:lang="es-ES"/);
    for (const said of [
      { type: 'event', name: 'DTMF', value: '4', language: 'de-DE' },
      { type: 'message', text: 'oui', language: 'fr-FR' },
    ]) {
      await call.post(said);
      assert.ok(call.heard.at(-1)?.ssml.includes(`xml:lang="${said.language}"`), said.language);
    }
  });

  it('transfers a caller who asks for a person, and asks nothing more; a failed transfer brings them back', async () => {
    const call = await startCall(whole, { caller: '+12025550110' });
    await call.say('passcode');
    for (const words of ['yes', 'send', '123456']) await call.say(words);
    await call.hears(/You are verified/);
    await call.hears(/anything else/);
    assert.equal(await call.press('0'), 'I am connecting you to a member of our team. Please stay on the line.');
    const { type, name, activityParams } = call.events.at(-1);
    assert.deepEqual(
      [type, name, activityParams.transferTarget, activityParams.handoverReason],
      ['event', 'transfer', 'tel:+12025550100', 'asked'],
    );
    const headers = Object.fromEntries(
      activityParams.transferSipHeaders.map((header: { name: string; value: string }) => [header.name, header.value]),
    );
    assert.equal(headers['X-Countersign-verified'], 'true');
    assert.equal(headers['X-Countersign-verified-method'], 'one-time-passcode');
    const [head = '', claims = ''] = headers['X-Countersign-assertion']
      .split('.')
      .map((part: string) => Buffer.from(part, 'base64url').toString());
    assert.equal(JSON.parse(head).alg, 'ES256');
    assert.equal(JSON.parse(claims).aud, 'urn:countersign:handoff:transfer');
    const failed = await call.post({ type: 'event', name: 'transferStatus', value: { status: 'failed', reasonCode: 'busy' } });
    assert.match(failed.text, /nobody took the call\. What would you like to do\?/);
    assert.match(await call.say('pay'), /Are you|pay for/);
  });

  it('tells the gateway to hang up after goodbye', async () => {
    const call = await startCall(whole);
    assert.match(await call.say('goodbye'), /^Goodbye! Call again at any time/);
    assert.deepEqual([call.events.at(-1)?.type, call.events.at(-1)?.name], ['event', 'hangup']);
  });

  it('reports an unverified caller as not verified', async () => {
    const call = await startCall(whole);
    await call.say('agent');
    const headers = JSON.stringify(call.events.at(-1).activityParams.transferSipHeaders);
    assert.match(headers, /"X-Countersign-verified","value":"false"/);
    assert.doesNotMatch(headers, /assertion|0102/);
  });

  const pay = async () => {
    const call = await startCall(whole);
    await call.say('pay');
    for (const words of ['yes', 'my electricity', 'send']) await call.say(words);
    return call;
  };
  const stateOf = (line: RegExp) => whole.lines.some((text) => line.test(text));

  it('does not count an outcome as delivered to a caller who has hung up', async () => {
    const call = await pay();
    assert.equal(await call.hangUp(), 200);
    assert.equal(await call.hangUp(), 404);
    assert.equal((await call.post({ type: 'message', text: 'hello?' })).status, 404);
    await answer(whole, await newestLink(whole), 'accept');
    await until(() => stateOf(/undeliverable|unreachable/), 'the outcome to be kept as undeliverable');
  });

  it('mentions it once when the same number calls again, and reveals it only to the verified customer', async () => {
    const caller = '+12025550110';
    const kept = () => whole.lines.filter((line) => /undeliverable|unreachable/.test(line)).length;
    const before = kept();
    const first = await startCall(whole, { caller });
    await first.say('pay');
    for (const words of ['yes', 'my electricity', 'send']) await first.say(words);
    assert.equal(await first.hangUp(), 200);
    await until(() => kept() > before, 'the outcome to be kept as undeliverable');

    const spokenIn = ({ heard }: Call) => heard.map(({ text }) => text).join('\n');
    const other = await startCall(whole, { caller: '+12025550199' });
    await other.say('hello');
    assert.doesNotMatch(spokenIn(other), /earlier call/);

    const second = await startCall(whole, { caller });
    await second.say('one-time code');
    assert.match(spokenIn(second), /^There is news about something you asked for in an earlier call\. Confirm that it is you/);
    assert.doesNotMatch(spokenIn(second), /Payment received|128/);
    for (const words of ['yes', 'send']) await second.say(words);
    await second.press('123456');
    await second.hears(/From your earlier call:[\s\S]*Payment received[\s\S]*128\.40/);
    assert.match(spokenIn(second), /You are verified[\s\S]*From your earlier call/);

    const third = await startCall(whole, { caller });
    await third.say('hello');
    assert.doesNotMatch(spokenIn(third), /earlier call/);
  });

  it('continues a call after a restart of the bot', async () => {
    const call = await pay();
    await whole.stopBot();
    await answer(whole, await newestLink(whole), 'accept');
    await whole.startBot();
    assert.equal(await call.refresh(), 200);
    await call.hears(/Payment received/);
  });
});

describe('without a key', () => {
  it('has no route for voice gateways', async () => {
    const whole = await startWhole();
    try {
      assert.equal((await asGateway(`http://127.0.0.1:${whole.bot().port}/voice/audiocodes`, { conversation: 'c' })).status, 404);
    } finally {
      await whole.close();
    }
  });
});
