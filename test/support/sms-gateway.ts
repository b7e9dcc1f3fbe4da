// An SMS gateway with Twilio's interface, on loopback: it checks requests as Twilio would, stores them, and can
// misbehave.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { request } from 'undici';
import type { SmsSettings } from '../../src/service/delivery/sms.ts';
import { signCallback } from '../../src/service/delivery/sms-callbacks.ts';

export interface SentSms {
  readonly sid: string;
  readonly to: string;
  readonly from: string;
  readonly body: string;
  readonly callback: string | undefined;
}

/**
 * The fate of the next call: another answer; the message accepted and the connection cut before the answer; or cut at
 * once.
 */
export type Mishap =
  | { readonly status: number; readonly code?: number; readonly headers?: Record<string, string> }
  | 'taken but unanswered'
  | 'cut';

export interface SmsGateway {
  readonly settings: SmsSettings;
  /** Messages to customers, oldest first. */
  readonly sent: SentSms[];
  /** How often a send, and the list, were requested. */
  readonly calls: { sends: number; lists: number };
  /** The fates of the next sends, one each; of every list while `lists` is set. */
  readonly mishaps: Mishap[];
  lists: Mishap | undefined;
  /** Posts a status callback for a message; returns the answer's status. `change` modifies it after it was signed. */
  tell(sms: SentSms, status: string, change?: CallbackChange): Promise<number>;
  close(): Promise<void>;
}

export interface CallbackChange {
  readonly error?: string;
  readonly token?: string;
  readonly address?: (address: URL) => void;
  readonly form?: (form: URLSearchParams) => void;
  readonly signature?: string | undefined;
}

const accountSid = `AC${'0'.repeat(32)}`;
const authToken = 'auth-token-of-the-tests';

export const openSmsGateway = async ({
  from = '+15005550006',
  now = Date.now,
}: {
  from?: string;
  now?: () => number;
} = {}): Promise<SmsGateway> => {
  const sent: SentSms[] = [];
  const at = new Map<string, string>();
  const calls = { sends: 0, lists: 0 };
  const mishaps: Mishap[] = [];
  const expected = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`;
  const path = `/2010-04-01/Accounts/${accountSid}/Messages.json`;

  const answer = (res: ServerResponse, status: number, body: object, headers: Record<string, string> = {}) => {
    res.writeHead(status, { 'content-type': 'application/json', ...headers });
    res.end(JSON.stringify(body));
  };
  const problem = (code: number, status: number) => ({
    code,
    message: 'canary',
    more_info: `https://www.twilio.com/docs/errors/${code}`,
    status,
  });

  const take = (form: URLSearchParams): SentSms => {
    const sid = `SM${String(sent.length + 1).padStart(32, '0')}`;
    const sms: SentSms = {
      sid,
      to: form.get('To') ?? '',
      from: form.get('MessagingServiceSid') ?? form.get('From') ?? '',
      body: form.get('Body') ?? '',
      callback: form.get('StatusCallback') ?? undefined,
    };
    sent.push(sms);
    at.set(sid, new Date(now()).toUTCString());
    return sms;
  };

  const serve = async (req: IncomingMessage, res: ServerResponse) => {
    let raw = '';
    for await (const chunk of req) raw += chunk;
    const url = new URL(req.url ?? '', 'http://gateway');
    const sending = req.method === 'POST';
    if (sending) calls.sends += 1;
    else calls.lists += 1;
    const mishap = sending ? mishaps.shift() : gateway.lists;
    if (typeof mishap === 'object') {
      return answer(res, mishap.status, mishap.code === undefined ? {} : problem(mishap.code, mishap.status), mishap.headers);
    }
    if (req.headers.authorization !== expected) return answer(res, 401, problem(20003, 401));
    if (url.pathname !== path) return answer(res, 404, problem(20404, 404));
    if (mishap === 'cut') return req.socket.destroy();
    if (!sending) {
      const to = sent.filter((sms) => sms.to === url.searchParams.get('To')).reverse();
      const size = Number(url.searchParams.get('PageSize'));
      return answer(res, 200, { messages: to.slice(0, size).map(({ sid, body }) => ({ sid, body, date_created: at.get(sid) })) });
    }
    if (req.headers['content-type'] !== 'application/x-www-form-urlencoded') return answer(res, 400, problem(21602, 400));
    const form = new URLSearchParams(raw);
    const unknown = [...form.keys()].find((name) => !['To', 'From', 'MessagingServiceSid', 'Body', 'StatusCallback'].includes(name));
    if (unknown !== undefined || !form.get('Body') || (form.get('Body') ?? '').length > 1600) return answer(res, 400, problem(21602, 400));
    if (!/^\+[1-9]\d{6,14}$/.test(form.get('To') ?? '')) return answer(res, 400, problem(21211, 400));
    const sms = take(form);
    if (mishap === 'taken but unanswered') return req.socket.destroy();
    answer(res, 201, { sid: sms.sid, status: 'queued', error_code: null, date_created: at.get(sms.sid) });
  };

  const server = createServer((req, res) => void serve(req, res));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const gateway: SmsGateway = {
    settings: { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, accountSid, authToken, from },
    sent,
    calls,
    mishaps,
    lists: undefined,
    tell: async (sms, status, { error, token = authToken, address: bend, form: alter, ...given } = {}) => {
      const address = new URL(sms.callback ?? 'http://no.callback');
      const form = new URLSearchParams({
        MessageSid: sms.sid,
        MessageStatus: status,
        To: sms.to,
        From: sms.from,
        AccountSid: accountSid,
        ApiVersion: '2010-04-01',
      });
      if (error !== undefined) form.set('ErrorCode', error);
      const signature = 'signature' in given ? given.signature : signCallback(token, address.href, form).toString('base64');
      bend?.(address);
      alter?.(form);
      const { statusCode, body } = await request(address, {
        method: 'POST',
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          ...(signature !== undefined && { 'x-twilio-signature': signature }),
        },
        body: form.toString(),
      });
      await body.dump();
      return statusCode;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return gateway;
};
