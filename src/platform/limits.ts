// How often something may be done under one name. The bot's numbers are in rates.ts, the service's in its limits.ts;
// what replicas of the service count together is in its database (src/service/core/limits/stored-quotas.ts).
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { HttpProblem } from './http/http-problem.ts';

export type Rate = { readonly points: number; readonly seconds: number };

/** A rate with further points: for customers who completed something lately, and for the chats in which they did. */
export type KeptRate = Rate & { readonly kept: { readonly customer: number; readonly session: number } };

/** How often one chat may ask who a number belongs to. */
export type LookupRate = { readonly perTenMinutes: number; readonly perDay: number };

/**
 * What a name has left. `waitMs`: until enough points are (ms); 0: they are, or were until they were taken. `resetMs`:
 * until all are back.
 */
type PointsLeft = { readonly waitMs: number; readonly left: number; readonly resetMs: number };

export type Limit = ReturnType<typeof makeLimit>;

/** Counts in this process, in a window for each rate that begins with the first point. */
export const makeLimit = (...rates: readonly Rate[]) => {
  const windows = rates.map(({ points, seconds }) => new RateLimiterMemory({ points, duration: seconds }));

  const takeOf = async (window: RateLimiterMemory, name: string, points: number): Promise<PointsLeft> => {
    try {
      const { msBeforeNext, remainingPoints } = await window.consume(name, points);
      return { waitMs: 0, left: remainingPoints, resetMs: msBeforeNext };
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      return { waitMs: Math.max(1, refusal.msBeforeNext), left: 0, resetMs: refusal.msBeforeNext };
    }
  };
  const giveBack = async (name: string, points = 1): Promise<void> => {
    await Promise.all(windows.map((window) => window.reward(name, points)));
  };
  /** Takes points of each rate, or none of any. */
  const take = async (name: string, points = 1): Promise<PointsLeft> => {
    const taken = await Promise.all(windows.map((window) => takeOf(window, name, points)));
    const waitMs = Math.max(0, ...taken.map((one) => one.waitMs));
    // What was refused was counted too.
    if (waitMs > 0) await giveBack(name, points);
    const [left, resetMs] = [Math.min(...taken.map((one) => one.left)), Math.max(0, ...taken.map((one) => one.resetMs))];
    return { waitMs, left, resetMs };
  };
  return {
    take,
    giveBack,
    /** Until there is a point of each rate (ms); 0: there is one. */
    waitOf: async (name: string): Promise<number> => {
      const known = await Promise.all(windows.map((window) => window.get(name)));
      return Math.max(0, ...known.map((one) => (one && one.remainingPoints <= 0 ? one.msBeforeNext : 0)));
    },
    /** Takes a point; `false` if none was left. */
    admits: async (name: string): Promise<boolean> => (await take(name)).waitMs === 0,
  };
};

/** Takes one of a name's points, or several. @throws {HttpProblem} 429 with Retry-After when none is left. */
export type TakePoint = (name: string, points?: number) => Promise<void>;

/** `code` and `detail` are those of the 429. */
export const limitRate = (rate: Rate, code: string, detail: string): TakePoint => {
  const limit = makeLimit(rate);
  return async (name, points) => {
    const { waitMs } = await limit.take(name, points);
    if (waitMs > 0) throw tooMany(code, detail, waitMs);
  };
};

const tooMany = (code: string, detail: string, waitMs: number) =>
  new HttpProblem(429, code, detail, { headers: { 'Retry-After': String(Math.max(1, Math.ceil(waitMs / 1000))) } });

/** A limit on failures only: who succeeds is never counted. */
export const limitFailures = (rate: Rate, code: string, detail: string) => {
  const limit = makeLimit(rate);
  return {
    /** @throws {HttpProblem} 429 with Retry-After once the name has failed too often. */
    refuseFailing: async (name: string): Promise<void> => {
      const waitMs = await limit.waitOf(name);
      if (waitMs > 0) throw tooMany(code, detail, waitMs);
    },
    countFailure: async (name: string): Promise<void> => {
      await limit.take(name);
    },
  };
};

/**
 * The first instant (epoch ms) with room for one more after those at `times`, oldest first: no period of a rate's
 * length has more than its points.
 */
export const roomAt = (times: readonly number[], rates: readonly Rate[]): number =>
  Math.max(
    0,
    ...rates.map(({ points, seconds }) => {
      const first = points === 0 ? Number.POSITIVE_INFINITY : times.at(-points);
      return first === undefined ? 0 : first + seconds * 1000;
    }),
  );
