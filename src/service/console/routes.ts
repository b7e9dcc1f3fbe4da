// The console's routes: who may have which, what is recorded, and what is said to whoever may not.
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../platform/clock.ts';
import { HttpProblem } from '../../platform/http-problem.ts';
import type { Answer, Handler, HttpRequest, HttpServer } from '../../platform/http-server.ts';
import { faultFields, type Log } from '../../platform/log.ts';
import type { Accounts } from '../catalogue/accounts.ts';
import { refuseForeign } from '../device/opening.ts';
import { formLimits } from '../device/posts.ts';
import { type Language, negotiate } from '../languages.ts';
import type { Assets } from '../pages/assets.ts';
import type { Random } from '../random.ts';
import type { ConsoleSession, ConsoleStore, Role } from '../store/console.ts';
import type { Texts } from '../texts.ts';
import type { Look } from '../theme/looks.ts';
import { refuseStrangers } from '../this-machine.ts';
import { makeFrame } from './frame.ts';
import type { ConsolePage, ConsoleSection, Looked, Visit } from './section.ts';
import { makeSignIn } from './sign-in.ts';
import { type Words, wordsIn } from './words.ts';

export interface ConsoleOptions {
  readonly server: HttpServer;
  readonly sections: readonly ConsoleSection[];
  readonly accounts: Accounts;
  readonly store: ConsoleStore;
  readonly assets: Assets;
  readonly look: Look;
  readonly texts: (language: Language) => Texts;
  readonly publicUrl: () => URL;
  readonly random: Random;
  readonly clock: Clock;
  readonly log: Log;
}

/** Adds the console, for this machine. Answers the path of the link that signs in, once. */
export const addConsole = (options: ConsoleOptions): string => {
  const { server, sections, accounts, store, assets, look, texts, publicUrl, random, clock, log } = options;
  const frame = makeFrame({ sections, assets, look, name: 'Countersign' });
  const signIn = makeSignIn({ store, frame, random, secure: () => publicUrl().protocol === 'https:' });
  const kept = new LRUCache<string, Words>({ max: 50 });

  const textsFor = ({ headers }: HttpRequest) => texts(negotiate(headers['accept-language'], 'en'));
  const wordsFor = (call: HttpRequest, { timeZone }: ConsoleSession) => {
    const own = textsFor(call);
    const key = `${own.language} ${timeZone}`;
    const words = kept.get(key) ?? wordsIn(own, timeZone);
    kept.set(key, words);
    return words;
  };
  const record = ({ person, role }: ConsoleSession, { action, subject }: Looked, { remoteAddress: address }: HttpRequest) => {
    const at = clock.now();
    return store.record({ id: random.id(at), person, role, action, subject, address, at });
  };

  const local =
    (handler: Handler): Handler =>
    (call) => {
      refuseStrangers(call, publicUrl().hostname);
      if (call.method === 'POST') refuseForeign(call, publicUrl());
      return handler(call);
    };
  const forSession =
    (handler: (call: HttpRequest, session: ConsoleSession) => Promise<Answer>): Handler =>
    async (call) => {
      const session = await signIn.whoIs(call, clock.now());
      return session ? handler(call, session) : frame.bare(401, 'console.out.title', 'console.out.text', textsFor(call));
    };

  const serve = (section: ConsoleSection, page: ConsolePage) =>
    forSession(async (call, session) => {
      const words = wordsFor(call, session);
      if (!mayHave(session.role, page.role)) return frame.bare(403, 'console.forbidden.title', 'console.forbidden.text', words);
      const visit: Visit = { call, session, words, accounts };
      try {
        // What could not be recorded is not shown.
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
    });

  for (const section of sections) {
    for (const page of section.pages) {
      server.route(page.method, `/console${page.path}`, local(serve(section, page)), page.method === 'POST' ? { limits: formLimits } : {});
    }
  }
  server.route(
    'GET',
    '/console/sign-in/:token',
    local((call) => signIn.show(call.params.token ?? '', textsFor(call))),
  );
  server.route(
    'POST',
    '/console/sign-in/:token',
    local(async (call) => {
      const { answer, session } = await signIn.enter(call, textsFor(call), clock.now());
      if (session) await record(session, { action: 'sign-in', subject: '' }, call);
      return answer;
    }),
    { limits: formLimits },
  );
  server.route(
    'POST',
    '/console/sign-out',
    local(
      forSession(async (call, session) => {
        await record(session, { action: 'sign-out', subject: '' }, call);
        return signIn.leave(call);
      }),
    ),
    { limits: formLimits },
  );
  return `/console/sign-in/${signIn.token}`;
};

const mayHave = (own: Role, least: Role) => own === 'operator' || least === 'viewer';

/** Where there is no console: a page that says so, and why. */
export const addNoConsole = ({ server, assets, look, texts }: Pick<ConsoleOptions, 'assets' | 'look' | 'server' | 'texts'>): undefined => {
  const frame = makeFrame({ sections: [], assets, look, name: 'Countersign' });
  server.route('GET', '/console', ({ headers }) =>
    frame.bare(403, 'console.closed.title', 'console.closed.text', texts(negotiate(headers['accept-language'], 'en'))),
  );
};
