import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fetch } from 'undici';
import { type OpenBot, openBot } from '../../src/compose/bot/open-bot.ts';
import { capabilities } from '../../src/compose/capabilities.ts';
import { botOptionsOf } from '../../src/compose/start/bot-settings.ts';
import { readSettings } from '../../src/compose/start/settings.ts';
import { makeLog } from '../../src/platform/log.ts';
import { makeMovableTime } from '../../src/platform/time/movable-time.ts';
import { type RunningService, startService } from '../../src/service/index.ts';
import { type Channel, openChannel } from '../support/channel.ts';
import { type ChannelTalk, channelTalk } from '../support/channel-talk.ts';
import { answer } from '../support/device.ts';
import { newDatabase } from '../support/postgres.ts';
import { databaseKinds } from '../support/tier.ts';
import { until } from '../support/until.ts';
import { type Archive, layOut, readArchive, releases, restore } from './archive.ts';
import { chats } from './chats.ts';

for (const release of releases)
  for (const kind of databaseKinds)
    describe(`the data of ${release} on ${kind}, opened by this version`, () => {
      let archive: Archive;
      let dataDir: string;
      let channel: Channel;
      let service: RunningService;
      let bot: OpenBot;
      let port: number;
      let lines: string[];

      beforeEach(async () => {
        archive = readArchive(release, kind);
        dataDir = mkdtempSync(join(tmpdir(), 'countersign-release-'));
        channel = await openChannel();
        layOut(dataDir, archive, channel.serviceUrl);
        const url = kind === 'postgres' ? await newDatabase() : undefined;
        if (url !== undefined) await restore(url, archive, channel.serviceUrl);
        lines = [];
        const log = makeLog('info', { write: (line) => void lines.push(line) });
        // It is as late as it was when the program was stopped: its requests are still valid.
        const time = makeMovableTime();
        time.advance(archive.stoppedAt + 1_000 - Date.now());
        service = await startService({ port: 0, host: '127.0.0.1', dataDir, demo: true, log, clock: time.clock, alarm: time.alarm });
        const settings = readSettings({
          DATA_DIR: dataDir,
          HANDOFF: 'event',
          RETENTION_DAYS: '3650',
          ...(url !== undefined && { DATABASE_URL: url, CHAT_TOKEN_KEY: 'a-key-of-32-characters-for-tests' }),
        });
        const { baseUrl, secretKey, wsUrl } = service;
        const access = { baseUrl, wsUrl, secretKey, idempotent: true, showsCode: true };
        bot = await openBot(capabilities, botOptionsOf(settings, access, log), { ahead: time.ahead });
        port = await bot.listen(0);
      });
      afterEach(async () => {
        await bot?.close();
        await service?.close();
        await channel?.close();
        rmSync(dataDir, { recursive: true, force: true });
      });

      const talkOf = (conversation: string): ChannelTalk =>
        channelTalk({ bot: () => ({ port }) as never }, channel, {
          conversation,
          user: `customer-${conversation}`,
          channelId: 'emulator',
          id: undefined,
        });
      const wordsOf = (talk: ChannelTalk, from = 0) =>
        talk
          .replies()
          .slice(from)
          .map(({ text }) => text)
          .join('\n');
      const isClean = () => {
        const bad = lines.filter((line) => /turn failed|not be delivered|could not be used|background work failed|no_version/.test(line));
        assert.deepEqual(bad, []);
        for (const { body } of channel.received) assert.doesNotMatch(String(body?.text), /something went wrong/i);
      };
      const waiting = () => archive.chats.filter((one) => chats[one]?.waits && !chats[one]?.late);
      const outcomesOf = (conversation: string) =>
        talkOf(conversation)
          .replies()
          .filter(({ channelData }) => channelData?.interaction);

      for (const words of ['hello', 'menu', 'cancel'])
        it(`answers “${words}” in every chat`, async () => {
          for (const conversation of archive.chats) {
            const talk = talkOf(conversation);
            await talk.say(words);
            // A withdrawn request is answered by its outcome; with an agent in the chat, the bot says nothing.
            if (conversation === 'agent-joined') continue;
            await until(() => wordsOf(talk) !== '', `an answer in ${conversation}`);
          }
          isClean();
        });

      it('goes on with the answers to the open questions, or says that it begins again', async () => {
        const answers: Readonly<Record<string, string>> = {
          number: '+1 202 555 0102',
          customers: '1',
          customer: 'yes',
          products: 'router',
          documents: '1',
          forms: '1',
          'flow-question': 'blue',
          'flow-app': '+1 202 555 0102',
        };
        for (const [conversation, words] of Object.entries(answers)) {
          if (!archive.chats.includes(conversation)) continue;
          const talk = talkOf(conversation);
          await talk.say(words);
          assert.notEqual(wordsOf(talk), '', conversation);
          await talk.say('menu');
          assert.notEqual(wordsOf(talk), '', conversation);
        }
        isClean();
      });

      /** The customers answer on their devices: they pay, and decline everything else. */
      const answerAll = async () => {
        const outbox = await (await fetch(`${service.baseUrl}/outbox/messages`)).text();
        for (const [, link = ''] of outbox.matchAll(/href="[^"]*(\/r\/[A-Za-z0-9_-]+)"/g)) {
          const page = await (await fetch(service.baseUrl + link)).text();
          // Of the chat that asks what to do now, the request is over already.
          if (!page.includes('<form')) continue;
          await answer({ service }, link, /\$128\.40/.test(page) ? 'accept' : 'decline');
        }
        return /\b(\d{6})\b/.exec(outbox)?.[1] ?? 'no code';
      };
      const statusesOf = (conversation: string) => outcomesOf(conversation).map(({ channelData }) => channelData.interaction.status);

      for (const [when, before] of [
        ['before anybody has spoken', async () => {}],
        [
          'after the customer has asked for the status',
          async (talk: ChannelTalk) => {
            await talk.say('status');
            assert.notEqual(wordsOf(talk), '');
          },
        ],
      ] as const)
        it(`delivers the outcome of every request that waits, once, ${when}`, async () => {
          for (const conversation of waiting()) await before(talkOf(conversation));
          const code = await answerAll();
          await talkOf('wait-passcode').say(code);
          for (const conversation of waiting())
            await until(() => outcomesOf(conversation).length > 0, `the outcome in ${conversation}`, 30_000);
          for (const conversation of archive.chats) await talkOf(conversation).say('menu');
          for (const conversation of waiting()) {
            const succeeds = conversation === 'wait-payment' || conversation === 'wait-passcode';
            assert.deepEqual(statusesOf(conversation), [succeeds ? 'success' : 'failure'], conversation);
          }
          for (const conversation of archive.chats.filter((one) => !waiting().includes(one)))
            assert.deepEqual(outcomesOf(conversation), [], conversation);
          isClean();
        });
    });

describe('the changelog', () => {
  const changelog = readFileSync('CHANGELOG.md', 'utf8');
  const [unreleased, ...sections] = [...changelog.matchAll(/^## (.*)$/gm)].map(([, title = '']) => title);
  // Of 0.1.0 several states landed, on different days.
  const versions = sections.map((title) => /^(\d+\.\d+\.\d+)(?: \(20\d\d-\d\d-\d\d\)|(?<=^0\.1\.0))$/.exec(title)?.[1]);

  it('begins with what is unreleased, and names each version with its day', () => {
    assert.equal(unreleased, 'Unreleased');
    assert.deepEqual(
      sections.filter((_title, index) => versions[index] === undefined),
      [],
      'such as 0.2.0 (2026-12-01)',
    );
  });

  it('names the versions downwards, from the one of this program', () => {
    assert.equal(versions[0], JSON.parse(readFileSync('package.json', 'utf8')).version);
    assert.deepEqual(
      versions,
      versions.toSorted((a = '', b = '') => b.localeCompare(a, 'en', { numeric: true })),
    );
  });

  it('names no version whose data is missing', () => {
    const missing = versions.filter((version) => !releases.some((release) => release === version || release.startsWith(`${version}-`)));
    assert.deepEqual(missing, [], 'npm run release-data -- <version>');
  });
});
