// An SMTP server in this process: it stores accepted mails as mail programs read them, and can misbehave.
import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export interface TakenMail {
  readonly to: string[];
  readonly from: string;
  readonly raw: string;
  readonly mail: Email;
  readonly secure: boolean;
  readonly user: string | undefined;
}

/**
 * The fate of the next message: refused at its recipient or after its text, or the connection dropped before or after
 * the last dot.
 */
export type MailMishap =
  | { readonly at: 'data' | 'recipient'; readonly reply: number }
  | { readonly at: 'data'; readonly drop: 'before' | 'after' };

export interface MailServer {
  readonly url: string;
  readonly port: number;
  readonly taken: TakenMail[];
  readonly mishaps: MailMishap[];
  /** How often a recipient was named, and connections were made. */
  readonly calls: { recipients: number; connections: number };
  close(): Promise<void>;
}

export const openMailServer = async (options: SMTPServerOptions = {}): Promise<MailServer> => {
  const taken: TakenMail[] = [];
  const mishaps: MailMishap[] = [];
  const calls = { recipients: 0, connections: 0 };
  const fault = (reply: number) => Object.assign(new Error('canary'), { responseCode: reply });

  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    onConnect: (_session, done) => {
      calls.connections += 1;
      done();
    },
    onAuth: ({ username, password }, _session, done) => (password === 'mail password' ? done(null, { user: username }) : done(fault(535))),
    onRcptTo: (_address, _session, done) => {
      calls.recipients += 1;
      const [mishap] = mishaps;
      if (mishap?.at !== 'recipient') return done();
      mishaps.shift();
      done(fault(mishap.reply));
    },
    onData: (stream, session, done) => {
      const mishap = mishaps[0]?.at === 'data' ? mishaps.shift() : undefined;
      // The server's socket of this session, which its types leave out.
      const drop = () => [...server.connections].find((one) => (one as unknown as { id: string }).id === session.id)?.close();
      if (mishap && 'drop' in mishap && mishap.drop === 'before') {
        stream.once('data', drop);
        stream.resume();
        return;
      }
      void (async () => {
        const chunks: Buffer[] = [];
        for await (const chunk of stream) chunks.push(chunk as Buffer);
        if (mishap && 'reply' in mishap) return done(fault(mishap.reply));
        const { mailFrom, rcptTo } = session.envelope;
        const raw = Buffer.concat(chunks);
        taken.push({
          to: rcptTo.map(({ address }) => address),
          from: mailFrom === false ? '' : mailFrom.address,
          raw: raw.toString('utf8'),
          mail: await PostalMime.parse(raw),
          secure: session.secure,
          user: session.user,
        });
        if (mishap && 'drop' in mishap) return drop();
        done();
      })();
    },
    ...options,
  });
  // Some tests need a client that leaves in the middle.
  server.on('error', () => {});
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    port,
    taken,
    mishaps,
    calls,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
};
