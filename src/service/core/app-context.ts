// The context once the apps are open: what accepts, shows and ends requests works with it.

import type { EventType } from '../../contract/index.ts';
import type { Answer, HttpRequest } from '../../platform/http/http-server.ts';
import type { ServiceApps, TaskOf } from './app.ts';
import { customerAt, originOf } from './audit/origin.ts';
import type { ServiceContext } from './context.ts';
import { makeOpenLink } from './device/opening.ts';
import { makePagesOf } from './pages/device-pages.ts';
import { erasedRef, type Request } from './store/request.ts';
import type { Texts } from './texts.ts';

export type AppContext = ReturnType<typeof withApps>;

export const withApps = (context: ServiceContext, apps: ServiceApps) => {
  const { accounts, storage, listeners, answerers, texts, clock } = context;
  const taskOf: TaskOf = ({ app, input }) => apps[app].open(input);
  const pagesOf = makePagesOf(context, taskOf);
  return {
    ...context,
    apps,
    taskOf,
    pagesOf,
    open: makeOpenLink(context, pagesOf),
    /** The result record of a finished request, with its expiring links, which are made anew each time. */
    resultOf: (request: Request): object | undefined => {
      const { result } = request;
      if (typeof result !== 'object' || result === null) return undefined;
      return { ...result, ...(request.state === 'success' && apps[request.app].links?.(request)) };
    },
    /** The title that the customer saw, or the app's name if it shows none. */
    subjectOf: (request: Request, { t }: Texts): string => {
      // For an erased customer nothing is left.
      const { title } = request.customerRef === erasedRef ? {} : taskOf(request).shown();
      return typeof title === 'string' ? title : t(`app.${request.app}`);
    },
    /** The page of a success with its download, for the browser that answered. */
    succeeded: (request: Request, words: Texts): Answer => {
      const download = apps[request.app].keepsake?.(request, words, answerers.until(request));
      return answerers.remember(request, pagesOf(request.accountId).done(request, 'success', words, { keepsake: download }));
    },
    /** Adds events that a customer caused, `once` those that the request does not have yet, and tells its followers. */
    note: async (
      request: Request,
      events: readonly EventType[],
      call: Pick<HttpRequest, 'clientAddress' | 'headers'>,
      repeat: 'again' | 'once' = 'once',
    ) => {
      const recorded = { by: customerAt(originOf(call)), shown: taskOf(request).shown() };
      if (await storage.changes.note(request.id, events, clock.now(), repeat, recorded)) listeners.notify(request.id);
    },
    /** What else a success stores, made from the customer's input; an automatic success has none. */
    produce: async (request: Request, words = texts(request.language), entered: Readonly<Record<string, string>> = {}) =>
      taskOf(request).produce(entered, {
        request,
        texts: words,
        account: accounts.of(request.accountId).account,
        at: clock.now(),
      }),
  };
};
