import assert from 'node:assert/strict';
import { readSettings } from '../../src/compose/start/settings.ts';
import { type OpenTelemetry, openTelemetry } from '../../src/compose/start/telemetry.ts';
import { type Agent, keyOf, openAgent } from '../support/mcp-agent.ts';
import { until } from '../support/until.ts';
import { openWebhookReceiver } from '../support/webhook-receiver.ts';
import { startWhole, type Whole } from '../support/whole.ts';

const mei = '+12025550102';

describe('the metrics of programs', () => {
  let telemetry: OpenTelemetry;
  let whole: Whole;
  let agent: Agent;
  before(async () => {
    telemetry = await openTelemetry(readSettings({}), (fault) => assert.fail(String(fault)));
    whole = await startWhole({ telemetry: () => telemetry });
    agent = await openAgent(whole.bot().links.mcp ?? '', keyOf(whole));
  });
  after(async () => {
    await agent.close();
    await whole.close();
    await telemetry.close();
  });

  it('count operations and their statuses by interface, without naming callers or customers', async () => {
    const { interactionId } = await agent.call('start_passkeys', { phoneNumber: mei });
    await agent.call('status', { interactionId });
    await agent.refusal('status', { interactionId: '01KAH5Z0V8Q2J9XW3N4M5P6R7S' });
    const answer = await fetch(`http://localhost:${whole.bot().port}/connector/status`, {
      method: 'POST',
      headers: { authorization: `Bearer ${keyOf(whole)}`, 'content-type': 'application/json' },
      body: JSON.stringify({ interactionId }),
    });
    assert.equal(answer.status, 200);
    const { body = '' } = (await telemetry.expose()) ?? {};
    const lines = body.split('\n').filter((line) => line.startsWith('countersign_program_calls_total'));
    assert.deepEqual(lines.toSorted(), [
      'countersign_program_calls_total{way="connector",operation="status",status="ok"} 1',
      'countersign_program_calls_total{way="mcp",operation="start_passkeys",status="ok"} 1',
      'countersign_program_calls_total{way="mcp",operation="status",status="404"} 1',
      'countersign_program_calls_total{way="mcp",operation="status",status="ok"} 1',
    ]);
    for (const secret of [mei, mei.slice(1), interactionId, keyOf(whole)]) assert.ok(!body.includes(secret), secret);
  });

  it('count the outcomes that could not be posted to a program', async () => {
    const receiver = await openWebhookReceiver();
    try {
      receiver.answer = 410;
      const headers = { authorization: `Bearer ${keyOf(whole)}`, 'content-type': 'application/json' };
      const body = JSON.stringify({ notificationUrl: receiver.url });
      const { status } = await fetch(`http://localhost:${whole.bot().port}/connector/hooks`, { method: 'POST', headers, body });
      assert.equal(status, 201);
      await agent.call('start_payments', { phoneNumber: '+12025550110', productId: 'energy-bill-november' });
      const counted = /^countersign_program_outcomes_given_up_total 1$/m;
      await until(async () => counted.test((await telemetry.expose())?.body ?? ''), 'the number');
    } finally {
      await receiver.close();
    }
  });
});
