// A bus between processes over Postgres LISTEN and NOTIFY (postgresql.org/docs/current/sql-notify.html).
import { sql } from 'kysely';
import { z } from 'zod';
import { faultFields, type Log } from '../log.ts';
import { errorBoundary } from '../process/faults.ts';
import { sleep } from '../time/waits.ts';
import { type Bus, makeBus } from './bus.ts';
import type { DatabaseSession, SharedDatabase } from './database.ts';
import { keepSession } from './keep-session.ts';

/** Bytes of one notification; Postgres takes up to 7999. */
const maxBytes = 7_500;
/** Notifications that wait to be sent. Any more are lost. */
const maxWaiting = 10_000;
/** How often (ms) the listening connection is tested: one that is half open never reports anything. */
const tryEvery = 10_000;

const payload = z.tuple([z.string(), z.array(z.tuple([z.string()], z.string()))]);

/**
 * A bus to every process that listens to the same channel of the same database. Returns at once; connections are opened
 * and replaced in the background.
 * @param id - identifies this process, so that it ignores its own notifications
 * @param channel - the one that all processes of one kind listen to
 */
export const makePostgresBus = <Schema>(database: SharedDatabase<Schema>, id: string, channel: string, log: Log): Bus => {
  const local = makeBus();
  const topics = new Map<string, number>();
  const stop = new AbortController();
  /** Waiting notifications, each once: repeating one before it was sent would add nothing. */
  const waiting = new Set<string>();
  /** Signals too large for a notification, or too many, that are still to be logged. */
  let dropped = 0;
  let sending: Promise<void> | undefined;

  const hear = (received: string) => {
    let read: z.output<typeof payload>;
    try {
      read = payload.parse(JSON.parse(received));
    } catch (fault) {
      log.warn({ ...faultFields(fault), component: 'bus' }, 'a notification cannot be read');
      return;
    }
    const [sender, signals] = read;
    if (sender !== id) for (const [topic, message] of signals) local.publish(topic, message);
  };
  const use = async ({ db, listen }: DatabaseSession<Schema>, signal: AbortSignal) => {
    const listenerFailed = (fault: unknown) => log.error({ ...faultFields(fault), component: 'bus' }, 'a listener failed');
    await listen(channel, errorBoundary(hear, listenerFailed));
    // Notifications were missed while nothing listened, so listeners are told to look at everything.
    for (const topic of topics.keys()) local.publish(topic);
    while (await sleep(tryEvery, signal)) await sql`select 1`.execute(db);
  };
  const session = keepSession(database, 'bus', use, log, stop.signal);

  /** As many as fit into one notification. */
  const nextBatch = () => {
    const batch: string[] = [];
    let size = id.length + 10;
    for (const item of waiting) {
      size += Buffer.byteLength(item) + 1;
      if (size > maxBytes) break;
      batch.push(item);
      waiting.delete(item);
    }
    return batch;
  };
  const send = async () => {
    // Notifications published in the same turn of the event loop are sent together.
    await new Promise(setImmediate);
    while (waiting.size > 0 || dropped > 0) {
      if (dropped > 0) log.warn({ component: 'bus', count: dropped }, 'signals to other processes were dropped: too large, or too many');
      dropped = 0;
      const batch = nextBatch();
      if (batch.length === 0) continue;
      try {
        await sql`select pg_notify(${channel}, ${`[${JSON.stringify(id)},[${batch.join()}]]`})`.execute(database.db);
      } catch (fault) {
        log.warn({ ...faultFields(fault), component: 'bus', count: batch.length }, 'signals to other processes could not be sent');
      }
    }
    sending = undefined;
  };

  return {
    publish: (topic, message) => {
      local.publish(topic, message);
      if (stop.signal.aborted) return;
      const item = JSON.stringify(message === undefined ? [topic] : [topic, message]);
      // The last publication counts: what was published between two equal messages arrives before the second.
      waiting.delete(item);
      if (Buffer.byteLength(item) > maxBytes / 2 || waiting.size >= maxWaiting) dropped += 1;
      else waiting.add(item);
      sending ??= send();
    },
    subscribe: (topic, listener) => {
      topics.set(topic, (topics.get(topic) ?? 0) + 1);
      const off = local.subscribe(topic, listener);
      let listening = true;
      return () => {
        if (!listening) return;
        listening = false;
        off();
        const left = (topics.get(topic) ?? 1) - 1;
        if (left > 0) topics.set(topic, left);
        else topics.delete(topic);
      };
    },
    close: async () => {
      stop.abort();
      await Promise.all([session, sending]);
      await local.close();
    },
  };
};
