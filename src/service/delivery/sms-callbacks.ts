// Status callbacks of the SMS gateway (twilio.com/docs/messaging/guides/track-outbound-message-status).

import { createHmac } from 'node:crypto';
import { readBytes } from '../../platform/http/http-body.ts';
import { HttpProblem } from '../../platform/http/http-problem.ts';
import { sameBytes } from '../../platform/secrets/sealing.ts';
import { ownValue } from '../../platform/text/own-value.ts';
import type { Core } from '../core/core.ts';
import type { Message } from '../core/messages/message.ts';
import type { DeliveryState } from '../core/store/notes.ts';
import { codeOf } from './sms.ts';

const path = '/callbacks/sms';
const largest = { size: 16 * 1024 };

/** The gateway's statuses as ours. `sending` adds nothing, and others belong to incoming messages. */
const states: Readonly<Record<string, DeliveryState>> = {
  accepted: 'queued',
  scheduled: 'queued',
  queued: 'queued',
  sent: 'sent',
  delivered: 'delivered',
  read: 'delivered',
  undelivered: 'undelivered',
  failed: 'failed',
  canceled: 'failed',
};

type Subject = Pick<Message, 'id' | 'requestId' | 'sentAt'>;

/**
 * The callback address of a message. It contains the message's id, which the signature covers, so nothing has to be
 * looked up.
 */
export const callbackAddress = (publicUrl: URL, { id, requestId, sentAt }: Subject): URL => {
  const url = new URL(path, publicUrl);
  url.search = new URLSearchParams({ request: requestId, message: id, sent: String(sentAt) }).toString();
  return url;
};

export const addSmsCallbacks = ({ server, publicUrl, receipts, log }: Core, authToken: string) => {
  server.route(
    'POST',
    path,
    async ({ query, headers, raw }) => {
      const subject = subjectOf(query);
      const parameters = new URLSearchParams((await readBytes(raw, largest)).toString('utf8'));
      const signature = headers['x-twilio-signature'];
      if (!subject || !isSignedCallback(authToken, callbackAddress(publicUrl(), subject), parameters, signature)) {
        log.warn({ component: 'delivery', code: 'callback_refused' }, 'a status callback is not signed by the gateway');
        throw new HttpProblem(400, 'bad_signature', 'This callback is not signed by the gateway.');
      }
      const state = ownValue(states, parameters.get('MessageStatus') ?? '');
      if (state) {
        const { requestId, id: messageId, sentAt } = subject;
        const code = parameters.get('ErrorCode');
        const reason = code !== null && /^\d{1,6}$/.test(code) && code !== '0' ? { code: codeOf(code) } : {};
        const reference = parameters.get('MessageSid')?.slice(0, 100);
        await receipts.take({ requestId, messageId, channel: 'sms', sentAt, state, reference, ...reason });
      }
      return { status: 204 };
    },
    { body: 'none' },
  );
};

const subjectOf = (query: URLSearchParams): Subject | undefined => {
  const [requestId, id, sent] = ['request', 'message', 'sent'].map((name) => query.get(name) ?? '');
  if (!requestId || !id || !sent || !/^\d{1,15}$/.test(sent)) return undefined;
  return { requestId, id, sentAt: Number(sent) };
};

/**
 * The signature of a post (twilio.com/docs/usage/security, "Validating requests"): an HMAC-SHA1 over its full address and
 * then every parameter's name and value in the order of the names, keyed by the auth token.
 */
export const signCallback = (authToken: string, address: string, parameters: URLSearchParams): Buffer => {
  const sorted = [...parameters].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return createHmac('sha1', authToken)
    .update(address + sorted.map(([name, value]) => name + value).join(''), 'utf8')
    .digest();
};

/** Whether a post is signed by the gateway, in constant time. It may have signed the address with its port or without. */
const isSignedCallback = (authToken: string, address: URL, parameters: URLSearchParams, signature: unknown): boolean => {
  if (typeof signature !== 'string' || signature.length > 100) return false;
  const given = Buffer.from(signature, 'base64');
  const bare = new URL(address);
  bare.port = '';
  return [address.href, bare.href].some((href) => sameBytes(signCallback(authToken, href, parameters), given));
};
