import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fetch } from 'undici';
import { hang, startMisbehavingService } from '../support/misbehaving-service.ts';
import { openWorkshop, type Running, type Workshop } from '../support/process.ts';
import { openLine, talksToTheService } from '../support/started-line.ts';
import { itFurther, itSample } from '../support/tier.ts';
import { until } from '../support/until.ts';

describe('the process', function () {
  this.timeout(120_000);
  let workshop: Workshop;
  beforeEach(() => {
    workshop = openWorkshop();
  });
  afterEach(() => workshop.close());

  const status = async (address: string) => (await fetch(address)).status;
  const answers = async (address: string) => status(address).catch(() => undefined);

  /** Refused before anything started: a line of words for each problem, named, and nothing else. */
  const isRefused = async (running: Running, ...settings: string[]) => {
    const { code } = await running.ended();
    const lines = running.stderr().trim().split('\n');
    assert.equal(code, 78, running.stderr());
    assert.equal(running.stdout(), '');
    assert.equal(lines.length, settings.length, running.stderr());
    for (const [index, setting] of settings.entries()) {
      assert.ok(lines[index]?.startsWith(`${setting}: `), `${lines[index]} begins with ${setting}`);
      assert.match(lines[index] as string, /^[^\n]{20,300}[.]$/);
      assert.doesNotMatch(lines[index] as string, / {4}at |Error\b|\{|expected|Invalid input|\bE[A-Z]{4,}\b/);
    }
  };

  describe('started with nothing but ports and a folder', () => {
    let own: Workshop;
    let settings: Record<string, string>;
    let running: Running;
    before(async () => {
      own = openWorkshop();
      settings = await own.settings();
      running = own.start([], settings);
      await running.addresses('bot endpoint');
    });
    after(() => own.close());

    it('prints eight addresses, each of which answers', async () => {
      const addresses = await running.addresses('bot endpoint');
      const { console: link = '', desk = '', ...lasting } = addresses;
      assert.match(link, new RegExp(`^http://localhost:${settings.SERVICE_PORT}/console/sign-in/[\\w-]{32}$`));
      assert.match(desk, new RegExp(`^http://localhost:${settings.PORT}/desk/sign-in/[\\w-]{32}$`));
      assert.deepEqual(Object.keys(addresses), ['chat', 'outbox', 'service', 'console', 'desk', 'designer', 'mcp', 'bot endpoint']);
      assert.deepEqual(lasting, {
        chat: `http://localhost:${settings.PORT}/`,
        outbox: `http://localhost:${settings.SERVICE_PORT}/outbox`,
        service: `http://127.0.0.1:${settings.SERVICE_PORT}`,
        designer: `http://localhost:${settings.PORT}/designer`,
        mcp: `http://localhost:${settings.PORT}/mcp`,
        'bot endpoint': `http://localhost:${settings.PORT}/api/messages`,
      });
      const bot = `http://127.0.0.1:${settings.PORT}`;
      for (const address of [
        addresses.chat,
        addresses.outbox,
        addresses.designer,
        link,
        desk,
        `${bot}/healthz`,
        `${bot}/readyz`,
        `${addresses.service}/healthz`,
        `${addresses.service}/readyz`,
      ])
        assert.equal(await status(address as string), 200, address);
    });

    it('keeps its secrets in files that nobody else may read', () => {
      for (const name of ['service.key', 'service.pepper', 'directline.key'])
        assert.equal(statSync(join(own.dataDir, name)).mode & 0o077, 0, name);
      assert.ok(!running.stdout().includes(readFileSync(join(own.dataDir, 'service.key'), 'utf8').trim()));
    });

    it('lets no other process use its folder', async () => {
      const second = own.start([], await own.settings());
      await isRefused(second, 'DATA_DIR');
      assert.match(second.stderr(), /another process/);
    });

    // A stop that takes longer than its 10 s ends with 1, so the code tells the time too.
    it('stops on SIGTERM, even if repeated, although a browser keeps its connections and a socket is open', async () => {
      const { streamUrl } = await openLine(settings);
      const socket = new WebSocket(streamUrl);
      await once(socket, 'open');
      running.child.kill('SIGTERM');
      assert.deepEqual(await running.stop('SIGTERM'), { code: 0, signal: null });
      assert.equal(running.stderr(), '');
      assert.equal(await answers(`http://127.0.0.1:${settings.PORT}/healthz`), undefined);
    });

    it('starts again on the same folder, and stops on Ctrl-C', async () => {
      const again = own.start([], settings);
      await again.addresses('bot endpoint');
      assert.deepEqual(await again.stop('SIGINT'), { code: 0, signal: null });
      assert.equal(again.stderr(), '');
    });
  });

  it('stops although the service hangs in the middle of a customer’s turn', async () => {
    const service = await startMisbehavingService();
    service.script(hang);
    try {
      const settings = await workshop.settings({ SERVICE_BASE_URL: service.baseUrl, SERVICE_SECRET_KEY: 'sk_1' });
      const running = workshop.start([], settings);
      assert.deepEqual(Object.keys(await running.addresses('bot endpoint')), [
        'chat',
        'service',
        'desk',
        'designer',
        'mcp',
        'bot endpoint',
      ]);
      const line = await openLine(settings);
      await line.say('payments');
      const turn = line.say('+12025550110').catch(() => {});
      await until(() => service.requests.length === 1, 'the lookup');
      assert.deepEqual(await running.stop('SIGTERM'), { code: 0, signal: null });
      await turn;
    } finally {
      await service.close();
    }
  });

  it('works in two parts that are started at once, on an empty folder', async () => {
    const settings = await workshop.settings();
    const [service, bot] = [workshop.start(['service'], settings), workshop.start(['bot'], settings)];
    await service.addresses('service');
    await bot.addresses('bot endpoint');
    await talksToTheService(settings);
  });

  it('says how it is used, whatever the settings are, and ends', async () => {
    for (const words of [['--help'], ['service-key', '--help']]) {
      const running = workshop.start(words, await workshop.settings({ PORT: 'abc' }));
      assert.equal((await running.ended()).code, 0);
      assert.equal(running.stderr(), '');
      assert.match(running.stdout(), /^npm (?:start|run )/);
    }
  });

  describe('is refused', () => {
    const takePort = async () => {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      return { port: String((server.address() as { port: number }).port), close: () => server.close() };
    };

    // The rest is tried within a process too, by test/compose/start.test.ts and command.test.ts.
    for (const setting of ['PORT', 'SERVICE_PORT'] as const) {
      itSample(setting === 'PORT')(`when ${setting} is taken, and leaves nothing running`, async () => {
        const taken = await takePort();
        try {
          const settings = await workshop.settings({ [setting]: taken.port });
          await isRefused(workshop.start([], settings), setting);
          const other = setting === 'PORT' ? settings.SERVICE_PORT : settings.PORT;
          assert.equal(await answers(`http://127.0.0.1:${other}/healthz`), undefined);
        } finally {
          taken.close();
        }
      });
    }

    itFurther('when a file is in the place of DATA_DIR', async () => {
      const file = join(workshop.dataDir, 'file');
      writeFileSync(file, 'x');
      await isRefused(workshop.start([], await workshop.settings({ DATA_DIR: file })), 'DATA_DIR');
    });

    it('for a word it does not know', async () => {
      await isRefused(workshop.start(['bots'], await workshop.settings()), 'command');
    });

    itFurther('for a word too many', async () => {
      const running = workshop.start(['service-key', 'foo'], await workshop.settings());
      await isRefused(running, 'command');
      assert.match(running.stderr(), /service-key takes no arguments: foo/);
    });

    it('for wrong settings, all of them at once', async () => {
      await isRefused(workshop.start([], await workshop.settings({ PORT: 'abc', HANDOFF: 'maybe' })), 'PORT', 'HANDOFF');
    });
  });
});
