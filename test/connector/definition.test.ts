import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import Draft04 from 'ajv-draft-04';
import { writeManifest } from '../../src/compose/commands/manifest.ts';
import { flowsFolder } from '../support/flows.ts';

// biome-ignore lint/suspicious/noExplicitAny: the files are looked at as Power Platform sees them.
type Seen = any;

/** One of Microsoft's, which has comments. */
const schema = (name: string) =>
  JSON.parse(readFileSync(join(import.meta.dirname, 'microsoft', name), 'utf8').replace(/(?<=^|\s)\/\/ .*$/gm, ''));
const options = { allErrors: true, strict: false, validateFormats: false, logger: false } as const;
const definitionSchema = schema('apiDefinition.swagger.schema.json');
const isDefinition = new Draft04.default(options).compile<Seen>(definitionSchema);
const isProperties = new Ajv(options).compile<Seen>({ ...schema('paconn-apiProperties.schema.json'), id: undefined });

describe('the Power Platform connector', () => {
  let folder: string;
  let definition: Seen;
  let properties: Seen;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-connector-'));
    const own = flowsFolder('renew', 'title: Renew\ndescription: Renews a contract.\nneeds: { months: number }\ndo:\n  - end: success\n');
    const args = ['--app-id', '11111111-2222-4333-8444-555555555555', '--host', 'chat.example.com'];
    assert.ok(writeManifest([...args, 'connector'], { FLOWS_DIR: own }, folder).every((file) => existsSync(file)));
    const read = (name: string) => JSON.parse(readFileSync(join(folder, 'dist/manifest/connector', name), 'utf8'));
    definition = read('apiDefinition.swagger.json');
    properties = read('apiProperties.json');
  });
  after(() => rmSync(folder, { recursive: true }));
  const operations = (): Seen[] =>
    Object.values(definition.paths).flatMap((path: Seen) => [path.get, path.post, path.delete].filter(Boolean));

  it('has a definition that Microsoft’s schema takes, but for the mark of MCP, which is younger than the schema', () => {
    const { 'x-ms-agentic-protocol': mark, ...post } = definition.paths['/mcp'].post;
    assert.equal(mark, 'mcp-streamable-1.0');
    const known = { ...definition, paths: { ...definition.paths, '/mcp': { post } } };
    assert.ok(isDefinition(known) as boolean, JSON.stringify(isDefinition.errors?.slice(0, 5), null, 1));
    // The schema is one that refuses.
    assert.ok(!isDefinition({ ...known, 'x-ms-unknown': 1 }));
    assert.ok(!isDefinition({ ...known, host: 'https://chat.example.com' }));
  });

  it('has properties that Microsoft’s schema takes, and sends the key as a bearer key', () => {
    assert.ok(isProperties(properties) as boolean, JSON.stringify(isProperties.errors, null, 1));
    assert.ok(!isProperties({ properties: { ...properties.properties, iconBrandColor: undefined } }));
    const { connectionParameters, policyTemplateInstances } = properties.properties;
    assert.deepEqual(Object.keys(connectionParameters), ['api_key']);
    assert.equal(policyTemplateInstances[0].parameters['x-ms-apimTemplateParameter.value'], "Bearer @connectionParameters('api_key')");
  });

  it('has an operation for every app and flow, the operator’s own included', () => {
    const ids = operations().map(({ operationId }) => operationId);
    for (const id of [
      'StartPasskeys',
      'StartOneTimePasscode',
      'StartPayments',
      'StartFlow',
      'StartFlowSettleBill',
      'StartFlowRenew',
      'Wait',
    ])
      assert.ok(ids.includes(id), id);
    assert.equal(new Set(ids).size, ids.length);
    const { schema } = definition.paths['/connector/start_flow_renew'].post.parameters[0];
    assert.deepEqual(schema.properties.inputs.properties.months.type, 'number');
  });

  it('lets products, documents, forms and flows be chosen from lists that it has', () => {
    const fields = { start_payments: 'productId', start_document_signature: 'documentId', start_e_form: 'formId', start_flow: 'flow' };
    for (const [operation, field] of Object.entries(fields)) {
      const { schema } = definition.paths[`/connector/${operation}`].post.parameters[0];
      const { operationId, ...paths } = schema.properties[field]['x-ms-dynamic-values'];
      assert.deepEqual(paths, { 'value-collection': 'items', 'value-path': 'id', 'value-title': 'title' });
      assert.ok(
        operations().some((one) => one.operationId === operationId && one['x-ms-visibility'] === 'internal'),
        operationId,
      );
    }
  });

  it('says what every field is for', () => {
    const bare: string[] = [];
    const walk = (at: string, node: Seen) => {
      for (const [name, field] of Object.entries<Seen>(node?.properties ?? {})) {
        if (!field['x-ms-summary'] && field.type !== 'array') bare.push(`${at}.${name}`);
        walk(`${at}.${name}`, field.items ?? field);
      }
    };
    for (const { operationId, parameters = [], responses, summary } of operations()) {
      assert.ok(summary, operationId);
      for (const { schema } of parameters) walk(operationId, schema);
      walk(operationId, responses['200']?.schema);
    }
    assert.deepEqual(bare, []);
    assert.doesNotMatch(JSON.stringify(definition), /"(?:anyOf|oneOf|propertyNames|\$schema|const)"/);
  });
});
