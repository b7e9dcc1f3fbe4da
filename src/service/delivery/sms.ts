// SMS through a gateway with Twilio's REST interface (twilio.com/docs/messaging/api/message-resource), one HTTP request
// per call.
import { Agent, request } from 'undici';
import { z } from 'zod';
import { readJson } from '../../platform/http/bounded-json.ts';
import { retryAfter } from '../../platform/outgoing/exchange.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { Delivery, Handover, Message } from '../core/messages/message.ts';

/** The gateway's address, and our credentials there. */
export interface SmsSettings {
  /** The base of the interface's paths. */
  readonly url: string;
  readonly accountSid: string;
  /** Authenticates us to the gateway, and its callbacks to us. */
  readonly authToken: string;
  /** A number in E.164, a short code, a sender's name, or the identifier of a messaging service. */
  readonly from: string;
}

const largest = 512 * 1024;
const listed = 20;
/** The gateway's list lags this long (ms); after a lost answer it is read no earlier. */
const settling = 5000;
/** How far its clock may be behind ours, in milliseconds. */
const skew = 5 * 60_000;

const created = z.object({ sid: z.string().max(100) });
const problem = z.object({ code: z.number().int() });
const list = z.object({ messages: z.array(z.object({ sid: z.string(), body: z.string(), date_created: z.string().nullish() })) });

/** Refusals worth retrying: too many requests, or too many messages queued (twilio.com/docs/api/errors). */
const passing: readonly number[] = [14107, 20429, 21611];
/** Failures after which the gateway has certainly seen nothing. */
const unsent = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT']);

/**
 * SMS through the gateway. It has no idempotency keys, so after a lost answer the message is first looked up in the
 * gateway's list, and not resent while the list cannot be read. No customer gets a message twice
 * (docs/decisions/0010).
 * @param callbackUrl - the address for the gateway's status callbacks; `undefined` if it could not reach us
 */
export const makeSmsDelivery = (
  settings: SmsSettings,
  clock: Clock,
  callbackUrl: (message: Message) => string | undefined,
): Delivery & { close(): Promise<void> } => {
  const { accountSid, authToken, from } = settings;
  const agent = new Agent({ allowH2: false, connect: { timeout: 3000 }, connections: 16, maxResponseSize: largest });
  const messages = `${settings.url.replace(/\/$/, '')}/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/Messages.json`;
  const authorization = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`;
  const sender = /^MG[0-9a-f]{32}$/i.test(from) ? { MessagingServiceSid: from } : { From: from };

  const call = async (method: 'GET' | 'POST', address: string, signal: AbortSignal, form?: URLSearchParams) => {
    const { statusCode, headers, body } = await request(address, {
      method,
      dispatcher: agent,
      signal,
      headers: { authorization, accept: 'application/json', ...(form && { 'content-type': 'application/x-www-form-urlencoded' }) },
      body: form ? form.toString() : null,
    });
    const reading = readJson(new Uint8Array(await body.arrayBuffer()), 8);
    const wait = retryAfter(one(headers['retry-after']), one(headers.date), clock.now());
    return { status: statusCode, wait, json: 'value' in reading ? reading.value : undefined };
  };

  const refused = (status: number, json: unknown, wait: number | undefined): Handover => {
    const said = problem.safeParse(json).data?.code;
    const code = said === undefined ? `http_${status}` : codeOf(said);
    // A fault at the gateway may come after it accepted the message.
    if (status >= 500) return lost(code, wait);
    // 401, 403 and 404 are about our account, which an operator can fix; the rest is about the message.
    const final = said !== undefined && ![401, 403, 404, 429].includes(status) && !passing.includes(said);
    return { accepted: false, final, code, retryAfterMs: wait };
  };

  /** The id of a message that the gateway accepted although its answer was lost. */
  const find = async ({ to, link, code, text, sentAt }: Message, signal: AbortSignal): Promise<Handover | undefined> => {
    const { status, json } = await call('GET', `${messages}?${new URLSearchParams({ To: to, PageSize: String(listed) })}`, signal);
    const known = list.safeParse(json);
    if (status !== 200 || !known.success) return lost('sms_unconfirmed');
    // The gateway may have changed quotation marks or added words in front; the link or the code stays the same.
    const mark = link ?? code ?? text;
    const same = known.data.messages.find(({ body, date_created: at }) => body.includes(mark) && !(Date.parse(at ?? '') < sentAt - skew));
    return same && { accepted: true, reached: 'queued', reference: same.sid };
  };

  return {
    doubles: () => true,
    deliver: async (message, signal, again) => {
      try {
        const before = again ? await find(message, signal) : undefined;
        if (before) return before;
        const callback = callbackUrl(message);
        const form = new URLSearchParams({ To: message.to, ...sender, Body: message.text, ...(callback && { StatusCallback: callback }) });
        const { status, json, wait } = await call('POST', messages, signal, form);
        if (status < 200 || status > 299) return refused(status, json, wait);
        return { accepted: true, reached: 'queued', reference: created.safeParse(json).data?.sid };
      } catch (fault) {
        const { code } = fault as { code?: unknown };
        if (typeof code === 'string' && unsent.has(code)) return { accepted: false, final: false, code: 'sms_unreachable', unknown: again };
        return lost('sms_unanswered');
      }
    },
    close: () => agent.close(),
  };
};

/** A gateway's error code, as a request's history shows it. */
export const codeOf = (code: number | string) => `sms_${code}`;

const lost = (code: string, wait = 0): Handover => ({
  accepted: false,
  final: false,
  code,
  unknown: true,
  retryAfterMs: Math.max(wait, settling),
});

const one = (header: string | string[] | undefined) => (Array.isArray(header) ? header[0] : header);
