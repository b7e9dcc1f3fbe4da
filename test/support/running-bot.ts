// The bot's endpoint over real HTTP, answering through a local channel.
import { request } from 'undici';
import { type AdapterOptions, TurnAdapter } from '../../src/bot/adapter.ts';
import { type Channels, type ChannelsOptions, makeChannels } from '../../src/bot/channels.ts';
import type { Connector } from '../../src/bot/outgoing/connector.ts';
import { type BotServer, type BotServerOptions, makeBotServer } from '../../src/bot/server.ts';
import { makeTurnLock, type TurnLock } from '../../src/bot/turns/turn-lock.ts';
import { limitTurns } from '../../src/bot/turns/turn-steps.ts';
import type { TurnLogic } from '../../src/bot/turns/turns.ts';
import type { Rate } from '../../src/platform/limits.ts';
import { makeLog } from '../../src/platform/log.ts';
import { systemClock } from '../../src/platform/time/clock.ts';
import { message } from './activities.ts';
import { type Channel, openChannel } from './channel.ts';

export interface BotUnderTest {
  readonly adapter: TurnAdapter;
  readonly channels: Channels;
  readonly server: BotServer;
  readonly channel: Channel;
  /** Posts into our own Direct Line. */
  readonly ownPosts: Parameters<Connector['post']>[];
  readonly logged: string[];
  readonly base: string;
  /** Sends a message with the given fields to the endpoint. */
  send(
    fields?: Record<string, unknown>,
    headers?: Record<string, string>,
  ): Promise<{ status: number; headers: Record<string, unknown>; body: unknown }>;
  close(): Promise<void>;
}

export interface BotUnderTestOptions {
  readonly identity?: ChannelsOptions['identity'];
  readonly authority?: ChannelsOptions['authority'];
  readonly rate?: Rate;
  readonly lock?: Parameters<typeof makeTurnLock>[0];
  /** Instead of the lock for a single process. */
  readonly turnLock?: TurnLock;
  readonly needs?: BotServerOptions['needs'];
  readonly metrics?: BotServerOptions['metrics'];
  readonly answerWithin?: number;
  readonly apology?: AdapterOptions['apology'];
  readonly onRefused?: ChannelsOptions['onRefused'];
  readonly clickWithin?: AdapterOptions['clickWithin'];
}

export const startBot = async (
  logic: TurnLogic,
  {
    identity = {},
    authority,
    rate = { points: 1000, seconds: 1 },
    lock,
    turnLock,
    needs = {},
    metrics,
    answerWithin,
    apology,
    clickWithin,
    onRefused,
  }: BotUnderTestOptions = {},
): Promise<BotUnderTest> => {
  const logged: string[] = [];
  const log = makeLog('debug', { write: (line) => void logged.push(line) });
  const channel = await openChannel();
  const ownPosts: BotUnderTest['ownPosts'] = [];
  const own: Connector = {
    post: async (...post) => ({ id: `own-${ownPosts.push(post)}` }),
    update: async (_conversation, id) => ({ id }),
    remove: async () => {},
  };
  const channels = makeChannels({
    identity,
    own,
    clock: systemClock,
    log,
    ...(authority && { authority }),
    ...(onRefused && { onRefused }),
  });
  const adapter = new TurnAdapter({
    authentication: channels.authentication,
    lock: turnLock ?? makeTurnLock(lock),
    admit: limitTurns(rate),
    log,
    apology: apology ?? ((locale) => `sorry in ${locale}`),
    ...(clickWithin !== undefined && { clickWithin }),
  });
  const server = makeBotServer({
    identity,
    adapter,
    logic,
    answersTo: channels.answersTo,
    needs,
    log,
    ...(metrics && { metrics }),
    ...(answerWithin !== undefined && { answerWithin }),
  });
  const base = `http://127.0.0.1:${await server.listen(0)}`;
  return {
    adapter,
    channels,
    server,
    channel,
    ownPosts,
    logged,
    base,
    send: async (fields = {}, headers = {}) => {
      const response = await request(`${base}/api/messages`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(message({ serviceUrl: channel.serviceUrl, ...fields })),
      });
      const text = await response.body.text();
      return { status: response.statusCode, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
    },
    close: async () => {
      await server.close(0);
      await channels.close();
      await channel.close();
    },
  };
};
