// The outbox's routes: for this machine only, and only in demo mode, since they show every link and code.

import { createHash } from 'node:crypto';
import type { Answer, HttpRequest } from '../../../platform/http/http-server.ts';
import { faultFields } from '../../../platform/log.ts';
import { negotiateLanguage } from '../../../platform/text/languages.ts';
import type { ServiceContext } from '../../core/context.ts';
import { message } from '../../core/messages/message.ts';
import type { Texts } from '../../core/texts.ts';
import { refuseStrangers } from '../../core/this-machine.ts';
import { type OutboxItem, outboxMessages, outboxPage } from './pages.ts';
import { newestMessages, outboxContext } from './store.ts';

const shown = 100;

/** @param leave - whether messages are also sent through gateways */
export const addOutbox = (context: ServiceContext, leave: boolean) => {
  const { server, accounts, seal, assets, texts, log } = context;
  const items = async (): Promise<OutboxItem[]> => {
    // A page may have sent several codes for one request; only the newest counts.
    const codes = new Set<string>();
    return (await newestMessages(context, shown)).flatMap(({ id, sealed, accountId, state, replaced, reached }) => {
      try {
        const opened = message.parse(seal.open(sealed, outboxContext(id)));
        const older = opened.code !== undefined && codes.has(opened.requestId);
        if (opened.code !== undefined) codes.add(opened.requestId);
        // With a single account there is nothing to distinguish.
        const account = accounts.all.length > 1 ? accounts.find(accountId)?.account.name : undefined;
        return [{ ...opened, account, state, reached, replaced: replaced || older }];
      } catch (fault) {
        // Sealed with a lost key, so it cannot be read any more.
        log.warn({ ...faultFields(fault), component: 'outbox' }, 'a message cannot be opened');
        return [];
      }
    });
  };

  const serve = (path: string, answer: (words: Texts, call: HttpRequest) => Promise<Answer>) =>
    server.route('GET', path, (call) => {
      refuseStrangers(call);
      return answer(texts(negotiateLanguage(call.headers['accept-language'])), call);
    });
  serve('/outbox', async (words) => outboxPage(await items(), words, assets, leave));
  serve('/outbox/messages', async (words, { headers }) => {
    const body = outboxMessages(await items(), words);
    const tag = `"${createHash('sha256').update(body.markup).digest('base64url').slice(0, 22)}"`;
    if (headers['if-none-match'] === tag) return { status: 304, headers: { ETag: tag } };
    return { status: 200, headers: { ETag: tag }, body };
  });
};
