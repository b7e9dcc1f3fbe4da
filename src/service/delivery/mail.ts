// E-mail through an SMTP server (RFC 5321), by nodemailer.
import { createTransport } from 'nodemailer';
import type SMTPPool from 'nodemailer/lib/smtp-pool/index.js';
import { isLoopbackHost } from '../../platform/loopback.ts';
import type { Language } from '../core/languages.ts';
import type { Delivery, Handover } from '../core/outbox/message.ts';
import type { Texts } from '../core/texts.ts';
import { type MailBrand, mailBody } from './mail-body.ts';

/** How mail leaves. */
export interface MailSettings {
  /** `smtp://user:password@host:port`, or `smtps://` for TLS from the first byte. */
  readonly url: string;
  /** `no-reply@example.com`, or `Name <no-reply@example.com>`. */
  readonly from: string;
  /** Whether nothing may be said in the clear. Unset: true for every server but one on this machine. */
  readonly requireTls?: boolean | undefined;
}

/** Milliseconds, all below what a handing over may take. */
const patience = { connection: 3000, greeting: 4000, silence: 8000 };
/** A server that puts off strangers (greylisting) wants them back after a minute or more, not in seconds. */
const later = 60_000;

/** What nodemailer is told. A server on this machine is not asked for a certificate that the world would trust. */
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
    // A message is what we composed; no field of it may make nodemailer read a file or an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
};

export interface MailOptions {
  readonly settings: MailSettings;
  /** The host that a message's identifier ends with. */
  readonly host: () => string;
  readonly texts: (language: Language) => Texts;
  readonly brandOf: BrandOf;
}

/** Whose mail an account's is; `undefined` for an account that is not known. */
export type BrandOf = (accountId: string | undefined) => MailBrand;

/**
 * Mail by the server. The same message has the same Message-ID, by which a mail system knows it again when it was sent
 * twice because an answer got lost.
 */
export const makeMailDelivery = ({ settings, host, texts, brandOf }: MailOptions): Delivery & { close(): Promise<void> } => {
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
          messageId: `<${id}@${host()}>`,
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

/** What nodemailer throws (nodemailer.com/errors). */
interface SmtpFault {
  readonly code?: unknown;
  readonly responseCode?: unknown;
}

/**
 * 5xx is final if it is about the message or its recipient; a wrong password or certificate is ours to fix (RFC 5321,
 * 4.2.1).
 */
const refusal = ({ code, responseCode: reply }: SmtpFault): Handover => {
  const ours = code === 'EAUTH' || code === 'ETLS';
  if (ours || typeof reply !== 'number' || reply < 400) {
    // Nothing was said of the message, or nothing that we heard.
    return { accepted: false, final: false, code: `smtp_${String(code ?? 'fault').toLowerCase()}`, unknown: !ours };
  }
  // 421: the server goes away, which says nothing of the message, and another one may be there in a moment.
  return { accepted: false, final: reply >= 500, code: `smtp_${reply}`, ...(reply < 500 && reply !== 421 && { retryAfterMs: later }) };
};
