import assert from 'node:assert/strict';
import { answer, newestLink } from '../support/device.ts';
import { cannot, type HubVerbs, type Verb, verbsOf } from '../support/hub-verbs.ts';
import { type HubName, openWorld, type World } from '../support/hubs.ts';
import { spelledCodes } from '../support/spelled-codes.ts';
import { until } from '../support/until.ts';

// What every hub has to do, however it is reached. Where its protocol has no way, `cannot` says why. One bot for each
// hub: every test is another customer.
for (const hub of ['desk', 'chatwoot', 'event', 'omnichannel', 'webhook'] as const satisfies HubName[]) {
  describe(`an agent of the hub “${hub}”`, () => {
    let world: World;
    let verbs: Required<HubVerbs>;
    before(async () => {
      world = await openWorld(hub, {}, {}, 'supervisor');
      // Tests that need a verb which is not there are left out.
      verbs = verbsOf(hub, world) as Required<HubVerbs>;
    });
    beforeEach(() => world.nextChat());
    after(() => world.close());

    const says = async (...words: string[]) => {
      for (const text of words) await world.talk.say(text);
    };
    const sees = (text: RegExp) => until(() => world.said().some((said) => text.test(said)), `words like ${text}`);
    const verify = async () => {
      await says('hello', 'passkeys', '+12025550110', 'yes');
      await until(() => world.talk.replies().some(({ channelData }) => channelData?.interaction?.status === 'success'), 'the outcome');
    };
    const ask = async () => {
      await says('agent');
      await until(() => world.requests().length > 0, 'the request');
    };
    const join = async () => {
      await ask();
      await world.accept();
    };
    const restart = async () => {
      await world.whole.stopBot();
      await world.startBot();
    };
    const inOrder = (words: readonly string[], from: () => string[]) =>
      until(() => from().filter((text) => words.includes(text)).length >= words.length, `all of ${words}`).then(() =>
        assert.deepEqual(
          from().filter((text) => words.includes(text)),
          words,
        ),
      );
    /** A test that needs verbs of the hub. */
    const itWith = (needed: readonly Verb[], title: string, test: () => Promise<void>) => {
      if (!needed.some((verb) => cannot[hub][verb])) it(title, test);
    };

    it('can do everything that its protocol has an operation for', () => {
      const all: Record<Verb, true> = {
        ...{ write: true, again: true, heard: true, sendFile: true, files: true, start: true, outcomes: true },
        ...{ transfer: true, giveBack: true, goDown: true, stall: true, unheard: true },
      };
      for (const verb of Object.keys(all) as Verb[]) assert.equal(verb in verbs, cannot[hub][verb] === undefined, verb);
    });

    // What our own desk shows instead is in test/desk.
    if (hub !== 'desk') {
      it('is requested with the reason, the language and no verification, as flat values', async () => {
        await says('payments', 'agent');
        await until(() => world.requests().length === 1, 'the request');
        await sees(/I have asked for a member of our team/);
        const [{ cs_conversation, cs_handoff, ...context }, ...rest] = world.requests();
        assert.match(`${cs_handoff} ${cs_conversation}`, /^[0-9A-Z]{26} [\w-]{22}$/);
        assert.deepEqual(
          [context, ...rest],
          [
            {
              ...{ cs_reason: 'asked', cs_app: 'payments', cs_verified: false, cs_verification: 'none' },
              ...{ va_Language: 'en', va_AgentMessage: 'The customer asked for a person. App: payments. Not verified.' },
            },
          ],
        );
      });

      it('learns who is verified, how and until when, with a proof', async () => {
        await verify();
        await ask();
        const [{ cs_assertion, cs_customer_ref, cs_request_ids, cs_verified_at, cs_verified_until, ...rest }] = world.requests();
        assert.equal(Date.parse(cs_verified_until) - Date.parse(cs_verified_at), 15 * 60_000);
        assert.deepEqual([rest.cs_verified, rest.cs_verification, rest.cs_verified_method], [true, 'verified', 'passkeys']);
        assert.match(rest.va_AgentMessage, /Verified by passkeys until 20/);
        const [told] = world.talk.replies().flatMap(({ channelData }) => channelData?.interaction ?? []);
        assert.equal(cs_request_ids, told.requestId);
        const claims = JSON.parse(Buffer.from(cs_assertion.split('.')[1], 'base64url').toString());
        assert.deepEqual([claims.sub, claims.cs_verified, claims.cs_request_id], [cs_customer_ref, true, told.requestId]);
      });
    }

    it('reads what was said, but no code, no card number, and no contents of documents', async () => {
      await says('hello', 'document signature', '+12025550102', '1');
      // The document's blanks take any words.
      await says('Canary Holder', 'my code is 483 920', '4111 1111 1111 1111', 'agent');
      await ask();
      // Dynamics has the transcript from the channel.
      if (hub !== 'omnichannel') await until(() => world.transcript()?.length > 0, 'what was said');
      const told = world.transcript();
      if (hub !== 'omnichannel') assert.ok(told.some(({ text }: { text: string }) => text === 'hello'));
      assert.doesNotMatch(JSON.stringify([world.requests(), told, world.told()]), /Canary|483.?920|4111/);
    });

    it('reads no code, however it is written', async () => {
      const written = spelledCodes('557672').map(([, text]) => text);
      // As many in one message as a line of a transcript holds.
      const messages = written.flatMap((_, at) => (at % 8 === 0 ? [`Look: ${written.slice(at, at + 8).join(' or then ')}`] : []));
      await says('hello', ...messages.slice(0, 5), 'agent');
      await until(() => world.requests().length > 0, 'the request');
      await says(...messages.slice(5));
      await world.accept();
      await says(...messages, 'and so on');
      const sent = () => JSON.stringify([world.requests(), world.transcript(), world.told()]);
      if (!cannot[hub].heard) await until(() => sent().includes('and so on'), 'the last words');
      assert.deepEqual(
        written.filter((text) => sent().includes(JSON.stringify(text).slice(1, -1))),
        [],
      );
      if (hub !== 'omnichannel') assert.ok(sent().includes('Look: '));
    });

    it('finds the bot silent, until they are done', async () => {
      await join();
      const before = world.said().length;
      await says('payments', 'blue');
      assert.equal(world.said().length, before);
      await world.finish();
      await sees(/has left this chat\. I am here again/);
      await says('payments');
      await sees(/your phone number/i);
    });

    it('leaves a chat in which earlier verifications no longer count', async () => {
      await verify();
      await join();
      await world.finish();
      await says('am I verified');
      await sees(/No, you are not verified in this chat at the moment/);
    });

    it('leaves the chat to the bot if the customer wants that and confirms it', async () => {
      await join();
      await says('menu');
      await sees(/Would you like to go on with me/);
      await says('no');
      await sees(/stays with you/);
      const before = world.said().length;
      await says('hello');
      assert.equal(world.said().length, before);
      await says('bot', 'yes');
      await sees(/I am here again\. What would you like to do/);
      await says('payments');
      await sees(/your phone number/i);
    });

    it('sees the outcome of an earlier request arrive in the chat, if the hub shows it', async () => {
      await says('payments', '+12025550102', '1');
      await join();
      const before = world.said().length;
      await answer(world.whole, await newestLink(world.whole), 'accept');
      await until(() => world.talk.replies().some(({ channelData }) => channelData?.interaction?.status === 'success'), 'the outcome');
      if (!cannot[hub].outcomes) await until(() => verbs.outcomes().includes('payments success'), 'what they are told');
      // And nothing is asked after it: the next turn finds the chat as it was left.
      await says('is it paid?');
      assert.equal(world.said().length, before + 1);
    });

    it('can decline, so that the customer can leave a message', async () => {
      await ask();
      await world.decline();
      await sees(/nobody can join this chat right now/);
      await says('payments');
      await sees(/your phone number/i);
    });

    it('is requested once, however often the customer asks', async () => {
      await ask();
      await says('agent', 'agent please');
      await sees(/I have already asked/);
      assert.equal(world.requests().length, 1);
    });

    it('is not requested by other words', async () => {
      for (const value of [{ state: 'accepted' }, { state: 'nonsense' }, {}, undefined, 'accepted'])
        await world.talk.post({ type: 'event', name: 'handoff.status', value, from: { id: 'hub' } });
      await says('payments');
      await sees(/your phone number/i);
    });

    itWith(['write', 'heard'], 'talks with the customer both ways, in order', async () => {
      await join();
      const words = ['one', 'two', 'three', 'four'];
      for (const [index, text] of words.entries()) {
        await verbs.write(`m${index}`, text);
        await says(`${text}?`);
      }
      await inOrder(words, world.said);
      await inOrder(
        words.map((text) => `${text}?`),
        verbs.heard,
      );
    });

    itWith(['write', 'again'], 'says once what comes twice', async () => {
      await join();
      await verbs.write('m1', 'Hello there');
      await verbs.again();
      await verbs.write('m2', 'Still there?');
      await sees(/Still there/);
      assert.equal(world.said().filter((text) => text === 'Hello there').length, 1);
    });

    it('joins once, however often that is reported', async () => {
      await join();
      if (cannot[hub].heard) await world.accept();
      else if (hub === 'chatwoot') await verbs.again();
      else await world.accept();
      const before = world.said().length;
      await says('hello');
      assert.equal(world.said().length, before);
    });

    itWith(['write', 'unheard'], 'is heard though the news of it is lost', async () => {
      await join();
      await verbs.unheard(() => verbs.write('m1', 'Can you hear me?'));
      await sees(/Can you hear me/);
      assert.equal(world.said().filter((text) => text === 'Can you hear me?').length, 1);
    });

    itWith(['sendFile'], 'sends a file', async () => {
      await join();
      await verbs.sendFile({ name: 'tariff.pdf', url: 'https://files.example.com/tariff.pdf' });
      const sent = () => world.talk.replies().flatMap(({ attachments = [] }) => attachments.filter((one: { name?: string }) => one.name));
      await until(() => sent().length > 0, 'the file');
      const { name, contentType, contentUrl } = sent()[0];
      assert.deepEqual([name, contentType, contentUrl], ['tariff.pdf', 'application/pdf', 'https://files.example.com/tariff.pdf']);
    });

    itWith(['files'], 'gets a file', async () => {
      await join();
      const contentUrl = 'https://files.example.com/meter.png';
      await world.talk.post({ attachments: [{ contentType: 'image/png', contentUrl, name: 'meter.png' }] });
      await until(() => verbs.files().length > 0, 'the file');
      assert.deepEqual(verbs.files(), [contentUrl]);
    });

    itWith(['files'], 'gets a file without a code in its name', async () => {
      await join();
      const contentUrl = 'https://files.example.com/meter.png';
      await world.talk.post({ attachments: [{ contentType: 'image/png', contentUrl, name: 'my 5.5.7.6.7.2.png' }] });
      await until(() => verbs.files().length > 0, 'the file');
      assert.ok(!JSON.stringify([world.told(), world.transcript()]).includes('5.5.7'));
    });

    itWith(['start', 'outcomes'], 'starts an app, and hears how it ends', async () => {
      await join();
      await verbs.start('+12025550110');
      await sees(/Mara has started this for you/);
      await until(() => verbs.outcomes().includes('payments success'), 'the outcome');
    });

    itWith(['transfer'], 'passes the chat on', async () => {
      await join();
      await verbs.transfer();
      await sees(/Noa has taken over this chat/);
    });

    itWith(['giveBack'], 'gives the chat back', async () => {
      await join();
      await verbs.giveBack();
      await sees(/I am here again/);
      await says('payments');
      await sees(/your phone number/i);
    });

    itWith(['heard'], 'reads what is said to the bot until they come', async () => {
      await ask();
      await says('my meter is wrong, my code is 483 920');
      await until(() => JSON.stringify(world.told()).includes('my meter is wrong'), 'the words');
      assert.doesNotMatch(JSON.stringify(world.told()), /483 920/);
    });

    itWith(['goDown', 'heard'], 'gets everything, in order, when the hub was down', async () => {
      await join();
      const words = ['one', 'two', 'three'];
      const up = verbs.goDown();
      await says(...words);
      up();
      await inOrder(words, verbs.heard);
    });

    itWith(['stall', 'heard'], 'holds up no customer when the hub is slow', async () => {
      await join();
      const words = ['one', 'two'];
      const free = verbs.stall();
      const begun = performance.now();
      await says(...words);
      assert.ok(performance.now() - begun < 10_000);
      free();
      await inOrder(words, verbs.heard);
    });

    it('is not lost if the process dies in any phase', async () => {
      await ask();
      await restart();
      await world.accept();
      await restart();
      const before = world.said().length;
      await says('payments');
      assert.equal(world.said().length, before);
      if (!cannot[hub].write) {
        await verbs.write('m1', 'I am here.');
        await sees(/I am here\./);
        await restart();
        await inOrder(['payments'], verbs.heard);
      }
      await world.finish();
      await restart();
      await sees(/has left this chat/);
      await says('payments');
      await sees(/your phone number/i);
    });
  });
}
