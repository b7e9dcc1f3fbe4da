// Our endpoint, adapter, turn lock and connectors around an echo, or around a waterfall of the SDK with its state in
// memory.
import type { TurnContext } from 'botbuilder';
import { TurnAdapter } from '../../../src/bot/adapter.ts';
import { makeChannels } from '../../../src/bot/channels.ts';
import { makeBotServer } from '../../../src/bot/server.ts';
import { makeTurnLock } from '../../../src/bot/turns/turn-lock.ts';
import { limitTurns } from '../../../src/bot/turns/turn-steps.ts';
import { makeLog } from '../../../src/platform/log.ts';
import { systemClock } from '../../../src/platform/time/clock.ts';
import { makeWaterfall } from '../floors/stock-waterfall.ts';
import type { Opened } from '../side-process.ts';

const nowhere = () => Promise.reject(new Error('our own Direct Line has no part in this'));

const echo = async (context: TurnContext) => {
  if (context.activity.type === 'message') await context.sendActivity(`Echo: ${context.activity.text}`);
};

export const open = async ({ waterfall = false }: { readonly waterfall?: boolean }): Promise<Opened> => {
  const log = makeLog('warn');
  const own = { post: nowhere, update: nowhere, remove: nowhere };
  const { authentication, answersTo, close } = makeChannels({ identity: {}, own, clock: systemClock, log });
  const admit = limitTurns({ points: 1_000_000, seconds: 10 });
  const adapter = new TurnAdapter({ authentication, lock: makeTurnLock(), admit, log, apology: () => 'Sorry.' });
  const server = makeBotServer({
    identity: {},
    adapter,
    logic: waterfall ? makeWaterfall() : echo,
    answersTo,
    needs: {},
    log,
  });
  return {
    told: { port: await server.listen(0) },
    close: async () => {
      await server.close();
      await close();
    },
  };
};
