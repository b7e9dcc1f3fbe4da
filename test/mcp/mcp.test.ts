import assert from 'node:assert/strict';
import { appIds } from '../../src/contract/index.ts';
import { flowsFolder } from '../support/flows.ts';
import { type Agent, keyOf, openAgent } from '../support/mcp-agent.ts';
import { until } from '../support/until.ts';
import { startWhole, type Whole } from '../support/whole.ts';

const [mei, quick, failing, slow, nobody, several] = [
  '+12025550102',
  '+12025550110',
  '+12025550111',
  '+12025550112',
  '+12025550199',
  '+12025550101',
];
const [mandate, feedback, bill] = ['5d0c0000-0000-4000-8000-000000000001', '6f1c0000-0000-4000-8000-000000000003', 'energy-bill-november'];
const blanks = { accountHolder: 'Canary Tanaka', accountEnding: '0042', monthlyLimit: '150.50', firstCollection: '2026-12-05' };

/** What each app's start takes beside the number. */
const own = {
  passkeys: {},
  'one-time-passcode': {},
  'document-signature': { documentId: mandate, variables: blanks },
  payments: { productId: bill },
  'e-form': { formId: feedback },
} as const;
const toolOf = (app: string) => `start_${app.replaceAll('-', '_')}`;

describe('an agent that speaks MCP', function () {
  this.timeout(120_000);
  let whole: Whole;
  let agent: Agent;
  before(async () => {
    whole = await startWhole();
    agent = await openAgent(whole.bot().links.mcp ?? '', keyOf(whole));
  });
  after(async () => {
    await agent.close();
    await whole.close();
  });
  /** The customer acts on their device. */
  const act = (view: { requestId: string }, how: 'success' | 'failure' | 'timeout') => whole.service.end(view.requestId, how);
  const waitingFor = async (interactionId: string, app: string) =>
    until(async () => {
      const view = await agent.call('status', { interactionId });
      return view.state === 'pending' && view.app === app && view.requestId ? view : undefined;
    }, `${app} to be asked for`);

  describe('finds', () => {
    it('a tool for every app and flow, and those that continue them', async () => {
      const { tools } = await agent.client.listTools();
      const flows = ['change-of-address', 'open-account', 'settle-bill'];
      const starts = [...appIds.map(toolOf), 'start_flow', ...flows.map((flow) => toolOf(`flow-${flow}`))];
      assert.deepEqual(
        tools.map(({ name }) => name),
        [...starts, 'wait', 'status', 'answer', 'check_passcode', 'cancel'],
      );
      for (const { name, title, description, outputSchema } of tools) {
        assert.ok(title && description, name);
        assert.deepEqual(outputSchema?.required?.slice(0, 2), ['interactionId', 'state'], name);
      }
    });

    it('what a start takes in its schema: what the send of the app needs, and the inputs of the flow', async () => {
      const { tools } = await agent.client.listTools();
      const requiredOf = (tool: string) => tools.find(({ name }) => name === tool)?.inputSchema.required;
      assert.deepEqual(requiredOf('start_passkeys'), ['phoneNumber']);
      assert.deepEqual(requiredOf('start_payments'), ['phoneNumber', 'productId']);
      assert.deepEqual(requiredOf('start_document_signature'), ['phoneNumber', 'documentId']);
      const settle = tools.find(({ name }) => name === 'start_flow_settle_bill')?.inputSchema.properties;
      assert.deepEqual(Object.keys(((settle?.inputs ?? {}) as { properties: object }).properties), ['product']);
    });

    it('products, documents, forms and flows to choose from', async () => {
      const { resources } = await agent.client.listResources();
      assert.deepEqual(
        resources.map(({ uri }) => uri),
        ['products', 'documents', 'forms', 'flows'].map((name) => `countersign://${name}`),
      );
      const idsIn = async (name: string) => (await agent.read(name)).map(({ id }: { id: string }) => id);
      assert.ok((await idsIn('products')).includes(bill));
      assert.ok((await idsIn('documents')).includes(mandate));
      assert.ok((await idsIn('forms')).includes(feedback));
      assert.deepEqual(await idsIn('flows'), ['change-of-address', 'open-account', 'settle-bill']);
      const [{ variables }] = await agent.read('documents');
      assert.ok(variables.length > 0);
      assert.deepEqual((await agent.read('flows')).at(-1).needs, { product: 'text?' });
    });
  });

  describe('starts', () => {
    for (const app of appIds.filter((id) => id !== 'one-time-passcode')) {
      it(`${app}, and waits for its success`, async () => {
        const begun = await agent.call(toolOf(app), { phoneNumber: quick, ...own[app as keyof typeof own] });
        assert.equal(begun.state, 'pending');
        assert.match(begun.interactionId, /^[0-9A-Z]{26}$/);
        const ended = await agent.outcome(begun.interactionId);
        assert.equal(ended.state, 'ended');
        assert.equal(ended.outcome.status, 'success');
        assert.equal(ended.customerRef, 'cust-0110-samira');
      });
    }

    for (const [phoneNumber, status] of [
      [failing, 'failure'],
      [slow, 'timeout'],
    ] as const)
      it(`an app that ends in ${status}`, async () => {
        const { interactionId } = await agent.call('start_payments', { phoneNumber, ...own.payments });
        assert.equal((await agent.outcome(interactionId)).outcome.status, status);
      });

    it('the same request once, however often it repeats it', async () => {
      const id = '01KAH5Z0V8Q2J9XW3N4M5P6R7S';
      const first = await agent.call('start_payments', { id, phoneNumber: mei, ...own.payments });
      const again = await agent.call('start_payments', { id: id.toLowerCase(), phoneNumber: mei, ...own.payments });
      assert.equal(first.interactionId, id);
      assert.equal(again.requestId, first.requestId);
      await agent.call('cancel', { interactionId: id });
    });

    it('nothing under an id that it has used for another customer, product, app or flow', async () => {
      const [used, run] = ['01KAH5Z0V8Q2J9XW3N4M5P6R8A', '01KAH5Z0V8Q2J9XW3N4M5P6R8B'];
      const other = '+12025550113';
      const payment = { id: used, phoneNumber: mei, productId: 'energy-bill-november' };
      const flow = { id: run, flow: 'settle-bill', phoneNumber: mei, inputs: { product: 'energy-bill-november' } };
      const [first, begun] = [await agent.call('start_payments', payment), await agent.call('start_flow', flow)];
      const refused: [string, object][] = [
        ['start_payments', { ...payment, phoneNumber: other }],
        ['start_payments', { ...payment, customerRef: 'cust-0113-other' }],
        ['start_payments', { ...payment, productId: 'fibre-router' }],
        ['start_passkeys', { id: used, phoneNumber: mei }],
        ['start_flow', { ...flow, id: used }],
        ['start_payments', { ...payment, id: run }],
        ['start_flow', { ...flow, phoneNumber: other }],
        ['start_flow', { ...flow, customerRef: 'cust-0113-other' }],
        ['start_flow', { id: run, flow: 'change-of-address', phoneNumber: mei }],
      ];
      for (const [tool, input] of refused)
        assert.equal((await agent.refusal(tool, input)).code, 'id_taken', `${tool} ${JSON.stringify(input)}`);
      assert.equal((await agent.call('start_payments', payment)).requestId, first.requestId);
      assert.equal((await agent.call('start_flow', flow)).requestId, begun.requestId);
      for (const interactionId of [used, run]) await agent.call('cancel', { interactionId });
    });

    it('in the name of the agent who requested it', async () => {
      const started = await agent.call('start_payments', { phoneNumber: mei, agentId: 'mara@example.com', ...own.payments });
      await act(started, 'success');
      await agent.outcome(started.interactionId);
      const headers = { authorization: `Bearer ${whole.service.secretKey}` };
      const result = (await (await fetch(`${whole.service.baseUrl}/results/${started.requestId}`, { headers })).json()) as object;
      assert.equal((result as { agentId?: string }).agentId, 'mara@example.com');
    });
  });

  describe('is told', () => {
    it('what was done, but no answers, no documents and no receipts', async () => {
      const seen = [];
      for (const app of ['payments', 'document-signature', 'e-form'] as const) {
        const { interactionId } = await agent.call(toolOf(app), { phoneNumber: quick, ...own[app] });
        seen.push(await agent.outcome(interactionId));
      }
      const [paid, signed, filled] = seen;
      assert.deepEqual(paid.outcome.details, {
        product: 'Electricity and gas, November',
        productId: bill,
        quantity: 1,
        amount: 128.4,
        currency: 'USD',
      });
      assert.deepEqual(Object.keys(signed.outcome.details), ['title']);
      assert.deepEqual(Object.keys(filled.outcome.details), ['zeroKnowledge']);
      assert.doesNotMatch(JSON.stringify(seen), /https?:|Samira|@|[Tt]ransaction/);
    });

    it('each step on the device, with a cursor for the state', async () => {
      const started = await agent.call('start_payments', { phoneNumber: mei, ...own.payments });
      assert.match(started.compareCode, /^[1-9]\d$/);
      const { interactionId } = started;
      const sent = await agent.call('wait', { interactionId, cursor: started.cursor });
      assert.equal(sent.state, 'pending');
      assert.notEqual(sent.cursor, started.cursor);
      const waiting = agent.call('wait', { interactionId, cursor: sent.cursor });
      await act(started, 'success');
      assert.notEqual((await waiting).cursor, sent.cursor);
      const ended = await agent.outcome(interactionId);
      // What is over stays as it is, however it is asked for.
      assert.deepEqual(await agent.call('wait', { interactionId }), ended);
      assert.deepEqual(await agent.call('wait', { interactionId, cursor: ended.cursor }), ended);
    });

    it('that it is pending, when a wait has lasted as long as it should', async () => {
      const { interactionId } = await agent.call('start_payments', { phoneNumber: mei, ...own.payments });
      const { cursor } = await until(async () => {
        const view = await agent.call('status', { interactionId });
        return view.progress.includes('sent') ? view : undefined;
      });
      const view = await agent.call('wait', { interactionId, cursor, seconds: 0.2 });
      assert.deepEqual([view.state, view.cursor], ['pending', cursor]);
      assert.deepEqual((await agent.refusal('wait', { interactionId, seconds: 91 })).errors[0].path, 'seconds');
      await agent.call('cancel', { interactionId });
    });
  });

  describe('with a passcode', () => {
    it('checks the code that the customer told it, with as many tries as the customer would have', async () => {
      const { interactionId, needs } = await agent.call('start_one_time_passcode', { phoneNumber: quick });
      assert.deepEqual(needs, { kind: 'passcode', triesLeft: 5 });
      const wrong = await agent.call('check_passcode', { interactionId, code: '000000' });
      assert.deepEqual([wrong.codeMatch, wrong.triesLeft, wrong.state, wrong.needs.triesLeft], [false, 4, 'pending', 4]);
      const right = await agent.call('check_passcode', { interactionId, code: '123 456' });
      assert.deepEqual([right.codeMatch, right.state, right.outcome.status], [true, 'ended', 'success']);
      assert.equal((await agent.refusal('check_passcode', { interactionId, code: '123456' })).code, 'over');
    });

    it('fails with the last try', async () => {
      const { interactionId } = await agent.call('start_one_time_passcode', { phoneNumber: mei });
      for (const left of [4, 3, 2, 1, 0]) {
        const view = await agent.call('check_passcode', { interactionId, code: '000000' });
        assert.deepEqual([view.codeMatch, view.triesLeft, view.state], [false, left, left > 0 ? 'pending' : 'ended']);
      }
      assert.equal((await agent.outcome(interactionId)).outcome.status, 'failure');
    });

    it('cannot check one for another app', async () => {
      const { interactionId } = await agent.call('start_payments', { phoneNumber: mei, ...own.payments });
      assert.equal((await agent.refusal('check_passcode', { interactionId, code: '123456' })).code, 'no_passcode');
      await agent.call('cancel', { interactionId });
    });
  });

  describe('cancels', () => {
    it('a request that the customer has not completed', async () => {
      const { interactionId, requestId } = await agent.call('start_payments', { phoneNumber: mei, ...own.payments });
      const { cancelled, outcome, state } = await agent.call('cancel', { interactionId });
      assert.deepEqual([cancelled, state, outcome.status], ['withdrawn', 'ended', 'cancelled']);
      const headers = { authorization: `Bearer ${whole.service.secretKey}` };
      const record = (await (await fetch(`${whole.service.baseUrl}/requests/${requestId}`, { headers })).json()) as { state: string };
      assert.equal(record.state, 'cancelled');
    });

    it('nothing that is over', async () => {
      const { interactionId } = await agent.call('start_payments', { phoneNumber: quick, ...own.payments });
      await agent.outcome(interactionId);
      const { cancelled, outcome } = await agent.call('cancel', { interactionId });
      assert.deepEqual([cancelled, outcome.status], ['over', 'success']);
    });
  });

  describe('runs a flow', () => {
    it('to its end, with its outputs', async () => {
      const begun = await agent.call('start_flow', { flow: 'settle-bill', phoneNumber: mei, inputs: { product: bill } });
      assert.deepEqual([begun.state, begun.flow, begun.app], ['pending', 'settle-bill', 'passkeys']);
      await act(begun, 'success');
      const paying = await waitingFor(begun.interactionId, 'payments');
      assert.equal(paying.subject, 'Electricity and gas, November');
      await act(paying, 'success');
      const { messages, outcome, state } = await agent.outcome(begun.interactionId);
      assert.equal(state, 'ended');
      assert.equal(outcome.status, 'success');
      assert.deepEqual(outcome.outputs, { paid: 128.4, currency: 'USD' });
      assert.deepEqual(messages, ['Thank you. Your receipt: $128.40 for “Electricity and gas, November”.']);
    });

    it('by its own tool, in the customer’s language', async () => {
      const begun = await agent.call('start_flow_settle_bill', { phoneNumber: mei, language: 'es', inputs: { product: bill } });
      await act(begun, 'success');
      await act(await waitingFor(begun.interactionId, 'payments'), 'success');
      const { messages } = await agent.outcome(begun.interactionId);
      assert.match(messages.at(-1), /^Gracias\. Su recibo: 128,40/);
    });

    it('answers the flow’s question, and is asked again after an invalid answer', async () => {
      const { interactionId, ...begun } = await agent.call('start_flow', { flow: 'settle-bill', phoneNumber: mei });
      await act(begun, 'success');
      const asked = await until(async () => {
        const view = await agent.call('wait', { interactionId });
        return view.needs?.kind === 'answer' ? view : undefined;
      });
      assert.match(asked.needs.question, /What would you like to pay for\?/);
      assert.equal(asked.needs.choices[1], 'Fibre router');
      const again = await agent.call('answer', { interactionId, answer: 'a unicorn' });
      assert.equal(again.needs.kind, 'answer');
      const paying = await agent.call('answer', { interactionId, answer: 'Fibre router' });
      assert.equal(paying.app, 'payments');
      assert.equal((await agent.refusal('answer', { interactionId, answer: '1' })).code, 'nothing_asked');
      await act(paying, 'success');
      assert.equal((await agent.outcome(interactionId)).outcome.outputs.paid, 89);
      assert.equal((await agent.refusal('answer', { interactionId, answer: '1' })).code, 'over');
    });

    it('whose request fails, is retried as the flow says, and then asks for a person', async () => {
      const begun = await agent.call('start_flow', { flow: 'settle-bill', phoneNumber: mei, inputs: { product: bill } });
      await act(begun, 'success');
      const first = await waitingFor(begun.interactionId, 'payments');
      await act(first, 'failure');
      const second = await until(async () => {
        const view = await agent.call('status', { interactionId: begun.interactionId });
        return view.requestId !== first.requestId && view.state === 'pending' ? view : undefined;
      });
      await act(second, 'failure');
      assert.equal((await agent.outcome(begun.interactionId)).outcome.status, 'handoff');
    });

    it('and cancels it: nothing more is sent', async () => {
      const { interactionId, ...begun } = await agent.call('start_flow', {
        flow: 'settle-bill',
        phoneNumber: mei,
        inputs: { product: bill },
      });
      assert.equal((await agent.call('cancel', { interactionId })).cancelled, 'withdrawn');
      const ended = await agent.outcome(interactionId);
      assert.deepEqual([ended.outcome.status, ended.requestId], ['cancelled', begun.requestId]);
      assert.equal((await agent.call('cancel', { interactionId })).cancelled, 'over');
    });

    it('and cancels it while it asks something', async () => {
      const { interactionId, ...begun } = await agent.call('start_flow', { flow: 'settle-bill', phoneNumber: mei });
      await act(begun, 'success');
      await until(async () => (await agent.call('status', { interactionId })).needs);
      const { cancelled, state, outcome } = await agent.call('cancel', { interactionId });
      assert.deepEqual([cancelled, state, outcome.status], ['withdrawn', 'ended', 'cancelled']);
    });

    it('says what a question takes, and why an answer was not taken', async () => {
      const FLOWS_DIR = flowsFolder(
        'report',
        `title: Report
do:
  - ask: date
    as: day
    text: When was it?
    check: answer < "2026-11-01"
    repair: It must be before November.
  - ask: number
    as: people
    text: How many people?
  - end: success
`,
      );
      const other = await startWhole({ settings: { FLOWS_DIR } });
      const another = await openAgent(other.bot().links.mcp ?? '', keyOf(other));
      try {
        const { tools } = await another.client.listTools();
        assert.match(tools.find(({ name }) => name === 'start_flow_report')?.description ?? '', /^Report\. Returns at once\./);
        const { interactionId, ...begun } = await another.call('start_flow_report', { phoneNumber: quick });
        assert.deepEqual(begun.needs, { kind: 'answer', type: 'date', question: 'When was it?', choices: [] });
        const answered = async (answer: string) => (await another.call('answer', { interactionId, answer })).needs;
        const asked = { ...begun.needs, repair: undefined };
        const unread = await answered('a plane');
        assert.match(unread.repair, /^Please answer with a day, its month and its year/);
        assert.deepEqual({ ...unread, repair: undefined }, asked);
        const missed = await answered('a plane again');
        assert.match(missed.repair, /^Please answer with a day, its month and its year/);
        assert.deepEqual({ ...missed, repair: undefined }, asked);
        assert.deepEqual(await answered('5 December 2026'), { ...asked, repair: 'It must be before November.' });
        const which = await answered('03/04/2026');
        assert.deepEqual([which.choices.length, which.repair], [2, undefined]);
        assert.notEqual(which.question, asked.question);
        assert.deepEqual(await answered('1'), { kind: 'answer', type: 'number', question: 'How many people?', choices: [] });
        assert.equal((await another.call('answer', { interactionId, answer: '2' })).outcome.status, 'success');
      } finally {
        await another.close();
        await other.close();
      }
    });

    it('verifies a customer by the code that they tell the agent', async () => {
      const folder = {
        FLOWS_DIR: flowsFolder(
          'by-code',
          'title: By code\ndo:\n  - verify: { by: [one-time-passcode] }\n    else: end\n  - end: success\n',
        ),
      };
      const other = await startWhole({ settings: folder });
      const another = await openAgent(other.bot().links.mcp ?? '', keyOf(other));
      try {
        const { tools } = await another.client.listTools();
        assert.ok(tools.some(({ name }) => name === 'start_flow_by_code'));
        const { interactionId, needs } = await another.call('start_flow_by_code', { phoneNumber: quick });
        assert.equal(needs.kind, 'passcode');
        assert.equal((await another.call('check_passcode', { interactionId, code: '123456' })).codeMatch, true);
        assert.equal((await another.outcome(interactionId)).outcome.status, 'success');
      } finally {
        await another.close();
        await other.close();
      }
    });
  });

  describe('is refused', () => {
    const refused: [what: string, tool: string, input: object, path: string][] = [
      ['a number of nobody', 'start_payments', { phoneNumber: nobody, ...own.payments }, 'phoneNumber'],
      ['a number of several, without who is meant', 'start_payments', { phoneNumber: several, ...own.payments }, 'customerRef'],
      [
        'a customer of another number',
        'start_payments',
        { phoneNumber: mei, customerRef: 'cust-0110-samira', ...own.payments },
        'customerRef',
      ],
      ['a product that is not offered', 'start_payments', { phoneNumber: mei, productId: 'a-unicorn' }, 'productId'],
      ['a document without its blanks', 'start_document_signature', { phoneNumber: mei, documentId: mandate }, 'variables'],
      [
        'blanks that the service does not take',
        'start_document_signature',
        { phoneNumber: mei, documentId: mandate, variables: { ...blanks, monthlyLimit: 'much' } },
        'variables.monthlyLimit',
      ],
      [
        'an input that the flow does not have',
        'start_flow',
        { flow: 'settle-bill', phoneNumber: mei, inputs: { colour: 'red' } },
        'inputs.colour',
      ],
      [
        'an input that its own tool does not have',
        'start_flow_settle_bill',
        { phoneNumber: mei, inputs: { colour: 'red' } },
        'inputs.colour',
      ],
      ['a field that no tool has', 'start_passkeys', { phoneNumber: mei, tarif: 'x' }, 'tarif'],
      ['what is no number', 'start_passkeys', { phoneNumber: 'mine' }, 'phoneNumber'],
      ['nothing at all', 'status', {}, 'interactionId'],
      ['an input of another type', 'start_flow', { flow: 'settle-bill', phoneNumber: mei, inputs: { product: 7 } }, 'inputs.product'],
    ];
    for (const [what, tool, input, path] of refused)
      it(`${what}, with the field named`, async () => {
        const { code, errors } = await agent.refusal(tool, input);
        assert.deepEqual([code, errors.map((error: { path: string }) => error.path)], ['invalid_request', [path]]);
      });

    it('with the masked names of a number’s customers to choose from', async () => {
      const { errors } = await agent.refusal('start_payments', { phoneNumber: several, ...own.payments });
      assert.match(errors[0].message, /^must say which customer: cust-0101-\w+ \(\p{L}••• \p{L}\.\); cust-0101-\w+ \(/u);
      const [, customerRef] = /(cust-0101-\w+)/.exec(errors[0].message) ?? [];
      const started = await agent.call('start_payments', { phoneNumber: several, customerRef, ...own.payments });
      assert.equal(started.customerRef, customerRef);
      await agent.call('cancel', { interactionId: started.interactionId });
    });

    it('an unknown tool', async () => {
      assert.equal((await agent.refusal('start_nothing')).code, 'unknown_tool');
    });

    const unknown = '01KAH5Z0V8Q2J9XW3N4M5P6R7T';
    for (const [tool, more] of [
      ['status', {}],
      ['wait', {}],
      ['cancel', {}],
      ['answer', { answer: 'yes' }],
      ['check_passcode', { code: '123456' }],
    ] as const)
      it(`an interaction that it did not start: ${tool}`, async () => {
        assert.equal((await agent.refusal(tool, { interactionId: unknown, ...more })).code, 'not_found');
      });

    it('when the service does not answer', async () => {
      const { code } = await agent.refusal('start_payments', { phoneNumber: '+12025550114', ...own.payments });
      assert.match(code, /unavailable|failed/);
    });
  });

  it('waits through a customer who takes their time, and through a restart of the bot', async () => {
    const app = await agent.call('start_payments', { phoneNumber: mei, ...own.payments });
    const flow = await agent.call('start_flow', { flow: 'settle-bill', phoneNumber: mei, inputs: { product: bill } });
    const { interactionId } = app;
    const { cursor } = await agent.call('wait', { interactionId, cursor: app.cursor });
    // A stop ends it with what there is.
    const held = agent.call('wait', { interactionId, cursor, seconds: 90 });
    await agent.call('status', { interactionId });
    await whole.stopBot();
    assert.equal((await held).state, 'pending');
    await act(app, 'success');
    await act(flow, 'success');
    await whole.startBot();
    assert.equal((await agent.outcome(app.interactionId)).outcome.status, 'success');
    await act(await waitingFor(flow.interactionId, 'payments'), 'success');
    assert.deepEqual((await agent.outcome(flow.interactionId)).outcome.outputs, { paid: 128.4, currency: 'USD' });
  });

  it('leaves no customer data in the log', () => {
    assert.ok(whole.lines.some((line) => line.includes('a program did something')));
    assert.doesNotMatch(whole.lines.join(''), /2025550|Canary|Tanaka|Samira|123456/);
  });
});
