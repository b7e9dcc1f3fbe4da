// One turn at a time in each conversation: within this process, or among all that share a Postgres.
import { makeSharedTurnLock, makeTurnLock, type TurnLock } from '../bot/index.ts';
import { monotonicClock } from '../platform/clock.ts';
import type { Connection } from './connection.ts';

/** The lock that fits the place where the connection keeps its state. */
export const turnLockOf = ({ log, newId, random, storage }: Pick<Connection, 'log' | 'newId' | 'random' | 'storage'>): TurnLock =>
  storage.turnLeases ? makeSharedTurnLock({ leases: storage.turnLeases, newId, random, monotonic: monotonicClock, log }) : makeTurnLock();
