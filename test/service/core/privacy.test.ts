import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { appIds } from '../../../src/contract/index.ts';
import { makeLog } from '../../../src/platform/log.ts';
import { makeAuthenticator } from '../../support/authenticator.ts';
import { hiddenFields, onwardPath } from '../../support/device.ts';
import { onEachDatabase } from '../../support/each-database.ts';
import { openPasskeyPage } from '../../support/passkey-page.ts';
import type { TestService } from '../../support/running-service.ts';
import { sendBody } from '../../support/sends.ts';
import { everythingIn } from '../../support/service-database.ts';
import { connectTo } from '../../support/service-socket.ts';

onEachDatabase('what the service keeps to itself', (startTestService) => {
  let service: TestService;
  const lines: string[] = [];
  const secrets: string[] = [];
  const personal = ['2025550102', 'Mei', 'mei.tanaka', 'Your number is 47', 'canary-name', 'canary-comment', 'canary-agent'];

  const answer = async (link: string, fields: Record<string, string>) => {
    const headers = { 'user-agent': 'canary-agent' };
    const hidden = hiddenFields((await service.open('GET', link)).text);
    const { text } = await service.open('POST', link, { body: new URLSearchParams({ ...hidden, ...fields }), headers });
    const onward = onwardPath(text);
    if (onward !== undefined) await service.open('POST', onward, { body: new URLSearchParams({ card: 'approved' }), headers });
  };

  before(async () => {
    service = await startTestService({ log: makeLog('debug', { write: (line) => void lines.push(line) }) });
    secrets.push(service.running.secretKey);
    for (const app of appIds) {
      await service.call('POST', `/${app}/bootstrap`, { body: { phoneNumber: '+12025550102', sessionRef: 'session-0001' } });
      const body = { ...sendBody(app), ...(app === 'e-form' && { formId: '6f1c0000-0000-4000-8000-000000000003' }) };
      const { json } = await service.call('POST', `/${app}/send`, { body, headers: { 'idempotency-key': `key-${app}` } });
      const [message] = await service.outbox();
      if (json.wsToken !== undefined) secrets.push(json.wsToken);
      if (message?.code !== undefined) {
        secrets.push(message.code);
        await service.call('POST', '/one-time-passcode/check', { body: { requestId: json.requestId, code: message.code } });
      }
      if (message?.link !== undefined) {
        secrets.push(new URL(message.link).pathname.slice(3));
        const fields = {
          decision: 'accept',
          consent: 'on',
          name: 'canary-name',
          warned: 'canary-name',
          'a.rating': 'good',
          'a.comment': 'canary-comment',
        };
        if (app === 'passkeys') {
          const device = makeAuthenticator(`http://localhost:${service.running.port}`);
          await openPasskeyPage(service, message.link).enrol(device);
          await openPasskeyPage(service, message.link).authenticate(device);
        } else await answer(message.link, fields);
        const socket = await connectTo(service.running.wsUrl, json.wsToken);
        await socket.closed();
      }
      assert.equal((await service.call('GET', `/results/${json.requestId}`)).json.status, 'success');
    }
    await service.call('POST', '/payments/send', { body: '{"phoneNumber":"+12025550102"' });
    await connectTo(service.running.wsUrl, 'canary-token-canary-token').then((socket) => socket.closed());
    secrets.push('canary-token-canary-token');
  });
  after(() => service.close());

  it('logs no personal data and no secrets', () => {
    const log = lines.join('');
    assert.ok(lines.length > 20);
    for (const canary of [...personal, ...secrets]) assert.ok(!log.includes(canary), canary);
  });

  it('stores no token, code or link in plain text', async () => {
    const stored = await everythingIn(service);
    assert.match(stored, /session-0001/);
    for (const secret of secrets) assert.ok(!stored.includes(secret));
    for (const name of readdirSync(service.dataDir).filter((file) => file.startsWith('service.db'))) {
      const bytes = readFileSync(join(service.dataDir, name));
      for (const secret of secrets) assert.ok(!bytes.includes(secret), name);
    }
  });
});
