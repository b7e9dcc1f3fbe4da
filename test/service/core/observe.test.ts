import assert from 'node:assert/strict';
import { startTestService, type TestService } from '../../support/running-service.ts';
import { sendBody } from '../../support/sends.ts';

describe('the metrics of the service', () => {
  const token = 'a-token-of-at-least-thirty-two-characters';
  let service: TestService;
  afterEach(() => service.close());
  const read = (headers: Record<string, string> = {}) => service.open('GET', `${service.running.baseUrl}/metrics`, { headers });

  it('count its requests by route and status, say nothing of whom they are about, and measure the process', async () => {
    service = await startTestService();
    await service.call('POST', '/payments/send', { body: sendBody('payments') });
    await service.call('GET', '/requests/nobody-4711');
    const { status, text } = await read();
    assert.equal(status, 200);
    const count = (operation: string, code: number) =>
      text.includes(`countersign_service_request_duration_seconds_count{operation="${operation}",status="${code}"} 1\n`);
    assert.ok(count('POST /payments/send', 200), text);
    assert.ok(count('GET /requests/:id', 422), text);
    assert.match(text, /^process_cpu_user_seconds_total \d/m);
    assert.doesNotMatch(text, /4711|operation="other"/);
  });

  it('are for this machine only, or for those who have the token', async () => {
    service = await startTestService();
    assert.equal((await read({ 'x-forwarded-for': '203.0.113.9' })).status, 404);
    await service.close();
    service = await startTestService({ metricsToken: token });
    assert.equal((await read()).status, 401);
    assert.equal((await read({ authorization: `Bearer ${token}` })).status, 200);
  });
});
