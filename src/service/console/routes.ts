// The console's routes: who may access which, what is recorded, and what others are shown.

import { LRUCache } from 'lru-cache';
import { HttpProblem } from '../../platform/http/http-problem.ts';
import type { Handler, HttpRequest } from '../../platform/http/http-server.ts';
import { faultFields } from '../../platform/log.ts';
import { negotiateLanguage } from '../../platform/text/languages.ts';
import { signInLimits } from '../../sign-in/sign-in.ts';
import type { ServiceContext } from '../core/context.ts';
import { formLimits, refuseForeign } from '../core/device/opening.ts';
import type { TextKey, Texts } from '../core/texts.ts';
import { refuseStrangers } from '../core/this-machine.ts';
import { type Frame, makeFrame } from './frame.ts';
import { type ConsolePage, type ConsoleSection, pagesOf, type Visit } from './section.ts';
import type { ConsoleSignIn, RecordConsoleAccess } from './sign-in.ts';
import type { ConsoleSession, ConsoleSessionHeld, Role } from './store.ts';
import { consoleWords, type Words } from './words.ts';

/** Adds the console and its sign-in. */
export const addConsole = (
  { server, accounts, publicUrl, log }: ServiceContext,
  {
    sections,
    signIn,
    record,
    frame,
    textsFor,
  }: {
    readonly sections: readonly ConsoleSection[];
    readonly signIn: ConsoleSignIn;
    readonly record: RecordConsoleAccess;
    readonly frame: Frame;
    readonly textsFor: (call: HttpRequest) => Texts;
  },
): void => {
  const kept = new LRUCache<string, Words>({ max: 50 });

  const wordsFor = (call: HttpRequest, { timeZone }: ConsoleSession) => {
    const own = textsFor(call);
    const key = `${own.language} ${timeZone}`;
    const words = kept.get(key) ?? consoleWords(own, timeZone);
    kept.set(key, words);
    return words;
  };

  const admitted =
    (handler: Handler): Handler =>
    async (call) => {
      if (!signIn.admits(call)) refuseStrangers(call);
      if (call.method === 'POST') refuseForeign(call, publicUrl(), 'refused');
      const answer = await handler(call);
      // So that a browser without Fetch Metadata says where a post comes from.
      return { ...answer, headers: { 'Referrer-Policy': 'same-origin', ...answer.headers } };
    };

  const serve =
    (section: ConsoleSection, page: ConsolePage): Handler =>
    async (call) => {
      const session = await signIn.session(call, call);
      if (!session) return signIn.outside(call);
      const words = wordsFor(call, session);
      if (!mayHave(session.role, page.role)) return frame.bare(403, 'console.forbidden.title', forbiddenText(session), words);
      const visit: Visit = { call, session, words, accounts };
      try {
        // If the access cannot be recorded, the page is not shown.
        const looked = page.looked?.(visit);
        if (looked) await record(session, looked, call);
        const shown = await page.answer(visit);
        return 'title' in shown ? frame.framed(shown, section, visit) : shown;
      } catch (fault) {
        if (fault instanceof HttpProblem && fault.status === 404)
          return frame.bare(404, 'console.missing.title', 'console.missing.text', words);
        if (!(fault instanceof HttpProblem)) log.error({ ...faultFields(fault), component: 'console' }, 'a page of the console failed');
        throw fault;
      }
    };

  for (const section of sections) {
    for (const page of pagesOf(section)) {
      server.route(
        page.method,
        `/console${page.path}`,
        admitted(serve(section, page)),
        page.method === 'POST' ? { limits: formLimits } : {},
      );
    }
  }
  for (const { method, path, answer } of signIn.routes) server.route(method, `/console${path}`, admitted(answer), { limits: signInLimits });
};

/** What a viewer is told who tries something that requires an operator. */
const forbiddenText = ({ roleCheck }: ConsoleSessionHeld): TextKey => {
  if (!roleCheck) return 'console.forbidden.text';
  return roleCheck.silent ? 'console.openid.silent' : 'console.openid.forbidden';
};

const mayHave = (own: Role, least: Role) => own === 'operator' || least === 'viewer';

/** Without a console: a page that says so, and why. */
export const addNoConsole = (context: ServiceContext): void => {
  const { server, texts } = context;
  const frame = makeFrame(context, []);
  server.route('GET', '/console', ({ headers }) =>
    frame.bare(403, 'console.closed.title', 'console.closed.text', texts(negotiateLanguage(headers['accept-language'], 'en'))),
  );
};
