// The bots of a run: as many as share the database, each a process of its own behind a network of its own.
import { setTimeout as pause } from 'node:timers/promises';
import { type BotChild, loadBot } from './bot-child.ts';
import type { BotStart, Doom } from './bot-process.ts';
import type { Point } from './points.ts';
import type { Chance } from './random.ts';
import type { TcpProxy } from './tcp-proxy.ts';

export interface Replicas {
  /** Where a customer's next request goes. */
  base(): string;
  /**
   * Starts every bot that is dead, one of them doomed from the start where a point is given. Whether all live to serve.
   */
  start(die?: Doom): Promise<boolean>;
  /** Has one of the bots die at such a point. Resolves where it gives that up. */
  doom(doom: Doom): Promise<void>;
  /** Takes that back for those that live. */
  spare(): void;
  /** Kills one bot now. */
  kill(): Promise<void>;
  /** Waits until a bot is dead, so many milliseconds at most, or until it is given up; whether one is. */
  dies(within: number, givenUp?: Promise<void>): Promise<boolean>;
  /** The point that the last one died at, where it was one. */
  diedAt(): Point | undefined;
  close(): Promise<void>;
}

export interface ReplicasOptions {
  readonly count: number;
  readonly chance: Chance;
  /** A stretch of network to a port that may change. */
  readonly proxyTo: (to: () => number | undefined, name: string) => Promise<TcpProxy>;
  readonly options: BotStart;
}

/** A place for a bot, and the way to it. */
interface Replica {
  child: BotChild | undefined;
  port: number;
  serving: boolean;
  proxy: number;
}

export const openReplicas = async ({ count, chance, proxyTo, options }: ReplicasOptions): Promise<Replicas> => {
  const replicas: Replica[] = [];
  for (let index = 0; index < count; index += 1) {
    const replica: Replica = { child: undefined, port: 0, serving: false, proxy: 0 };
    replica.proxy = (await proxyTo(() => (replica.serving ? replica.port : undefined), `chat ${index}`)).port;
    replicas.push(replica);
  }
  /** Any replica that serves, or any at all: a load balancer that knows who is gone. */
  const base = () => {
    const serving = replicas.filter((replica) => replica.serving);
    return `http://127.0.0.1:${chance.pick(serving.length > 0 ? serving : replicas).proxy}`;
  };

  let diedAt: Point | undefined;
  const spares: Promise<BotChild>[] = [];
  const load = () => {
    const loading = loadBot(process.env.FAULTS_LOG);
    loading.catch(() => {});
    return loading;
  };
  const startReplica = async (replica: Replica, die: Doom | undefined) => {
    const child = await (spares.shift() ?? load());
    while (spares.length < 2) spares.push(load());
    replica.child = child;
    const environment = { ...options.environment, PORT: String(replica.port) };
    const port = await child.start({ ...options, environment, ...(die && { die }) });
    replica.port = port ?? replica.port;
    replica.serving = !child.isGone();
    void child.gone.then(() => {
      diedAt = child.diedAt();
      if (replica.child === child) replica.serving = false;
    });
  };
  const alive = () => replicas.flatMap(({ child }) => (child && !child.isGone() ? [child] : []));

  return {
    base,
    start: async (die) => {
      const dead = replicas.filter(({ child }) => !child || child.isGone());
      // One after the other, so that a spare stands ready for each; only the first is doomed.
      for (const [index, replica] of dead.entries()) await startReplica(replica, index === 0 ? die : undefined);
      return alive().length === replicas.length;
    },
    doom: async (doom) => {
      const living = alive();
      if (living.length > 0) await chance.pick(living).doom(doom);
    },
    spare: () => {
      for (const child of alive()) child.spare();
    },
    kill: async () => {
      const living = alive();
      if (living.length === 0) return;
      const child = chance.pick(living);
      child.kill();
      await child.gone;
    },
    dies: async (within, givenUp) => {
      const living = alive();
      const all = living.length === replicas.length;
      const over = [pause(within, undefined, { ref: false }), ...(givenUp ? [givenUp] : [])];
      if (all) await Promise.race([...living.map(({ gone }) => gone), ...over]);
      return alive().length < replicas.length;
    },
    diedAt: () => diedAt,
    close: async () => {
      await Promise.all(alive().map((child) => child.stop()));
      for (const spare of spares) (await spare).kill();
    },
  };
};
