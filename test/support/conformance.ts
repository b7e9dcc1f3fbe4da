// Requirements for every app: one suite, with one sample per app.
import assert from 'node:assert/strict';
import type { AppId } from '../../src/contract/index.ts';
import { answer, newestLink } from './device.ts';
import { type Talk, talkTo } from './talk.ts';
import { itSample } from './tier.ts';
import { until } from './until.ts';
import { startWhole, type Whole } from './whole.ts';

export interface AppSample {
  readonly app: AppId;
  /** The customer's words to get there. */
  readonly wish: string;
  /** From the number to the card that shows all of it: choices in words, and input. */
  prepare(talk: Talk): Promise<void>;
  /** The button of that card. */
  readonly asks: string;
  /** What is pressed from the number to the request, and what must be read before the last of it. */
  readonly presses: readonly (readonly [title: string | RegExp, after: RegExp, fields?: Readonly<Record<string, string>>])[];
  /** Input that is refused on the way, with nothing sent. */
  refusals?(talk: Talk): Promise<void>;
  /** Required words of the confirm card. */
  readonly confirms: RegExp;
  /** The message's destination in the chat's words; unset: the phone number. */
  readonly sentTo?: RegExp;
  /** Input for the device page. */
  readonly fields: Readonly<Record<string, string>>;
  /** Completes the device page, if filling in a form is not enough. */
  accept?(whole: Whole, link: string): Promise<void>;
  /** Words of the outcome, beyond its ending. */
  readonly says: Readonly<Record<'success' | 'failure' | 'timeout' | 'cancelled', RegExp>>;
  /** Enters input that the chat itself asks for while waiting; only the passcode does. */
  answerInChat?(talk: Talk, whole: Whole): Promise<void>;
}

const numbers = {
  device: '+1 202 555 0102',
  success: '(202) 555-0110',
  failure: '202.555.0111',
  timeout: '12025550112',
  waits: '+12025550113',
};

const deliveries = (whole: Whole, path: RegExp) => whole.proxy.count(path);

/** Runs the suite for one app. */
export const describeApp = (sample: AppSample) => {
  const { app, says, sentTo = /\+1•••0113/ } = sample;
  const inChat = sample.answerInChat !== undefined;
  // What all apps have from the same place, and what hears all outcomes but a passcode's, is tried with one of them.
  const alike = itSample(app === 'payments');
  const heard = itSample(app === 'payments' || inChat);
  const accept = (whole: Whole, link: string) => sample.accept?.(whole, link) ?? answer(whole, link, 'accept', sample.fields);

  describe(`${app}, from wish to outcome`, () => {
    let whole: Whole;
    beforeEach(async () => {
      whole = await startWhole();
    });
    afterEach(() => whole.close());

    /** Walks to the waiting card. */
    const send = async (talk: Talk, number: string) => {
      await talk.say(sample.wish);
      await talk.say(number);
      await sample.prepare(talk);
      await talk.sees(sample.confirms);
      await talk.press(sample.asks);
    };
    const endsOnce = async (talk: Talk, status: keyof typeof says, text = says[status]) => {
      const outcome = await talk.outcome();
      assert.equal(outcome.channelData.interaction.app, app);
      assert.equal(outcome.channelData.interaction.status, status);
      assert.match(outcome.channelData.interaction.requestId, /^[0-9A-Z]{26}$/);
      assert.match(outcome.text, text);
      assert.match(outcome.attachments[0].contentType, /adaptive/);
      assert.equal(talk.outcomes().length, 1);
    };

    alike('asks for the number again, politely, until it is one, and calls nobody before', async () => {
      const talk = await talkTo(whole);
      await talk.say(sample.wish);
      await talk.sees(/phone number/);
      for (const nonsense of ['what?', '12', '<b>hi</b>', `0${'9'.repeat(500)}`]) {
        await talk.say(nonsense);
        await talk.sees(/phone number|check the digits/);
      }
      assert.equal(deliveries(whole, /bootstrap/), 0);
    });

    alike('offers another number, or a person, when nobody has it', async () => {
      const talk = await talkTo(whole);
      await talk.say(sample.wish);
      await talk.say('+12025550199');
      await talk.sees(/could not find anyone with the number \+1•••0199/);
      await talk.press('Talk to a person');
      await talk.sees(/Nobody can join this chat/);
      await talk.sees(/What would you like to do/);
      assert.equal(deliveries(whole, /send/), 0);
    });

    alike('takes another number whenever it is typed, in place of the one before', async () => {
      const talk = await talkTo(whole);
      await talk.say(sample.wish);
      await talk.say('+12025550199');
      await talk.sees(/could not find anyone/);
      await talk.say('my number is 202-555-0110');
      await talk.sees(/S••• H\./);
      await talk.say(numbers.waits);
      await talk.sees(/(?<!S)••• \S\./);
      await sample.prepare(talk);
      await talk.sees(sample.confirms, true);
      assert.match(talk.messages().at(-1)?.text, sentTo);
      assert.equal(deliveries(whole, /send/), 0);
    });

    it('refuses what is wrong before anything is sent', async () => {
      const talk = await talkTo(whole);
      await talk.say(sample.wish);
      await talk.say(numbers.waits);
      await talk.say('perhaps');
      await talk.sees(/did not understand/);
      await talk.submit({ action: 'forged' });
      await talk.sees(/earlier step/);
      await talk.submit([1, 2, 3]);
      await talk.sees(/earlier step/);
      await (sample.refusals ?? sample.prepare)(talk);
      await talk.sees(sample.confirms, true);
      // A number chooses where numbers are shown. A repeated answer to the question before sends nothing.
      for (const words of ['1', 'send it to my neighbour instead']) {
        await talk.say(words);
        await talk.sees(/did not understand/);
      }
      assert.equal(deliveries(whole, /send/), 0);
      await talk.press('Not now');
      await talk.sees(/nothing was sent/);
      assert.equal(deliveries(whole, /send/), 0);
    });

    it(`reaches the phone with one number and ${sample.presses.length === 1 ? 'one press' : `${sample.presses.length} presses`}, and not before it has named the customer`, async () => {
      const talk = await talkTo(whole);
      await talk.say(sample.wish);
      await talk.say(numbers.device);
      for (const [title, after, fields] of sample.presses) {
        await talk.sees(after);
        assert.equal(deliveries(whole, /POST .*\/send/), 0);
        await talk.press(title, fields);
      }
      await talk.sees(/sent to|sent a code|number and the initials/);
      assert.equal(deliveries(whole, /POST .*\/send/), 1);
      await talk.say('cancel');
    });

    it('ends with success, and shows the menu again', async () => {
      const talk = await talkTo(whole);
      await send(talk, numbers.success);
      await sample.answerInChat?.(talk, whole);
      await endsOnce(talk, 'success');
      await talk.sees(/What would you like to do\?/);
    });

    for (const status of ['failure', 'timeout'] as const) {
      it(`ends with ${status}, and offers to try again, another way, or a person`, async () => {
        const talk = await talkTo(whole);
        await send(talk, numbers[status]);
        await endsOnce(talk, status);
        await talk.sees(/What would you like to do now\?.*Try again · (?:Menu|Confirm with a code instead) · Talk to a person/s);
        await talk.press('Try again');
        // Number, customer and choice are known by now; what was chosen can be changed from here.
        await talk.sees(sample.confirms);
      });
    }

    it('can be cancelled, and the service is told', async () => {
      const talk = await talkTo(whole);
      await send(talk, numbers.device);
      await talk.say('cancel');
      await endsOnce(talk, 'cancelled');
      assert.doesNotMatch(talk.outcomes()[0].text, /in this chat/);
      assert.equal(deliveries(whole, /requests\/.*\/cancel/), 1);
      await talk.sees(/What would you like to do\?/);
    });

    it('hears at once that the service withdrew it, says so, and offers to try again', async () => {
      const talk = await talkTo(whole);
      await send(talk, numbers.device);
      const requestId = await until(() => /results\/(\w{26})/.exec(whole.proxy.lines(/results/).at(-1) ?? '')?.[1]);
      const { baseUrl, secretKey } = whole.service;
      const answered = await fetch(`${baseUrl}/requests/${requestId}/cancel`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${secretKey}` },
      });
      assert.equal(answered.status, 200);
      await endsOnce(talk, 'cancelled');
      assert.match(talk.outcomes()[0].text, /was not cancelled in this chat/);
      await talk.sees(/What would you like to do now\?.*Try again/s);
    });

    it('does not advance while the customer talks', async () => {
      const talk = await talkTo(whole);
      await send(talk, numbers.waits);
      const talked: [string, RegExp][] = [
        ['hello?', /still waiting/],
        ['I want to pay my bill, sign and log in', /still (waiting|open)/],
        ["please don't cancel it", /still waiting/],
        ['what is the menu?', /still waiting/],
        ['status', sentTo],
        ['how far is it?', sentTo],
        ['help', /“cancel”/],
        ['nothing arrived', new RegExp(`sent it to ${sentTo.source} again|only a moment ago`)],
        ['agent', /Nobody can join/],
      ];
      for (const [typed, expected] of talked) {
        await talk.say(typed);
        await talk.sees(expected);
      }
      await talk.submit({ action: 'made-up' });
      await talk.sees(/earlier step/);
      assert.equal(talk.outcomes().length, 0);
      assert.equal(deliveries(whole, /POST .*\/send/), 1);
      await talk.press('Cancel');
      await endsOnce(talk, 'cancelled');
    });

    alike('has one effect for a button pressed twice, and none for an old one', async () => {
      const talk = await talkTo(whole);
      await talk.say(sample.wish);
      await talk.say(numbers.waits);
      await sample.prepare(talk);
      const sendButton = talk.newestButton(sample.asks);
      await Promise.all([talk.submit(sendButton), talk.submit(sendButton)]);
      await talk.submit(sendButton);
      assert.equal(deliveries(whole, /POST .*\/send/), 1);
      await talk.say('cancel');
      await endsOnce(talk, 'cancelled');
    });

    heard('hears the outcome without a socket', async () => {
      whole.proxy.sockets(false);
      const talk = await talkTo(whole);
      await send(talk, numbers.success);
      await sample.answerInChat?.(talk, whole);
      await endsOnce(talk, 'success');
    });

    if (!inChat) {
      heard('hears the outcome without the results endpoint', async () => {
        whole.proxy.refuse(/\/results\//);
        const talk = await talkTo(whole);
        await send(talk, numbers.success);
        const outcome = await talk.outcome();
        assert.equal(outcome.channelData.interaction.status, 'success');
        assert.equal(talk.outcomes().length, 1);
      });

      heard('hears the outcome although the socket drops in the middle', async () => {
        const talk = await talkTo(whole);
        await send(talk, numbers.device);
        const link = await newestLink(whole);
        whole.proxy.dropSockets();
        await accept(whole, link);
        await endsOnce(talk, 'success');
      });

      it('ends with failure when the customer declines on the device', async () => {
        const talk = await talkTo(whole);
        await send(talk, numbers.device);
        await answer(whole, await newestLink(whole), 'decline');
        await endsOnce(talk, 'failure', /^You declined\./);
      });
    }

    it('brings the outcome into the chat after the bot was away', async () => {
      const talk = await talkTo(whole);
      await send(talk, numbers.device);
      const link = inChat ? '' : await newestLink(whole);
      await whole.stopBot();
      if (!inChat) await accept(whole, link);
      await whole.startBot();
      await talk.reconnect();
      await sample.answerInChat?.(talk, whole);
      await endsOnce(talk, 'success');
      await talk.sees(/What would you like to do\?/);
      // It is delivered only once.
      await whole.stopBot();
      await whole.startBot();
      await talk.reconnect();
      await talk.say('hello');
      assert.equal(talk.outcomes().length, 1);
    });

    alike('says what is wrong when the service does not do its part, and goes on', async () => {
      const talk = await talkTo(whole);
      whole.proxy.refuse(/bootstrap/, 401);
      await talk.say(sample.wish);
      await talk.say(numbers.success);
      await talk.sees(/We cannot do this now/);
      whole.proxy.refuse(undefined);
      await talk.say('menu');
      await send(talk, numbers.success);
      await sample.answerInChat?.(talk, whole);
      await endsOnce(talk, 'success');
    });

    it('keeps personal data and secrets out of the log', async () => {
      const talk = await talkTo(whole);
      await send(talk, numbers.success);
      await sample.answerInChat?.(talk, whole);
      await endsOnce(talk, 'success');
      const log = whole.lines.join('');
      for (const secret of ['2025550110', 'Samira', 'Haddad', 'example.com', whole.service.secretKey, talk.chatter.token]) {
        assert.ok(!log.includes(secret), `the log holds ${secret}`);
      }
    });
  });
};
