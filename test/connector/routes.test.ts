import assert from 'node:assert/strict';
import { connectorDefinition } from '../../src/connector/definition.ts';
import { appIds } from '../../src/contract/index.ts';
import { keyOf } from '../support/mcp-agent.ts';
import { startWhole, type Whole } from '../support/whole.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are looked at as a client of any language sees them.
type Seen = any;

const [mei, quick] = ['+12025550102', '+12025550110'];

describe('the operations that the connector names', function () {
  this.timeout(60_000);
  let whole: Whole;
  before(async () => {
    whole = await startWhole();
  });
  after(() => whole.close());
  const ask = async (method: string, path: string, body?: object, authorization = `Bearer ${keyOf(whole)}`) => {
    const headers = { authorization, ...(body && { 'content-type': 'application/json' }) };
    const address = `http://localhost:${whole.bot().port}${path}`;
    const response = await fetch(address, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    return { status: response.status, body: (await response.json().catch(() => undefined)) as Seen };
  };
  const call = async (operation: string, body: object) => {
    const answer = await ask('POST', `/connector/${operation}`, body);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body;
  };

  it('all exist, and are closed without the key', async () => {
    const { paths } = connectorDefinition({
      appId: '',
      host: 'localhost',
      name: 'Countersign',
      accent: '#000000',
      apps: appIds,
      flows: [],
    });
    for (const [path, methods] of Object.entries<object>(paths)) {
      for (const method of Object.keys(methods).filter((name) => ['get', 'post'].includes(name))) {
        const [verb, body] = [method.toUpperCase(), method === 'post' ? {} : undefined];
        assert.ok([401, 429].includes((await ask(verb, path, body, 'Bearer wrong')).status), path);
        if (path !== '/mcp') assert.ok([200, 422].includes((await ask(verb, path, body)).status), path);
      }
    }
  });

  it('start something, wait for it, and list what can be chosen', async () => {
    const { items } = (await ask('GET', '/connector/catalogue/products')).body;
    const { id: productId } = items.find(({ id }: { id: string }) => id === 'energy-bill-november');
    const begun = await call('start_payments', { phoneNumber: quick, productId });
    let view = begun;
    while (view.state === 'pending') view = await call('wait', { interactionId: begun.interactionId, cursor: view.cursor, seconds: 10 });
    assert.equal(view.outcome.details.amount, 128.4);
    assert.deepEqual(await call('status', { interactionId: begun.interactionId }), view);
  });

  it('run a flow, and cancel it', async () => {
    const { interactionId } = await call('start_flow_settle_bill', { phoneNumber: mei });
    assert.equal((await call('cancel', { interactionId })).outcome.status, 'cancelled');
  });

  it('name the field that is wrong', async () => {
    const { status, body } = await ask('POST', '/connector/start_payments', { phoneNumber: 'mei', colour: 'red' });
    assert.equal(status, 422);
    assert.deepEqual(body.errors.map(({ path }: { path: string }) => path).sort(), ['colour', 'phoneNumber', 'productId']);
    assert.equal((await ask('POST', '/connector/start_nothing', {})).status, 404);
  });
});
