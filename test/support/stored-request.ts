// Requests written directly into a store, for tests below the interface.

import { system } from '../../src/service/core/audit/origin.ts';
import type { Request } from '../../src/service/core/store/request.ts';
import type { Acceptance } from '../../src/service/core/store/requests.ts';

/** When they were accepted; they last for a second. */
export const acceptedAt = 1_800_000_000_000;

const request = (id: string): Request => ({
  id,
  accountId: 'account',
  app: 'e-form',
  state: 'pending',
  sessionRef: 'session-0001',
  customerRef: 'customer-0001',
  phoneNumber: '+12025550102',
  channel: 'sms',
  recipients: [],
  language: 'en',
  input: {},
  agentId: undefined,
  behaviour: undefined,
  step: 0,
  createdAt: acceptedAt,
  expiresAt: acceptedAt + 1000,
  dueAt: acceptedAt + 1000,
  checks: 0,
  resends: 0,
  sentAt: acceptedAt,
  finishedAt: undefined,
  result: undefined,
});

/** The rows of a send: a request, and one message that nobody can open. */
export const acceptance = (id: string): Acceptance => ({
  request: request(id),
  secrets: { ws_token_hash: null, link_hash: null, code_hash: null },
  messages: [{ id: `message-${id}`, sealed: '' }],
  idempotency: undefined,
  quotas: [],
  by: system,
  shown: {},
});
