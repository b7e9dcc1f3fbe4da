import assert from 'node:assert/strict';
import type { TurnContext } from 'botbuilder';
import { request } from 'undici';
import { makeBotServer } from '../../src/bot/server.ts';
import { makeLog } from '../../src/platform/log.ts';
import { SettingsError } from '../../src/platform/settings/settings-error.ts';
import { message } from '../support/activities.ts';
import { type BotUnderTest, type BotUnderTestOptions, startBot } from '../support/running-bot.ts';

const echo = async (context: TurnContext) => {
  const { type, text } = context.activity;
  if (type === 'message') await context.sendActivity(`You said: ${text}`);
};

describe('the messaging endpoint', () => {
  const open: BotUnderTest[] = [];
  const start = async (logic: (context: TurnContext) => Promise<void> = echo, options: BotUnderTestOptions = {}) => {
    const bot = await startBot(logic, options);
    open.push(bot);
    return bot;
  };
  afterEach(async () => {
    for (const bot of open.splice(0)) await bot.close();
  });

  describe('when something is wrong with the request', () => {
    let ran = 0;
    const counting = async () => void ran++;
    beforeEach(() => {
      ran = 0;
    });
    const json = { 'content-type': 'application/json' };
    const cases: [what: string, status: number, code: string, body: string, headers: Record<string, string>][] = [
      ['broken JSON', 400, 'malformed_json', '{', json],
      ['no body', 400, 'invalid_activity', '', json],
      ['no activity', 400, 'invalid_activity', '{}', json],
      ['a service URL elsewhere', 400, 'invalid_activity', JSON.stringify(message({ serviceUrl: 'http://169.254.169.254/' })), json],
      [
        "our own Direct Line's service URL",
        400,
        'invalid_activity',
        JSON.stringify(message({ serviceUrl: 'urn:countersign:directline' })),
        json,
      ],
      ['an activity over 256 KB', 413, 'too_large', JSON.stringify(message({ channelData: 'x'.repeat(256 * 1024) })), json],
      ['deep nesting', 400, 'too_deep', `{"a":${'['.repeat(40)}${']'.repeat(40)}}`, json],
      ['another type', 415, 'unsupported_media_type', JSON.stringify(message()), { 'content-type': 'text/plain' }],
      ['a form', 400, 'invalid_activity', 'type=message', { 'content-type': 'application/x-www-form-urlencoded' }],
      ['a content encoding', 415, 'unsupported_encoding', 'x', { ...json, 'content-encoding': 'gzip' }],
      ['another host', 421, 'wrong_host', JSON.stringify(message()), { ...json, host: 'evil.example' }],
    ];
    for (const [what, status, code, body, headers] of cases) {
      it(`answers ${what} with ${status} ${code}, and runs nothing`, async () => {
        const bot = await start(counting);
        const response = await request(`${bot.base}/api/messages`, { method: 'POST', headers, body });
        assert.equal(response.statusCode, status);
        assert.equal(response.headers['content-type'], 'application/problem+json');
        assert.equal(((await response.body.json()) as { code: string }).code, code);
        assert.equal(ran, 0);
      });
    }

    it('takes an activity of almost 256 KB', async () => {
      assert.equal((await (await start(counting)).send({ channelData: 'x'.repeat(250 * 1024) })).status, 200);
      assert.equal(ran, 1);
    });

    it('answers another method with 405', async () => {
      const bot = await start(counting);
      const response = await request(`${bot.base}/api/messages`);
      assert.equal(response.statusCode, 405);
      await response.body.dump();
    });
  });

  describe('and the health probes beside it', () => {
    const probe = async (bot: BotUnderTest, path: string) => {
      const response = await request(`${bot.base}${path}`);
      return [response.statusCode, await response.body.json()];
    };

    it('report it live and ready', async () => {
      const bot = await start(echo, { needs: { storage: async () => {} } });
      assert.deepEqual(await probe(bot, '/healthz'), [200, { status: 'ok' }]);
      assert.deepEqual(await probe(bot, '/readyz'), [200, { status: 'ready' }]);
    });

    it('name the part that does not work', async () => {
      const broken = async () => {
        throw new Error('/secret/path');
      };
      const bot = await start(echo, { needs: { storage: broken, service: async () => {}, listener: () => broken() } });
      assert.deepEqual(await probe(bot, '/healthz'), [200, { status: 'ok' }]);
      assert.deepEqual(await probe(bot, '/readyz'), [503, { status: 'not ready', failing: ['storage', 'listener'] }]);
    });
  });

  it('does not start in production without an app id', () => {
    const adapter = { receive: async () => undefined, settled: async () => true };
    assert.throws(
      () =>
        makeBotServer({
          identity: { NODE_ENV: 'production' },
          adapter,
          logic: echo,
          answersTo: () => true,
          needs: {},
          log: makeLog('silent'),
        }),
      (fault) => fault instanceof SettingsError && /^MicrosoftAppId:/.test(fault.message),
    );
  });

  it('listens on loopback only without an app id', async () => {
    const address = (await start()).server.http.node.address();
    assert.equal(typeof address === 'object' && address?.address, '127.0.0.1');
  });
});
