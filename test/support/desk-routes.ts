// The routes that the desk adds to a server, as it adds them: for tests that want to know all of them.
import { EventEmitter } from 'node:events';
import { type DeskContext, openDesk } from '../../src/desk/index.ts';
import { makeDeskHub } from '../../src/handoff/index.ts';
import { makeBus } from '../../src/platform/database/bus.ts';
import { makeLog } from '../../src/platform/log.ts';
import { systemClock } from '../../src/platform/time/clock.ts';

/** Each as `GET /desk`, without the assets. */
export const deskRoutes = async (signIn: 'link' | 'openid'): Promise<string[]> => {
  const routes: string[] = [];
  const nothing = {} as never;
  const openId = { issuer: 'https://id.example.com', clientId: 'desk', clientSecret: 'secret', scopes: 'openid', roleClaim: 'roles' };
  const desk = await openDesk({
    http: { route: (method: string, path: string) => routes.push(`${method} ${path}`), node: new EventEmitter() } as never,
    hub: makeDeskHub(() => '1'),
    ...{ agents: nothing, handoffs: nothing, chats: nothing, interactions: nothing, forms: [], flows: () => [] },
    store: { sessions: {}, signIns: {} } as unknown as DeskContext['store'],
    bus: makeBus(),
    ...(signIn === 'openid' && {
      openId: { ...openId, agents: ['agent'], supervisors: ['lead'] } as unknown as NonNullable<DeskContext['openId']>,
    }),
    ...{ key: 'a-key-of-thirty-two-characters-or-more', publicUrl: 'https://bot.example.com', proxies: 0 },
    absentMs: 60_000,
    ...{ clock: systemClock, newId: () => '1', log: makeLog('silent') },
  });
  await desk.close();
  return routes.filter((route) => / \/desk(\/|$)/.test(route));
};
