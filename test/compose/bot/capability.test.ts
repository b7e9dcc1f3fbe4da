import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { type AnyCapability, type OptionsOf, openCapabilities } from '../../../src/compose/bot/capability.ts';
import { openBot } from '../../../src/compose/bot/open-bot.ts';
import type { BotOptions } from '../../../src/compose/bot-options.ts';
import { capabilities } from '../../../src/compose/capabilities.ts';
import { botOptionsOf } from '../../../src/compose/start/bot-settings.ts';
import { readSettings, settingNames } from '../../../src/compose/start/settings.ts';
import { openTelemetry } from '../../../src/compose/start/telemetry.ts';
import { makeLog } from '../../../src/platform/log.ts';
import { visitors } from './visitors.ts';

const log = makeLog('silent');
const service = { baseUrl: 'http://127.0.0.1:1', wsUrl: 'ws://127.0.0.1:1', secretKey: 'sk_1', idempotent: true };

/** A bot with the capabilities of a list, at the address that it listens on. */
const openWith = async (list: readonly AnyCapability[], environment: Record<string, string>) => {
  const folder = mkdtempSync(join(tmpdir(), 'capability-'));
  const settings = readSettings({ DATA_DIR: folder, HANDOFF: 'none', ...environment }, 'bot', list);
  const telemetry = await openTelemetry(settings, () => {});
  // The package's options have those of every capability, or the compiler reports it here.
  const options: OptionsOf<typeof capabilities> & BotOptions = botOptionsOf(settings, service, log, telemetry, list);
  const bot = await openBot(list, options);
  const base = `http://127.0.0.1:${await bot.listen(0)}`;
  const read = async (path: string) => {
    const { body, statusCode } = await request(base + path);
    return { status: statusCode, text: await body.text() };
  };
  return {
    bot,
    read,
    /** A customer opens the web chat, and writes: two turns. */
    write: async () => {
      const { token } = await bot.directLine.issueToken({});
      const post = async (path: string, body?: object) => {
        const answer = await request(`${base}/v3/directline/conversations${path}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          ...(body && { body: JSON.stringify(body) }),
        });
        assert.ok(answer.statusCode < 300);
        return (await answer.body.json()) as { readonly conversationId: string };
      };
      const { conversationId } = await post('');
      await post(`/${conversationId}/activities`, { type: 'message', text: 'hello', from: { id: 'visitor' } });
    },
    close: async () => {
      await bot.close();
      await telemetry.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

describe('a capability of thirty lines', () => {
  const list = [...capabilities, visitors];

  it('brings a setting, a step of the turn, a route, a metric, a link and a line of the doctor', async () => {
    const { bot, close, read, write } = await openWith(list, { COUNT_VISITORS: 'true' });
    try {
      assert.deepEqual(JSON.parse((await read('/visitors')).text), { seen: 0 });
      await write();
      assert.deepEqual(JSON.parse((await read('/visitors')).text), { seen: 2 });
      assert.match((await read('/metrics')).text, /^countersign_visitors_total 2$/m);
      assert.deepEqual(bot.links.at(-1), { label: 'visitors', path: '/visitors' });
      const settings = readSettings({ COUNT_VISITORS: 'true' }, 'bot', list) as never;
      assert.deepEqual(await visitors.settings?.check?.(settings, 0), [['visitors', { status: 'ok', words: 'are counted.' }]]);
    } finally {
      await close();
    }
  });

  it('reports what is wrong with its settings together with everything else', () =>
    assert.throws(
      () => readSettings({ COUNT_VISITORS: 'perhaps', PORT: 'x' }, 'bot', list),
      (fault: { lines?: readonly string[] }) =>
        ['COUNT_VISITORS: must be true or false.', 'PORT: must be a port number, 0 to 65535.'].every((line) => fault.lines?.includes(line)),
    ));

  it('leaves no trace where it is not listed, or not asked for', async () => {
    assert.ok(!settingNames.includes('COUNT_VISITORS'));
    for (const [some, environment] of [
      [capabilities, { COUNT_VISITORS: 'true' }],
      [list, {}],
    ] as const) {
      const { bot, close, read } = await openWith(some, environment);
      try {
        assert.equal((await read('/visitors')).status, 404);
        assert.doesNotMatch((await read('/metrics')).text, /visitors/);
        assert.ok(!bot.links.some(({ label }) => label === 'visitors'));
      } finally {
        await close();
      }
    }
  });
});

describe('the list of capabilities', () => {
  const context = {} as Parameters<typeof openCapabilities>[1];
  const options = {} as Parameters<typeof openCapabilities>[2];

  it('opens each with what those above it have brought, and in no other order', async () => {
    const seen: unknown[] = [];
    const first: AnyCapability = { name: 'first', open: () => ({ dialogs: { redraw: () => undefined } }) };
    const second: AnyCapability = {
      name: 'second',
      open: (bot) => {
        seen.push(typeof bot.dialogs.redraw, bot.of(first)?.dialogs !== undefined, bot.of(second));
        return undefined;
      },
    };
    await openCapabilities([first, second], context, options);
    await openCapabilities([second, first], context, options);
    assert.deepEqual(seen, ['function', true, undefined, 'undefined', false, undefined]);
  });

  it('closes what is open if one cannot be opened', async () => {
    const closed: string[] = [];
    const open: AnyCapability = { name: 'open', open: () => ({ close: () => void closed.push('open') }) };
    const broken: AnyCapability = {
      name: 'broken',
      open: () => {
        throw new Error('no folder');
      },
    };
    await assert.rejects(openCapabilities([open, broken], context, options), /no folder/);
    assert.deepEqual(closed, ['open']);
  });

  it('closes each once, though a start that fails closes twice', async () => {
    const closed: string[] = [];
    const one: AnyCapability = { name: 'one', open: () => ({ close: () => void closed.push('one') }) };
    const { close } = await openCapabilities([one], context, options);
    await Promise.all([close(), close()]);
    await close();
    assert.deepEqual(closed, ['one']);
  });

  it('tells each of them of an interaction', async () => {
    const heard: string[] = [];
    const named = (name: string): AnyCapability => ({ name, open: () => ({ notice: ({ id }) => void heard.push(`${name} ${id}`) }) });
    const { notice } = await openCapabilities([named('one'), named('two')], context, options);
    notice({ id: 'i1' } as never);
    assert.deepEqual(heard, ['one i1', 'two i1']);
  });
});
