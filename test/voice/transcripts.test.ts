import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fencesOf, read, root } from '../documents/documents.ts';
import { type Channel, openChannel } from '../support/channel.ts';
import { channelTalk } from '../support/channel-talk.ts';
import { answer, newestLink } from '../support/device.ts';
import { until } from '../support/until.ts';
import { gatewayKey, startCall } from '../support/voice-gateway.ts';
import { startWhole, type Whole } from '../support/whole.ts';

// The transcripts in docs/channels.md are what was said here. After a change: TRANSCRIPTS=write, and read them.

const file = 'docs/channels.md';

/** The two digits, and the day and the time of the run. */
const still = (text: string) =>
  text
    .replace(/(same number:) \d\d/g, '$1 34')
    .replace(/\b[A-Z][a-z]{2} \d{1,2}, 20\d\d\b/g, (day) => (day === 'Dec 5, 2026' || day === 'Dec 24, 2026' ? day : 'Nov 20, 2026'))
    .replace(/\b\d{1,2}:\d\d [AP]M\b/g, '2:30 PM')
    // What lasts beyond midnight is said with its day.
    .replace(/(Valid until:) Nov 20, 2026, /g, '$1 ')
    .replace(/On 20\d\d-\d\d-\d\d/g, 'On 2026-11-20')
    .replace(/[\u00A0\u202F]/g, ' ');

interface Talk {
  /** Says it (or presses it, in parentheses) and waits for an answer like this. */
  say(words: string, sees: RegExp): Promise<void>;
  happens(what: string, sees: RegExp): Promise<void>;
  lines(): string[];
}

const scripts: Readonly<Record<'payment' | 'signature', (talk: Talk, device: () => Promise<void>) => Promise<void>>> = {
  payment: async (talk, device) => {
    await talk.say('I want to pay my electricity bill', /1.*Text me the link/);
    await talk.say('1', /Waiting for your payment/);
    await device();
    await talk.happens('the customer pays on the secure page', /nything else\?/);
  },
  signature: async (talk, device) => {
    await talk.say('sign a document', /Which document/);
    await talk.say('1', /Account holder/);
    await talk.say('Mei Tanaka', /Last four digits/);
    await talk.say('0042', /Monthly limit/);
    await talk.say('$250', /First collection/);
    await talk.say('5 December 2026', /1.*Text me the link/);
    await talk.say('yes', /Waiting for your signature/);
    await device();
    await talk.happens('the customer reads the document and signs it', /nything else\?/);
  },
};

describe('the transcripts in the documents', () => {
  let whole: Whole;
  let channel: Channel;
  before(async () => {
    whole = await startWhole({ settings: { VOICE_GATEWAY_KEY: gatewayKey } });
    channel = await openChannel();
  });
  after(async () => {
    await channel.close();
    await whole.close();
  });

  const bySms = (): Talk => {
    const talk = channelTalk(whole, channel, { conversation: `sms-${Math.random()}`, user: '+12025550102', channelId: 'sms' });
    const lines: string[] = [];
    const replies = () => talk.replies().filter(({ type }) => type === 'message');
    let shown = 0;
    const unseen = () =>
      replies()
        .slice(shown)
        .map(({ text }) => text);
    const seen = async (sees: RegExp) => {
      await until(() => sees.test(unseen().join('\n')), `an answer like ${sees}`);
      lines.push(...unseen());
      shown = replies().length;
    };
    return {
      say: async (words, sees) => {
        lines.push(`> ${words}`);
        await talk.say(words);
        await seen(sees);
      },
      happens: async (what, sees) => {
        lines.push(`(${what})`);
        await seen(sees);
      },
      lines: () => lines,
    };
  };

  const byVoice = async (): Promise<Talk> => {
    const call = await startCall(whole);
    const lines = [call.heard.map(({ text }) => text).join('\n')];
    return {
      say: async (words, sees) => {
        const isKey = /^\d$/.test(words);
        lines.push(isKey ? `> (key ${words})` : `> ${words}`);
        let said = await (isKey ? call.press(words) : call.say(words));
        // Whose number it is, is asked before anything else.
        if (/ yours\?/.test(said)) {
          lines.push(said, '> yes');
          said = await call.say('yes');
        }
        assert.match(said, sees);
        lines.push(said);
      },
      happens: async (what, sees) => {
        lines.push(`(${what})`);
        lines.push(await call.hears(sees).then((all) => all.slice(all.search(/^(?:Payment received|Document signed)/m))));
      },
      lines: () => lines,
    };
  };

  for (const [way, start] of [
    ['sms', async () => bySms()],
    ['voice', byVoice],
  ] as const)
    for (const [what, script] of Object.entries(scripts))
      it(`match a real ${what} by ${way}`, async () => {
        const talk = await start();
        const fields = what === 'signature' ? { name: 'Mei Tanaka', consent: 'on' } : {};
        await script(talk, async () => answer(whole, await newestLink(whole), 'accept', fields));
        const now = still(`${talk.lines().join('\n')}\n`);
        const heading = `text ${way} ${what}`;
        if (process.env.TRANSCRIPTS === 'write') {
          const { text } = read(file);
          writeFileSync(
            join(root, file),
            text.replace(new RegExp(`(^\`\`\`${heading}\n)[\\s\\S]*?(^\`\`\`$)`, 'm'), (_all, begin, end) => begin + now + end),
          );
        }
        const shown = fencesOf({ file, text: readFileSync(join(root, file), 'utf8') }).find((fence) => fence.way === heading);
        assert.equal(now, shown?.code);
      });
});
