// Composing a request's messages, with the link or the code that they carry.

import { compareCode } from '../../../contract/index.ts';
import { hashToken } from '../../../platform/secrets/sealing.ts';
import type { AppContext } from '../app-context.ts';
import type { ServiceContext } from '../context.ts';
import type { Request } from '../store/request.ts';
import { knownPasscode } from '../test-numbers.ts';
import { deliveryContext } from './dispatch.ts';
import type { Message } from './message.ts';

/** A message to a request's customer as it is stored, sealed for its way. */
export const sealMessage = (
  { random, seal }: Pick<ServiceContext, 'random' | 'seal'>,
  { id: requestId, accountId, app, language }: Pick<Request, 'accountId' | 'app' | 'id' | 'language'>,
  message: Omit<Message, 'accountId' | 'app' | 'id' | 'language' | 'requestId'>,
) => {
  const id = random.id(message.sentAt);
  const whole: Message = { id, requestId, accountId, app, language, ...message };
  return { id, sealed: seal.seal(whole, deliveryContext(id)) };
};

/** Composes a request's messages under a new link or code. */
export type Compose = ReturnType<typeof makeCompose>;

export const makeCompose =
  ({ accounts, apps, publicUrl, random, seal, taskOf, texts }: AppContext) =>
  (request: Request) => {
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
    const { channel, sentAt } = request;
    const messages = request.recipients.map(({ to, name }) =>
      sealMessage({ random, seal }, request, { channel, to, name, text, number, sentAt, subject, link, code }),
    );
    return {
      /** What is stored of it: the hashes, and a message per recipient, sealed for their way. */
      stored: {
        link_hash: token === undefined ? null : hashToken(token),
        code_hash: code === undefined ? null : seal.hashPasscode(request.id, code),
        messages,
      },
      /** What the customer will see, for the audit trail. */
      shown: task.shown(),
      /** The link itself, which is stored nowhere; an app without a page has none. */
      link,
    };
  };
