import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { type WebSocket, WebSocketServer } from 'ws';
import { TokenError } from '../../../src/bot/authentication/tokens.ts';
import { examine } from '../../../src/compose/commands/doctor.ts';
import { makeFlowVersions } from '../../../src/flows/index.ts';
import { openStorage } from '../../../src/storage/index.ts';
import { allTables } from '../../support/all-tables.ts';
import { flowOf } from '../../support/flows.ts';
import {
  type Behaviour,
  bytes,
  empty,
  half,
  hang,
  json,
  type MisbehavingService,
  raw,
  refuse,
  reset,
  type Seen,
  startMisbehavingService,
} from '../../support/misbehaving-service.ts';
import { makeTestProvider } from '../../support/openid-provider.ts';
import { newDatabase } from '../../support/postgres.ts';
import { startTestService, type TestService } from '../../support/running-service.ts';
import { accepted, intent, succeeded } from '../../support/samples.ts';
import { itOnPostgres } from '../../support/tier.ts';

const key = 'canary-secret-key-0123456789';
const patience = { request: 300, socket: { handshake: 300, answer: 300 } };
const page: Behaviour = raw(404, '<!doctype html><title>Not found</title>', { 'content-type': 'text/html; charset=utf-8' });
const notFinished = refuse(404, 'not_found');
const nobody = json(200, { customers: [] });
const wrongField = refuse(422, 'invalid');

/** The phone number that came, however it travelled in the way this service understands. */
const came = {
  body: ({ method, body }: Seen) => (method === 'GET' ? body : ''),
  query: ({ url }: Seen) => url,
  post: ({ method, body }: Seen) => (method === 'POST' ? body : ''),
};
/** A bootstrap that understands some ways of travelling; in the others the fields do not arrive. */
const understands =
  (ways: readonly (keyof typeof came)[], without: Behaviour = wrongField): Behaviour =>
  (res, seen) => {
    const text = decodeURIComponent(ways.map((way) => came[way](seen)).join(' '));
    if (/12025550199/.test(text)) nobody(res, seen);
    else if (/not-a-number/.test(text)) wrongField(res, seen);
    else without(res, seen);
  };
const byPath =
  (results: Behaviour, bootstrap: Behaviour = understands(['body'])): Behaviour =>
  (res, seen) =>
    (seen.url.startsWith('/results/') ? results : bootstrap)(res, seen);

type DoctorParts = NonNullable<Parameters<typeof examine>[2]>;

describe('the doctor', () => {
  let folder: string;
  let lines: string[];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-doctor-'));
    lines = [];
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
    assert.doesNotMatch(lines.join('\n'), /canary/);
  });
  const run = (settings: Record<string, string>, parts: DoctorParts = {}) =>
    examine({ DATA_DIR: folder, SERVICE_SECRET_KEY: key, ...settings }, (line) => lines.push(line), { patience, ...parts });
  const finding = (check: string) => {
    const [line = ''] = lines.filter((each) => new RegExp(`^\\w+ +${check} `).test(each));
    const [, verdict, words] = new RegExp(`^(\\w+) +${check} +(.*)$`).exec(line) ?? [];
    return { verdict, words: words ?? '' };
  };
  const says = (check: string, verdict: string, words: RegExp) => {
    assert.equal(finding(check).verdict, verdict, lines.join('\n'));
    assert.match(finding(check).words, words);
  };

  describe('of a bot beside the reference service', () => {
    let service: TestService;
    before(async () => {
      service = await startTestService();
    });
    after(() => service.close());
    const settings = (more: Record<string, string> = {}) => ({
      SERVICE_BASE_URL: service.running.baseUrl,
      SERVICE_WS_URL: service.running.wsUrl,
      SERVICE_SECRET_KEY: service.running.secretKey,
      ...more,
    });

    for (const mode of ['body', 'query', 'post']) {
      it(`finds everything well, with lookups by ${mode}, and tells no secret`, async () => {
        assert.equal(await run(settings({ SERVICE_BOOTSTRAP: mode })), 0);
        assert.deepEqual(
          lines.map((line) => line.replace(/^(\w+) +(\w+(?: \w+)?) {2}.*$/, '$1 $2')),
          ['settings', 'data folder', 'flows', 'bot identity', 'service', 'key', 'results', 'bootstrap', 'clock', 'websocket'].map(
            (check) => `ok ${check}`,
          ),
        );
        assert.ok(!lines.join('').includes(service.running.secretKey));
        assert.equal((await service.outbox()).length, 0);
      });
    }

    it('finds the database of a bot that runs', async () => {
      assert.equal(await run(settings({ DATA_DIR: service.dataDir })), 0);
    });

    describe('with texts of the operator', () => {
      const texts = () => join(folder, 'texts');
      beforeEach(() => mkdirSync(texts()));

      it('tells how many are in use', async () => {
        writeFileSync(join(texts(), 'en.json'), '{ "cards": { "yes": "Aye", "no": "Nay" } }');
        await run(settings({ TEXTS_DIR: texts() }));
        says('texts', 'ok', /^2 of your own replace built-in ones\.$/);
      });

      it('tells all that is wrong with them', async () => {
        writeFileSync(join(texts(), 'en.json'), '{ "cards": { "yes": "" } }');
        writeFileSync(join(texts(), 'pt.json'), '{}');
        assert.equal(await run(settings({ TEXTS_DIR: texts() })), 78);
        assert.match(lines.join('\n'), /^wrong +settings +TEXTS_DIR: en\.json: line 1: cards\.yes must not be empty\.$/m);
        assert.match(lines.join('\n'), /^wrong +settings +TEXTS_DIR: pt\.json: pt is no language/m);
      });
    });

    it('reports the faults of the operator’s cards', async () => {
      const cards = join(folder, 'cards');
      mkdirSync(cards);
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a template's own placeholder
      writeFileSync(join(cards, 'record.json'), '{ "type": "AdaptiveCard", "body": [{ "type": "TextBlock", "text": "${text}" }] }');
      await run(settings({ CARDS_DIR: cards }));
      says('cards', 'ok', /^the templates are valid\.$/);
      lines.length = 0;
      writeFileSync(join(cards, 'menus.json'), '{}');
      assert.equal(await run(settings({ CARDS_DIR: cards })), 1);
      says('cards', 'wrong', /^CARDS_DIR: menus\.json: is named after no kind of card; did you mean menu\?$/);
    });

    describe('with flows', () => {
      const flows = () => join(folder, 'flows');
      const write = (name: string, text: string) => writeFileSync(join(flows(), `${name}.yaml`), text);
      const runIn = (version: string, at: string) => ({
        dialogs: { dialogStack: [{ id: 'run', state: { flowVersion: version, frames: [{ flow: 'trial', at, values: {}, tries: {} }] } }] },
      });
      /** Puts two chats into a version that is kept, or is not. */
      const fill = async (url: string | undefined, kept: boolean) => {
        const storage = await openStorage(folder, { url, tables: allTables });
        const body = JSON.stringify({ trial: flowOf('- say: canary') });
        if (kept) await storage.of(makeFlowVersions).keep({ version: 'abc', flow: 'trial', body });
        await storage.botState.write({
          one: { json: JSON.stringify(runIn('abc', 'do.0')) },
          two: { json: JSON.stringify(runIn('abc', kept ? 'do.7' : 'do.0')) },
          three: { json: '{}' },
        });
        await storage.close();
      };
      beforeEach(() => mkdirSync(flows()));

      it('names every fault, by file and line', async () => {
        write('one', flowOf('- sya: x', '', 'one'));
        write('two', flowOf('- go: nowhere', '', 'two'));
        assert.equal(await run(settings({ FLOWS_DIR: flows() })), 1);
        assert.deepEqual(
          lines.filter((line) => / flows /.test(line)).map((line) => line.replace(/^(\w+) .*\/(\w+\.yaml:\d+:\d+: \w+).*$/, '$1 $2')),
          ['wrong one.yaml:4:5: sya', 'wrong two.yaml:4:9: there'],
        );
      });

      it('warns of texts that are missing in a language, which keeps nothing from running', async () => {
        write('one', flowOf('- say: { en: Hello }\n- say: { en: Hello, es: Hola }\n- say: { en: Bye }', '', 'one'));
        assert.equal(await run(settings({ FLOWS_DIR: flows() })), 0);
        assert.match(
          lines.join('\n'),
          /^ok +flows +4 flows can be started\.\nwarning +flows +.*one\.yaml: texts are missing in some languages, .*: line 4, 6\.$/m,
        );
      });

      it('reports a missing folder', async () => {
        assert.equal(await run(settings({ FLOWS_DIR: join(folder, 'nowhere') })), 1);
        says('flows', 'wrong', /^FLOWS_DIR: there is no folder/);
      });

      const databases = [
        ['SQLite', it, async () => undefined],
        ['Postgres', itOnPostgres, newDatabase],
      ] as const;
      for (const [database, itThere, make] of databases) {
        itThere(`names a version that conversations are in and that is no longer stored, on ${database}`, async () => {
          const url = await make();
          await fill(url, false);
          assert.equal(await run(settings(url ? { DATABASE_URL: url } : {})), 1);
          says('flows', 'wrong', /^2 conversations are in version abc of trial, which is no longer stored/);
        });

        itThere(`names conversations at a step that their version does not have, on ${database}`, async () => {
          const url = await make();
          await fill(url, true);
          assert.equal(await run(settings(url ? { DATABASE_URL: url } : {})), 1);
          says('flows', 'wrong', /^1 conversation is in version abc of trial, at steps that/);
        });
      }
    });

    itOnPostgres('finds a Postgres that is to be filled, then one that is up to date, then one of a newer version', async () => {
      const DATABASE_URL = await newDatabase();
      assert.equal(await run(settings({ DATABASE_URL })), 0);
      says('database', 'unknown', /the next start brings its tables up to date/);
      await (await openStorage(undefined, { url: DATABASE_URL, tables: allTables })).close();
      lines.length = 0;
      assert.equal(await run(settings({ DATABASE_URL })), 0);
      says('database', 'ok', /up to date/);
      const client = new Client({ connectionString: DATABASE_URL });
      await client.connect();
      await client.query(`insert into kysely_migration values ('9999-tomorrow', 'now')`);
      await client.end();
      lines.length = 0;
      assert.equal(await run(settings({ DATABASE_URL })), 1);
      says('database', 'wrong', /created by a newer version/);
    });

    it('sees whether people can sign in at the console', async () => {
      const provider = await makeTestProvider({ redirectUris: ['http://localhost/console/sign-in/callback'] });
      const openId = {
        SERVICE_OIDC_ISSUER: provider.issuer,
        SERVICE_OIDC_CLIENT_ID: 'console',
        SERVICE_OIDC_CLIENT_SECRET: 'canary-client-secret',
      };
      assert.equal(await run(settings(openId)), 1);
      says('console', 'wrong', /nothing answers there/);
      await provider.start();
      const looks: [string, string, number, RegExp][] = [
        [provider.issuer, 'ok', 0, /is the provider that the settings name/],
        [`${provider.issuer}/elsewhere`, 'wrong', 1, /no OpenID configuration there/],
        [provider.issuer.replace('127.0.0.1', 'localhost'), 'wrong', 1, /calls itself by another name/],
      ];
      try {
        for (const [SERVICE_OIDC_ISSUER, verdict, code, words] of looks) {
          lines.length = 0;
          assert.equal(await run(settings({ ...openId, SERVICE_OIDC_ISSUER })), code);
          says('console', verdict, words);
        }
      } finally {
        await provider.stop();
      }
    });

    it('sees that no Postgres answers, and keeps its password', async () => {
      assert.equal(await run(settings({ DATABASE_URL: 'postgres://user:canary@127.0.0.1:1/bot' })), 1);
      says('database', 'wrong', /^DATABASE_URL: the Postgres at 127\.0\.0\.1:1 cannot be reached/);
    });

    it('sees that the key is not the account’s', async () => {
      assert.equal(await run(settings({ SERVICE_SECRET_KEY: key })), 1);
      says('key', 'wrong', /refuses the key \(401\)\. Set SERVICE_SECRET_KEY/);
      says('results', 'unknown', /before the key is accepted/);
      says('bootstrap', 'unknown', /401/);
    });

    it('sees that the path is wrong', async () => {
      assert.equal(await run(settings({ SERVICE_BASE_URL: `${service.running.baseUrl}/api/v0` })), 1);
      says('bootstrap', 'wrong', /no kind of look-up works \(body: 404, query: 404, post: 404\)\. Check the path in SERVICE_BASE_URL/);
    });

    it('reports that there is no websocket at the address', async () => {
      assert.equal(await run(settings({ SERVICE_WS_URL: `${service.running.wsUrl}x` })), 1);
      says('websocket', 'wrong', /SERVICE_WS_URL/);
    });
  });

  describe('of a service that misbehaves', () => {
    let service: MisbehavingService;
    before(async () => {
      service = await startMisbehavingService();
    });
    after(() => service.close());

    const table: [what: string, behaviour: Behaviour, check: string, verdict: string, words: RegExp, settings?: Record<string, string>][] =
      [
        ['does not answer', hang, 'service', 'wrong', /did not answer in time/],
        ['breaks the connection', reset, 'service', 'wrong', /connection broke/],
        ['does not speak HTTP', bytes('220 mail.example.com ESMTP\r\n'), 'service', 'wrong', /does not speak HTTP/],
        ['answers half', half, 'service', 'wrong', /connection broke/],
        ['answers with a page', page, 'results', 'wrong', /web page[\s\S]*path in SERVICE_BASE_URL/],
        ['answers with a page', page, 'key', 'unknown', /results endpoint/],
        ['answers 404 and nothing else', byPath(empty(404)), 'results', 'unknown', /without JSON/],
        [
          'redirects',
          empty(301, { location: 'https://user:canary@new.example.com/x?canary' }),
          'results',
          'wrong',
          /redirects to https:\/\/new\.example\.com\./,
        ],
        ['redirects nowhere', empty(302, { location: 'canary' }), 'results', 'wrong', /redirects\. Set/],
        ['has a result for everything', byPath(json(200, {})), 'results', 'wrong', /does not exist has a result/],
        ['fails', refuse(500, 'internal'), 'results', 'wrong', /fails \(500\)/],
        ['fails', refuse(503, 'unavailable'), 'key', 'unknown', /./],
        ['refuses every key', refuse(401, 'unauthorized'), 'key', 'wrong', /401/],
        ['knows the key and allows nothing', refuse(403, 'forbidden'), 'key', 'wrong', /403/],
        ['wants fewer requests', refuse(429, 'rate_limited', { 'retry-after': '9' }), 'results', 'unknown', /fewer requests/],
        ['wants fewer requests', refuse(429, 'rate_limited', { 'retry-after': '9' }), 'bootstrap', 'unknown', /fewer requests/],
        ['takes no result by GET', refuse(405, 'method_not_allowed'), 'results', 'wrong', /refuses to return results \(405\)/],
        ['is as it should be', byPath(notFinished), 'bootstrap', 'ok', /SERVICE_BOOTSTRAP=body/],
        [
          'drops the body of a GET',
          byPath(notFinished, understands(['query', 'post'])),
          'bootstrap',
          'wrong',
          /a lookup fails \(422\) with SERVICE_BOOTSTRAP=body\. Set SERVICE_BOOTSTRAP=query/,
        ],
        [
          'drops the body of a GET and answers all the same',
          byPath(notFinished, understands(['post'], nobody)),
          'bootstrap',
          'wrong',
          /its fields do not arrive with SERVICE_BOOTSTRAP=body\. Set SERVICE_BOOTSTRAP=post/,
        ],
        [
          'wants the body, not a query',
          byPath(notFinished),
          'bootstrap',
          'wrong',
          /Set SERVICE_BOOTSTRAP=body/,
          { SERVICE_BOOTSTRAP: 'query' },
        ],
        ['cannot tell a number from nonsense', byPath(notFinished, nobody), 'bootstrap', 'unknown', /the same answer/],
        ['looks up in another shape', byPath(notFinished, json(200, { people: [] })), 'bootstrap', 'wrong', /body: another shape/],
        [
          'breaks on the body of a GET',
          byPath(notFinished, (res, seen) => (seen.method === 'GET' && seen.body !== '' ? reset : understands(['query']))(res, seen)),
          'bootstrap',
          'wrong',
          /a lookup fails \(reset\) with SERVICE_BOOTSTRAP=body\. Set SERVICE_BOOTSTRAP=query/,
        ],
        [
          'lets nobody be looked up',
          byPath(notFinished, refuse(403, 'forbidden')),
          'bootstrap',
          'unknown',
          /may not look anybody up \(403\)/,
        ],
        [
          'has other apps than e-forms',
          byPath(notFinished, (res, seen) =>
            (seen.url.startsWith('/e-form') ? refuse(403, 'forbidden') : (withProducts as Behaviour))(res, seen),
          ),
          'bootstrap',
          'ok',
          /arrive/,
        ],
        [
          'has a clock that is late',
          byPath(refuse(404, 'not_found', { date: 'Fri, 20 Nov 2026 09:00:00 GMT' })),
          'clock',
          'wrong',
          /10 minutes ahead of the service/,
        ],
        [
          'has a clock that is early',
          byPath(refuse(404, 'not_found', { date: 'Fri, 20 Nov 2026 09:10:45 GMT' })),
          'clock',
          'wrong',
          /45 seconds behind the service/,
        ],
        ['has a clock a little apart', byPath(refuse(404, 'not_found', { date: 'Fri, 20 Nov 2026 09:10:20 GMT' })), 'clock', 'ok', /agree/],
        ['does not know the time', byPath(refuse(404, 'not_found', { date: 'soon' })), 'clock', 'unknown', /no Date/],
        ['has no websocket', notFinished, 'websocket', 'wrong', /no websocket at this path \(404\)/],
        ['does not know websockets', byPath(notFinished), 'websocket', 'wrong', /handshake is answered with 422/],
      ];
    const withProducts: Behaviour = (res, seen) =>
      /12025550199/.test(seen.body) ? json(200, { customers: [], products: [] })(res, seen) : wrongField(res, seen);
    for (const [what, behaviour, check, verdict, words, settings] of table) {
      it(`says of one that ${what}: ${check} ${verdict}`, async () => {
        service.script(behaviour);
        const now = () => Date.UTC(2026, 10, 20, 9, 10, 0);
        const code = await run({ SERVICE_BASE_URL: service.baseUrl, ...settings }, { now });
        says(check, verdict, words);
        assert.equal(code, lines.some((line) => line.startsWith('wrong')) ? 1 : 0);
        assert.equal(lines.length, 10);
      });
    }

    it('reports an address at which nothing answers', async () => {
      const gone = await startMisbehavingService();
      await gone.close();
      assert.equal(await run({ SERVICE_BASE_URL: gone.baseUrl }), 1);
      says('service', 'wrong', /nothing answers there/);
      for (const check of ['key', 'results', 'bootstrap', 'clock']) says(check, 'unknown', /while the service does not answer/);
    });

    it('says which service to start when none is set', async () => {
      const gone = await startMisbehavingService();
      await gone.close();
      assert.equal(await run({ SERVICE_PORT: String(gone.port) }), 1);
      says('service', 'wrong', /Start it with npm start/);
    });
  });

  describe('of a websocket', () => {
    let sockets: WebSocketServer;
    let plain: Server | undefined;
    let behave: (socket: WebSocket) => void;
    beforeEach(async () => {
      sockets = new WebSocketServer({ port: 0, host: '127.0.0.1' });
      sockets.on('connection', (socket) => behave(socket));
      await new Promise((resolve) => sockets.once('listening', resolve));
    });
    afterEach(async () => {
      for (const socket of sockets.clients) socket.terminate();
      await new Promise((resolve) => sockets.close(resolve));
      await new Promise((resolve) => (plain ? plain.close(resolve) : resolve(undefined)));
      plain = undefined;
    });
    const portOf = (server: { address(): unknown }) => (server.address() as { port: number }).port;
    const runOn = (port: number) => run({ SERVICE_BASE_URL: `http://127.0.0.1:${port}`, SERVICE_WS_URL: `ws://127.0.0.1:${port}/ws` });

    const table: [what: string, behave: (socket: WebSocket) => void, verdict: string, words: RegExp][] = [
      ['closes at an unknown token', (socket) => socket.on('message', () => socket.close(4404)), 'ok', /refuses an unknown token \(4404\)/],
      ['answers an unknown token', (socket) => socket.on('message', () => socket.send('{}')), 'ok', /answers an unknown token/],
      ['says nothing to an unknown token', () => {}, 'unknown', /does not react/],
      ['breaks off', (socket) => socket.on('message', () => socket.terminate()), 'unknown', /broke/],
      [
        'sends too much',
        (socket) => socket.on('message', () => socket.send('x'.repeat(100_000))),
        'unknown',
        /violates the websocket protocol/,
      ],
    ];
    for (const [what, how, verdict, words] of table) {
      it(`says of one that ${what}: ${verdict}`, async () => {
        const heard: string[] = [];
        behave = (socket) => {
          socket.on('message', (data) => heard.push(String(data)));
          how(socket);
        };
        await runOn(portOf(sockets));
        says('websocket', verdict, words);
        assert.match(heard[0] ?? '', /^CONNECT doctor-[\w-]{32}$/);
      });
    }

    it('says of one whose handshake hangs: wrong', async () => {
      const taken = new Set<{ destroy(): void }>();
      const server = createServer((socket) => void taken.add(socket));
      plain = server;
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      await runOn(portOf(server));
      says('websocket', 'wrong', /handshake did not finish in time/);
      for (const socket of taken) socket.destroy();
    });
  });

  describe('of the settings', () => {
    it('says all that is wrong with them, and ends with 78', async () => {
      const settings = { PORT: 'canary', SERVICE_BASE_URL: 'https://user:canary@service.example.com', MicrosoftAppPassword: 'canary' };
      assert.equal(await run(settings), 78);
      assert.deepEqual(
        lines.map((line) => line.replace(/^(\w+) +(\w+) +(\w+):.*$/, '$1 $2 $3')),
        ['wrong settings PORT', 'wrong settings SERVICE_BASE_URL', 'wrong settings MicrosoftAppPassword'],
      );
    });

    it('reports faults of combinations and of files that settings name', async () => {
      assert.equal(
        await run({ MicrosoftAppPassword: 'canary', FORMS_FILE: join(folder, 'none.yaml'), SERVICE_BASE_URL: 'http://localhost:1' }),
        78,
      );
      assert.match(lines.join('\n'), /FORMS_FILE: .*none\.yaml[\s\S]*MicrosoftAppPassword: is set but MicrosoftAppId is not/);
    });
  });

  describe('of the data folder', () => {
    const nothing = { SERVICE_BASE_URL: 'http://127.0.0.1:9' };
    it('says that it is made by the first start', async () => {
      await run({ ...nothing, DATA_DIR: join(folder, 'a/b') });
      says('data folder', 'unknown', /does not exist yet/);
    });

    it('says that a file is in its place', async () => {
      writeFileSync(join(folder, 'file'), '');
      assert.equal(await run({ ...nothing, DATA_DIR: join(folder, 'file') }), 1);
      says('data folder', 'wrong', /is not a folder/);
    });

    it('says that a file is above it', async () => {
      writeFileSync(join(folder, 'file'), '');
      assert.equal(await run({ ...nothing, DATA_DIR: join(folder, 'file/data') }), 1);
      says('data folder', 'wrong', /cannot be written \(ENOTDIR\)/);
    });

    it('says that the database is none', async () => {
      writeFileSync(join(folder, 'bot.db'), 'canary '.repeat(1000));
      assert.equal(await run(nothing), 1);
      says('data folder', 'wrong', /is not a database/);
    });

    it('looks at no database in it where DATABASE_URL names another', async () => {
      writeFileSync(join(folder, 'bot.db'), 'canary '.repeat(1000));
      await run({ ...nothing, DATABASE_URL: 'postgres://bot@127.0.0.1:9/bot' });
      says('data folder', 'ok', /^writable\.$/);
    });

    it('names the unfinished interactions that this version cannot read', async () => {
      const storage = await openStorage(folder);
      for (const id of ['one', 'two', 'three']) await storage.interactions.record(intent(id));
      await storage.close();
      await run(nothing);
      says('data folder', 'ok', /is intact/);
      const db = new DatabaseSync(join(folder, 'bot.db'));
      db.exec(`update interaction set app = 'canary' where id = 'two'`);
      db.close();
      lines.length = 0;
      assert.equal(await run(nothing), 1);
      says('data folder', 'wrong', /DATA_DIR: 1 unfinished interaction cannot be read by this version \(two\)/);
    });

    it('names chats whose state cannot be read, but not by their ids, and outcomes that did not arrive', async () => {
      const storage = await openStorage(folder);
      const claimed = await storage.interactions.record(intent('late-one'));
      await storage.interactions.apply(claimed, accepted);
      await storage.interactions.apply(claimed, succeeded);
      const chat = (name: string, value: object) => ({ [name]: { json: JSON.stringify(value), etag: undefined } });
      await storage.botState.write({
        ...chat('["sms","+12025550102"]', { memory: {} }),
        ...chat('["sms","other"]', { dialogs: { dialogStack: [] } }),
      });
      await storage.close();
      const db = new DatabaseSync(join(folder, 'bot.db'));
      await run(nothing, { now: () => 60_005 });
      says('chats', 'ok', /all can go on/);
      for (const value of ['{"memory"', 'null', '3', '[]', '{"dialogs":{"dialogStack":"none"}}', '{"dialogs":{"dialogStack":[{}]}}']) {
        db.prepare(`update bot_state set value = ? where key like '%2025550102%'`).run(value);
        lines.length = 0;
        assert.equal(await run(nothing, { now: () => 60_006 }), 1);
        says('chats', 'wrong', /the state of 1 chat \([0-9a-f]{8}\) cannot be read/);
        says('outcomes', 'warning', /1 outcome \(late-one\) did not reach the chat yet/);
        assert.doesNotMatch(lines.join('\n'), /2025550102/);
      }
      db.close();
    });

    it('says that the database is a folder', async () => {
      mkdirSync(join(folder, 'bot.db'));
      assert.equal(await run(nothing), 1);
      says('data folder', 'wrong', /is not a database/);
    });
  });

  describe('of the bot’s identity', () => {
    const identity = {
      MicrosoftAppId: '11111111-2222-4333-8444-555555555555',
      MicrosoftAppPassword: 'canary',
      SERVICE_BASE_URL: 'http://127.0.0.1:9',
      SERVICE_SECRET_KEY: 'k'.repeat(32),
      PUBLIC_URL: 'https://chat.example.com',
      TRUSTED_PROXIES: '0',
    };
    const token = (get: () => Promise<string>) => ({ tokenOf: () => ({ get, renew: () => {} }) });
    const failing = (...error: ConstructorParameters<typeof TokenError>) => token(() => Promise.reject(new TokenError(...error)));
    const table: [what: string, parts: DoctorParts, verdict: string, words: RegExp][] = [
      ['gets a token', token(async () => 'canary'), 'ok', /issues the bot’s token/],
      ['has the wrong password', failing('token_refused', { reason: 'invalid_client' }), 'wrong', /MicrosoftAppPassword/],
      ['is not known in the tenant', failing('token_refused', { reason: 'unauthorized_client' }), 'wrong', /MicrosoftAppTenantId/],
      [
        'meets another refusal',
        failing('token_refused', { reason: 'endpoints_resolution_error', cause: new Error('canary') }),
        'unknown',
        /endpoints_resolution_error/,
      ],
      ['gets no answer', failing('token_timeout'), 'unknown', /login\.microsoftonline\.com/],
    ];
    for (const [what, parts, verdict, words] of table) {
      it(`says of one that ${what}: ${verdict}`, async () => {
        await run(identity, parts);
        says('bot identity', verdict, words);
      });
    }
  });
});
