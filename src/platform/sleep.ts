import { setTimeout as wait } from 'node:timers/promises';

/** Waits `ms` milliseconds, or until `signal` aborts; never throws. Resolves to whether the whole time passed. */
export const sleep = (ms: number, signal: AbortSignal): Promise<boolean> => wait(ms, true, { signal }).catch(() => false);
