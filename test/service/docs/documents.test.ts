import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import specs from '@asyncapi/specs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv, type AnySchema } from 'ajv';
import addFormats from 'ajv-formats';
import { apps } from '../../../src/contract/index.ts';
import { explained, problemCodes } from '../../../src/service/core/api/problems.ts';
import { type Reply, startTestService, type TestService } from '../../support/running-service.ts';

describe('the documents of the interface', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService({ publicUrl: 'https://verify.example.com' });
  });
  after(() => service.close());
  const get = (path: string, headers: Record<string, string> = {}): Promise<Reply> => service.open('GET', path, { headers });

  describe('/openapi.json', () => {
    it('is OpenAPI 3.1 by its official schema', async () => {
      const validator = new Validator();
      const { valid, errors } = await validator.validate((await get('/openapi.json')).json);
      assert.ok(valid, JSON.stringify(errors));
      assert.equal(validator.version, '3.1');
    });
    it('is checked by a schema that finds mistakes', async () => {
      const { json } = await get('/openapi.json');
      const broken = { ...json, paths: { ...json.paths, '/payments/send': { post: { responses: 'none' } } } };
      assert.equal((await new Validator().validate(broken)).valid, false);
    });
    it('names every operation of the contract, each once', async () => {
      const { paths } = (await get('/openapi.json')).json;
      for (const { operations } of Object.values(apps)) {
        for (const { method, path } of Object.values(operations)) assert.ok(paths[path][method.toLowerCase()], `${method} ${path}`);
      }
      const ids = Object.values<Record<string, { operationId: string }>>(paths).flatMap((methods) =>
        Object.values(methods).map(({ operationId }) => operationId),
      );
      assert.equal(new Set(ids).size, ids.length);
      for (const id of ['results.get', 'requests.get', 'requests.cancel', 'requests.resend']) assert.ok(ids.includes(id), id);
    });
    it('names the service’s public address', async () => {
      assert.deepEqual((await get('/openapi.json')).json.servers, [{ url: 'https://verify.example.com' }]);
    });
    it('describes the webhooks', async () => {
      const { webhooks } = (await get('/openapi.json')).json;
      assert.deepEqual(Object.keys(webhooks), ['requestChanged']);
    });
  });

  describe('/asyncapi.json', () => {
    const official = () => {
      const ajv = new Ajv({ strict: false, logger: false });
      (addFormats as unknown as (ajv: Ajv) => void)(ajv);
      return ajv.compile(specs.schemasWithoutId['3.0.0'] as AnySchema);
    };
    it('is AsyncAPI 3.0 by its official schema', async () => {
      const validate = official();
      assert.ok(validate((await get('/asyncapi.json')).json), JSON.stringify(validate.errors));
    });
    it('is checked by a schema that finds mistakes', async () => {
      const { json } = await get('/asyncapi.json');
      assert.equal(official()({ ...json, channels: { events: { address: 1 } } }), false);
    });
    it('names the socket on the same host, under the scheme that belongs to it', async () => {
      const { servers } = (await get('/asyncapi.json')).json;
      assert.equal(servers.service.host, 'verify.example.com');
      assert.equal(servers.service.protocol, 'wss');
    });
  });

  for (const path of ['/openapi.json', '/asyncapi.json', '/docs']) {
    describe(`${path}, on its way`, () => {
      it('is not sent again if the client has it', async () => {
        const { status, headers } = await get(path);
        assert.equal(status, 200);
        assert.match(String(headers['cache-control']), /^public, max-age=60/);
        const again = await get(path, { 'if-none-match': String(headers.etag) });
        assert.deepEqual([again.status, again.text, again.headers.etag], [304, '', headers.etag]);
      });
      it('is compressed if the client accepts that', async () => {
        const { headers } = await get(path, { 'accept-encoding': 'gzip, br' });
        assert.equal(headers['content-encoding'], 'br');
        assert.ok(Number(headers['content-length']) < 60_000, String(headers['content-length']));
      });
      it('answers HEAD with the same headers and no body', async () => {
        const [full, head] = [await get(path), await service.open('HEAD', path)];
        assert.deepEqual([head.status, head.text], [200, '']);
        for (const name of ['content-type', 'content-length', 'etag']) assert.equal(head.headers[name], full.headers[name]);
      });
    });
  }

  describe('problem codes', () => {
    // Of the ground room, what every server answers by itself; the rest of it is the bot's business.
    const folders: [string, RegExp][] = [
      ['../../../src/service', /\.ts$/],
      ['../../../src/platform', /^http\/http-.*\.ts$/],
    ];
    const sources = folders.flatMap(([folder, wanted]) => {
      const root = join(import.meta.dirname, folder);
      return readdirSync(root, { recursive: true, encoding: 'utf8' })
        .filter((file) => wanted.test(file))
        .map((file) => readFileSync(join(root, file), 'utf8'));
    });
    const thrown = sources.flatMap((source) => [
      ...[...source.matchAll(/new HttpProblem\(\s*(\d{3}),\s*'(\w+)'/g)].map(
        ({ 1: status, 2: code }) => [Number(status), code ?? ''] as const,
      ),
      ...[...source.matchAll(/\btooMany\(\s*'(\w+)'/g)].map(({ 1: code }) => [429, code ?? ''] as const),
    ]);

    it('are all explained, with the status they are sent with', () => {
      assert.ok(thrown.length > 20);
      for (const [status, code] of thrown) {
        const known = problemCodes.find((one) => one === code);
        assert.ok(known, `${code} is not explained`);
        assert.equal(explained(known).status, status, code);
      }
    });
    it('are all in use', () => {
      for (const code of problemCodes)
        assert.ok(
          thrown.some(([, one]) => one === code),
          code,
        );
    });
    it('resolve at the address that a problem names as its type', async () => {
      const { json } = await get('/nowhere');
      assert.equal(json.type, 'https://verify.example.com/docs#code-not_found');
      const { text } = await get('/docs');
      for (const code of problemCodes) assert.ok(text.includes(`id="code-${code}"`), code);
    });
  });
});
