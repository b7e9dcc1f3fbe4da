import assert from 'node:assert/strict';
import { type AppId, appIds } from '../../src/contract/index.ts';
import { submitsIn } from '../support/channel-talk.ts';
import { type Talk, talkTo } from '../support/talk.ts';
import { until } from '../support/until.ts';
import { startWhole, type Whole } from '../support/whole.ts';

/** Who is meant: a customer, one of whom the service refuses, fails or loses the request; or nobody. */
const callers = {
  hit: ['+12025550102', 'M. T.'],
  'declined at once': ['+12025550111', 'T. N.'],
  'refused by the service': ['+12025550114', 'I. D.'],
  'nobody’s number': ['+12025550199', 'M. T.'],
  'other initials': ['+12025550102', 'X. T.'],
  'a number of several customers': ['+12025550101', 'Z. C.'],
} as const;
const misses = ['nobody’s number', 'other initials', 'a number of several customers'] as const;

const english: Record<AppId, string> = {
  passkeys: 'passkey',
  'one-time-passcode': 'otp',
  'document-signature': 'document',
  payments: 'payment',
  'e-form': 'form',
};
const spanish: Record<AppId, string> = {
  passkeys: 'clave de acceso',
  'one-time-passcode': 'otp',
  'document-signature': 'documento',
  payments: 'pagar',
  'e-form': 'formulario',
};
const languages = {
  'en-US': { wishes: english, asks: /^Text me|^E-mail me/, next: 'Continue', ended: /What would you like to do now\?/, status: 'status' },
  'es-ES': { wishes: spanish, asks: /^Enviarme/, next: 'Continuar', ended: /¿Qué desea hacer ahora\?/, status: 'estado' },
} as const;
type Language = keyof typeof languages;

const panels = { 'variable:ownerName': 'Sam', 'variable:visitDate': '2026-12-05', 'variable:panels': '4' };

/** What the service knows of those that are asked for, and the chat does not. */
const canaries = /Mei|Tanaka|Avery|Jordan|Collins|cust-|example\.com|•••\s?[A-Z]\./;

/** Long enough for a busy machine to say what is said while a request waits. */
const outcomeTimeouts = Object.fromEntries(appIds.map((app) => [app, 9_000])) as Record<AppId, number>;

/** Goes to the waiting card. */
const send = async (whole: Whole, app: AppId, caller: keyof typeof callers, language: Language = 'en-US'): Promise<Talk> => {
  const talk = await talkTo(whole, {}, language);
  const { wishes, asks, next } = languages[language];
  await talk.say(wishes[app]);
  for (const said of callers[caller]) await talk.say(said);
  if (app === 'payments' || app === 'e-form') {
    // Choosing is asking for it.
    await talk.say('1');
    return talk;
  }
  if (app === 'document-signature') {
    await talk.press(/solar/i);
    await talk.press(next, panels);
  }
  await talk.press(asks);
  return talk;
};

/** All that can be told from a chat, without what was typed there and what is drawn at random. */
const seenIn = (talk: Talk) =>
  talk.messages().map(({ id: _, timestamp: __, channelData, ...message }) => ({
    text: String(message.text)
      .replace(/[MTIXZ]\. [TNDC]\./g, 'initials')
      .replace(/\d/g, '0'),
    buttons: submitsIn([message]).map(({ title }) => title),
    quick: message.suggestedActions?.actions.map(({ title }: { title: string }) => title),
    data: Object.keys(channelData ?? {}),
    interaction: channelData?.interaction,
  }));

describe('where replies are alike', () => {
  let whole: Whole;
  beforeEach(async () => {
    whole = await startWhole({ settings: { LOOKUP_REPLIES: 'alike' }, outcomeTimeouts });
  });
  afterEach(() => whole.close());

  /** What one caller is told from the wish to the end of the wait. */
  const told = async (app: AppId, caller: keyof typeof callers, language: Language) => {
    const talk = await send(whole, app, caller, language);
    const { ended, status } = languages[language];
    await talk.say(status);
    if (app === 'one-time-passcode') await talk.say('000000');
    await talk.sees(ended);
    return { caller, seen: seenIn(talk), said: JSON.stringify(talk.messages()) };
  };
  for (const app of appIds)
    it(`nothing reveals who is a customer, during the wait and after it, in either language (${app})`, async () => {
      const names = Object.keys(callers) as (keyof typeof callers)[];
      const all = (language: Language) => Promise.all(names.map((caller) => told(app, caller, language)));
      for (const [first, ...others] of await Promise.all([all('en-US'), all('es-ES')])) {
        assert.ok(first && first.seen.length > 5);
        for (const { caller, seen } of others) assert.deepEqual(seen, first.seen, `${caller} is told apart`);
        for (const { said } of [first, ...others]) assert.doesNotMatch(said, canaries);
      }
    });

  it('nothing is sent, and no customer looked up, if number and initials do not identify one customer', async () => {
    await Promise.all(appIds.flatMap((app) => misses.map((caller) => send(whole, app, caller))));
    assert.equal(whole.proxy.count(/\/send|\/check|\/results/), 0);
    // One for each look-up, and one for each list of documents or products.
    assert.equal(whole.proxy.count(/bootstrap/), (appIds.length + 2) * misses.length);
  });

  it('a success is shown, because it was done on the customer’s device', async () => {
    const talk = await talkTo(whole);
    await talk.say('pay my bill, my number is 202 555 0110');
    await talk.sees(/initials/);
    await talk.say('Samira Haddad');
    await talk.press(/^Electricity/);
    await talk.asks();
    const { text, channelData } = await talk.outcome();
    assert.match(text, /Payment received/);
    assert.equal(channelData.interaction.status, 'success');
  });

  it('a message that never arrived is withdrawn and requested again in the same way for a hit and a miss', async () => {
    const names = ['hit', 'nobody’s number', 'other initials'] as const;
    const all = await Promise.all(
      names.map(async (caller) => {
        const talk = await send(whole, 'payments', caller);
        await talk.press('Send again');
        await talk.sees(/Shall I cancel it and ask you for both again\?/);
        await talk.press('Cancel it');
        await talk.sees(/Which number should I try instead\?/);
        for (const said of callers.hit) await talk.say(said);
        await talk.asks();
        await talk.sees(/Waiting for your payment/);
        return seenIn(talk);
      }),
    );
    for (const seen of all.slice(1)) assert.deepEqual(seen, all[0]);
    // One for the hit at first, and then one for each.
    await until(() => whole.proxy.count(/payments\/send/) === names.length + 1, 'the sends');
  });

  it('a cancellation gets the same answer, and withdraws what was sent', async () => {
    const chats = await Promise.all((['hit', 'nobody’s number'] as const).map((caller) => send(whole, 'payments', caller)));
    for (const talk of chats) {
      await talk.say('cancel');
      await talk.sees(/I have stopped waiting/);
      await talk.sees(/What would you like to do\?/);
    }
    await until(() => whole.proxy.count(/requests\/.*\/cancel/) === 1, 'the withdrawal');
    const [hit, miss] = chats.map(seenIn);
    assert.deepEqual(hit, miss);
  });
});
