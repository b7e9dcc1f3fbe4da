import assert from 'node:assert/strict';
import type { AppId } from '../../src/contract/index.ts';
import { type Playground, startPlayground } from '../support/playground.ts';
import { readingOf, type TeamsTalk, teamsTalk } from '../support/teams-talk.ts';
import { until } from '../support/until.ts';
import { startWhole, type Whole } from '../support/whole.ts';

interface Sample {
  readonly wish: string;
  /** From the customer to the confirm card. */
  prepare(talk: TeamsTalk): Promise<unknown>;
  /** Absent where the choice before it sends at once. */
  readonly confirms?: RegExp;
  readonly waits: RegExp;
  readonly says: Readonly<Record<'success' | 'failure' | 'timeout', RegExp>>;
}

const mandate = {
  'variable:accountHolder': 'Mei Tanaka',
  'variable:accountEnding': '0042',
  'variable:monthlyLimit': '250',
  'variable:firstCollection': '2026-12-05',
};

const samples: Readonly<Record<AppId, Sample>> = {
  passkeys: {
    wish: 'passkeys',
    prepare: async () => {},
    confirms: /Confirm with your passkey/,
    waits: /Waiting for your passkey/,
    says: { success: /You are verified|Your passkey is set up/, failure: /You could not be verified/, timeout: /No answer in time/ },
  },
  'one-time-passcode': {
    wish: 'one-time passcode',
    prepare: async () => {},
    confirms: /Get a one-time passcode/,
    waits: /Enter your code/,
    says: { success: /You are verified/, failure: /You could not be verified/, timeout: /The code has expired/ },
  },
  'document-signature': {
    wish: 'sign a document',
    prepare: async (talk) => {
      await talk.sees(/Which document would you like to sign\?/);
      await talk.press(/^Direct debit mandate/);
      await talk.sees(/Fill in the document/);
      await talk.press('Continue', mandate);
    },
    confirms: /Sign this document on your phone[\s\S]*Mei Tanaka[\s\S]*\$250\.00/,
    waits: /Waiting for your signature/,
    says: { success: /Document signed/, failure: /Document not signed/, timeout: /No signature in time/ },
  },
  payments: {
    wish: 'payments',
    prepare: async (talk) => {
      await talk.sees(/What would you like to pay for\?/);
      await talk.press(/^Electricity and gas/);
    },
    waits: /Waiting for your payment/,
    says: { success: /Payment received[\s\S]*\$128\.40/, failure: /Payment not completed/, timeout: /No payment in time/ },
  },
  'e-form': {
    wish: 'e-form',
    prepare: async (talk) => {
      await talk.sees(/Which form would you like to fill in\?/);
      await talk.press('Feedback');
    },
    waits: /Waiting for your form/,
    says: { success: /Form received/, failure: /Form not received/, timeout: /No answers in time/ },
  },
};

const numbers = { success: '+12025550110', failure: '+12025550111', timeout: '+12025550112' } as const;

for (const [app, sample] of Object.entries(samples))
  describe(`${app} in Microsoft’s Teams emulator`, () => {
    let whole: Whole;
    let playground: Playground;
    before(async () => {
      whole = await startWhole();
    });
    after(() => whole.close());
    beforeEach(async () => {
      playground = await startPlayground(whole.bot().port);
    });
    afterEach(() => playground.close());

    for (const status of ['success', 'failure', 'timeout'] as const)
      it(`ends with ${status}: the waiting card changes in place, the outcome notifies, nothing is said twice`, async () => {
        const talk = teamsTalk(playground);
        await talk.say(sample.wish);
        await talk.sees(/phone number/);
        await talk.say(numbers[status]);
        await talk.sees(/\S••• \S\./);
        await sample.prepare(talk);
        if (sample.confirms) {
          await talk.sees(sample.confirms);
          await talk.press(/^(Text|E-mail) me/);
        }
        const waiting = await talk.sees(sample.waits);
        if (app === 'one-time-passcode' && status === 'success') await talk.press('Check the code', { code: '123 456' });
        await talk.saw(sample.says[status]);

        // The same message, now a record of what happened, with nothing left to press.
        const over = await until(() => {
          const now = talk.messages().find(({ id }) => id === waiting.id);
          return now && now.updates > 0 && !now.card?.actions ? now : undefined;
        }, 'the waiting card to be updated');
        assert.doesNotMatch(readingOf(over), sample.waits);
        assert.equal(talk.messages().filter((message) => sample.waits.test(readingOf(message))).length, 0);

        const posts = await until(() => {
          const sent = playground.exchanged.filter(({ by, type }) => by === 'bot' && type === 'message');
          return sent.some(({ body }) => body.channelData?.interaction) && sent;
        }, 'the outcome in the log of the emulator');
        for (const { body, status: answered } of posts) {
          assert.ok(answered < 300, `${answered} for ${JSON.stringify(body)}`);
          // A text beside a card would be shown as a second message, and the first could never be updated.
          assert.ok(!(body.text && body.attachments), JSON.stringify(body));
          if (body.attachments) assert.match(body.summary, /\S/);
        }
        const outcomes = posts.filter(({ body }) => body.channelData?.interaction);
        assert.equal(outcomes.length, 1);
        const { interaction, notification } = outcomes[0]?.body.channelData ?? {};
        assert.deepEqual([interaction.app, interaction.status, notification], [app, status, { alert: true }]);

        const readings = talk.messages().map(readingOf);
        const repeated = readings.filter((reading, index) => reading.length > 60 && readings.indexOf(reading) !== index);
        assert.deepEqual(repeated, []);
        assert.deepEqual(
          // The emulator of an earlier test is gone, perhaps before it had confirmed everything.
          whole.lines.filter((line) => line.includes('"level":"error"') && !line.includes('"errorCode":"unreachable"')),
          [],
        );
      });
  });
