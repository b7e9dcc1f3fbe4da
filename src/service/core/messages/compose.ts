// Composing a request's messages, with the link or the code that they carry.

import { compareCode } from '../../../contract/index.ts';
import { hashToken } from '../../../platform/secrets/sealing.ts';
import type { AppContext } from '../app-context.ts';
import type { Facts } from '../audit/chain.ts';
import type { Request } from '../store/request.ts';
import { knownPasscode } from '../test-numbers.ts';
import { deliveryContext } from './dispatch.ts';
import type { Message } from './message.ts';

interface Composed {
  /** What is stored of it. */
  readonly stored: {
    readonly linkHash: string | null;
    readonly codeHash: string | null;
    /** One per recipient, sealed for their way. */
    readonly messages: readonly { readonly id: string; readonly sealed: string }[];
  };
  /** What the customer will see, for the audit trail. */
  readonly shown: Facts;
  /** The link itself, which is stored nowhere; an app without a page has none. */
  readonly link: string | undefined;
}

/** Composes a request's messages under a new link or code. */
export type Compose = ReturnType<typeof makeCompose>;

export const makeCompose =
  ({ accounts, apps, publicUrl, random, seal, taskOf, texts }: AppContext) =>
  (request: Request): Composed => {
    const base = publicUrl();
    const { account } = accounts.of(request.accountId);
    const byLink = apps[request.app].answeredBy === 'link';
    const token = byLink ? random.token() : undefined;
    const code = byLink ? undefined : request.behaviour === 'succeed' ? knownPasscode : random.passcode();
    const number = compareCode(request.id);
    const link = token === undefined ? undefined : new URL(`/r/${token}`, base).href;
    const task = taskOf(request);
    const { subject, text } = task.message({
      texts: texts(request.language),
      account,
      link: link ?? '',
      code: code ?? '',
      number,
      host: base.hostname,
      minutes: Math.round((request.expiresAt - request.sentAt) / 60_000),
    });
    const messages = request.recipients.map(({ to, name }) => {
      const id = random.id(request.sentAt);
      const message: Message = {
        id,
        requestId: request.id,
        accountId: request.accountId,
        app: request.app,
        channel: request.channel,
        to,
        name,
        language: request.language,
        text,
        number,
        sentAt: request.sentAt,
        ...(subject !== undefined && { subject }),
        ...(link !== undefined && { link }),
        ...(code !== undefined && { code }),
      };
      return { id, sealed: seal.seal(message, deliveryContext(id)) };
    });
    return {
      stored: {
        linkHash: token === undefined ? null : hashToken(token),
        codeHash: code === undefined ? null : seal.hashPasscode(request.id, code),
        messages,
      },
      shown: task.shown(),
      link,
    };
  };
