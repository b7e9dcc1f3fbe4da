// Who is at the desk, across all processes: each reports every few seconds who is connected to it, one colleague in a
// signal, because a signal has a largest size. Best effort, like every signal; a colleague of whom nothing was heard for
// half a minute is forgotten.
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Bus } from '../platform/database/bus.ts';
import type { Clock } from '../platform/time/clock.ts';
import { type Colleague, colleague } from './sockets/protocol.ts';

const topic = 'desk agents';
const sayEvery = 10_000;
const forgottenAfter = 30_000;
/** A page that is reloading is disconnected for a moment (ms). */
const grace = 15_000;

const report = z.object({
  process: z.string(),
  colleague,
  /** They have left this process. */
  left: z.boolean(),
});

export type Presence = ReturnType<typeof makePresence>;

/** @param process - this process's name among all processes */
export const makePresence = (bus: Bus, clock: Clock, process: string) => {
  const here = new Set<() => Colleague>();
  /** By process and id. */
  const elsewhere = new Map<string, { readonly at: number; readonly colleague: Colleague }>();
  const listeners = new Set<() => void>();
  let lastThere = Number.NEGATIVE_INFINITY;

  const connected = () => distinct([...here].map((who) => who()));
  const colleagues = (): readonly Colleague[] => {
    const now = clock.now();
    for (const [key, { at }] of elsewhere) if (now - at > forgottenAfter) elsewhere.delete(key);
    const all = distinct([...connected(), ...[...elsewhere.values()].map(({ colleague }) => colleague)]);
    return all.sort((one, other) => one.name.localeCompare(other.name));
  };
  /** The list as last sent to this process's subscribers. */
  let told = '[]';
  /** Sends the list to this process's subscribers, if it has changed. */
  const tell = () => {
    const now = JSON.stringify(colleagues());
    if (now === told) return;
    told = now;
    for (const hear of listeners) hear();
  };
  let reported = new Map<string, Colleague>();
  /** Reports who has entered, changed or left since the last report; or everybody who is here. */
  const say = (everybody: boolean) => {
    const publish = (colleague: Colleague, left: boolean) =>
      bus.publish(topic, JSON.stringify({ process, colleague, left } satisfies z.input<typeof report>));
    const now = new Map(connected().map((one) => [one.id, one]));
    for (const [id, one] of reported) if (!now.has(id)) publish(one, true);
    for (const [id, one] of now) if (everybody || !isDeepStrictEqual(one, reported.get(id))) publish(one, false);
    reported = now;
  };
  /** The state of somebody at this process has changed. */
  const changed = () => {
    say(false);
    tell();
  };
  const unsubscribe = bus.subscribe(topic, (message) => {
    if (message === undefined) return;
    const { data: heard } = report.safeParse(JSON.parse(message));
    if (!heard || heard.process === process) return;
    const key = JSON.stringify([heard.process, heard.colleague.id]);
    if (heard.left) elsewhere.delete(key);
    else elsewhere.set(key, { at: clock.now(), colleague: heard.colleague });
    tell();
  });
  const timer = setInterval(() => {
    say(true);
    // A process that died has sent nothing.
    tell();
  }, sayEvery);
  timer.unref();

  return {
    /** Reports somebody as connected to this process until the returned function is called. */
    enter: (who: () => Colleague) => {
      here.add(who);
      changed();
      return () => {
        if (!who().away) lastThere = clock.now();
        here.delete(who);
        changed();
      };
    },
    changed,
    colleagues,
    /** Whether anybody at the desk can take a chat. */
    staffed: () => colleagues().some(({ away }) => !away) || clock.now() - lastThere < grace,
    subscribe: (hear: () => void) => {
      listeners.add(hear);
      return () => void listeners.delete(hear);
    },
    close: () => {
      clearInterval(timer);
      unsubscribe();
    },
  };
};

/** Each once: somebody with two pages is available if either page is. */
const distinct = (all: readonly Colleague[]): Colleague[] => {
  const byId = new Map<string, Colleague>();
  for (const one of all) byId.set(one.id, { ...one, away: one.away && (byId.get(one.id)?.away ?? true) });
  return [...byId.values()];
};
