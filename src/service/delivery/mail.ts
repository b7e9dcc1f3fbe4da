// E-mail through an SMTP server (RFC 5321), by nodemailer.

import { createTransport } from 'nodemailer';
import type SMTPPool from 'nodemailer/lib/smtp-pool/index.js';
import { isLoopbackHost } from '../../platform/outgoing/loopback.ts';
import type { ServiceContext } from '../core/context.ts';
import type { Delivery, Handover } from '../core/messages/message.ts';
import { makeBrandOf } from '../core/pages/looks.ts';
import { mailBody } from './mail-body.ts';

/** How mail is sent. */
export interface MailSettings {
  /** `smtp://user:password@host:port`, or `smtps://` for TLS from the first byte. */
  readonly url: string;
  /** `no-reply@example.com`, or `Name <no-reply@example.com>`. */
  readonly from: string;
  /** Whether TLS is required. Unset: required, except for a server on this machine. */
  readonly requireTls?: boolean | undefined;
}

/** Milliseconds, all below the time limit of a delivery. */
const patience = { connection: 3000, greeting: 4000, silence: 8000 };
/** A greylisting server expects the next attempt after a minute or more, not within seconds. */
const later = 60_000;

/** The options for nodemailer. A server on this machine needs no trusted certificate. */
export const smtpOptions = ({ url, requireTls }: MailSettings): SMTPPool.Options => {
  const { protocol, hostname, port, username, password } = new URL(url);
  const local = isLoopbackHost(hostname);
  return {
    pool: true,
    maxConnections: 4,
    maxMessages: 100,
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? (protocol === 'smtps:' ? 465 : 587) : Number(port),
    secure: protocol === 'smtps:',
    requireTLS: requireTls ?? !local,
    tls: { minVersion: 'TLSv1.2', rejectUnauthorized: !local },
    ...(username !== '' && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: patience.connection,
    dnsTimeout: patience.connection,
    greetingTimeout: patience.greeting,
    socketTimeout: patience.silence,
    // No field of a message may make nodemailer read a file or an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
};

/**
 * Mail through the server. A repeated message has the same Message-ID, so a mail system can recognise one that was
 * resent after a lost answer.
 */
export const makeMailDelivery = (
  settings: MailSettings,
  { accounts, looks, publicUrl, texts }: ServiceContext,
): Delivery & { close(): Promise<void> } => {
  const brandOf = makeBrandOf(accounts, looks);
  const transport = createTransport(smtpOptions(settings));
  return {
    deliver: async (message) => {
      const { id, to, name, subject, language, sentAt } = message;
      try {
        await transport.sendMail({
          from: settings.from,
          to: { name: asTyped(name), address: to },
          subject: asTyped(subject ?? texts(language).t(`app.${message.app}`)),
          date: new Date(sentAt),
          messageId: `<${id}@${publicUrl().hostname}>`,
          headers: { 'Content-Language': language, 'Auto-Submitted': 'auto-generated' },
          ...mailBody(message, texts(language), brandOf(message.accountId)),
        });
        return { accepted: true, reached: 'sent', reference: id };
      } catch (fault) {
        return refusal(fault as SmtpFault);
      }
    },
    close: async () => transport.close(),
  };
};

/** A header that looks like an encoded word (RFC 2047) would be decoded. A zero-width character keeps it as typed. */
const asTyped = (text: string) => text.replaceAll('=?', '=\u200b?');

/** An error of nodemailer (nodemailer.com/errors). */
type SmtpFault = { readonly code?: unknown; readonly responseCode?: unknown };

/**
 * 5xx is final if it is about the message or its recipient; a wrong password or certificate is ours to fix (RFC 5321,
 * 4.2.1).
 */
const refusal = ({ code, responseCode: reply }: SmtpFault): Handover => {
  const ours = code === 'EAUTH' || code === 'ETLS';
  if (ours || typeof reply !== 'number' || reply < 400) {
    // The server did not answer about the message, or the answer was lost.
    return { accepted: false, final: false, code: `smtp_${String(code ?? 'fault').toLowerCase()}`, unknown: !ours };
  }
  // 421: the server is closing, which says nothing about the message; another may answer in a moment.
  return { accepted: false, final: reply >= 500, code: `smtp_${reply}`, ...(reply < 500 && reply !== 421 && { retryAfterMs: later }) };
};
