// Who is at the desk, across all processes: each reports every few seconds who is connected to it. Best effort, like
// every signal; a process that dies is forgotten after half a minute.
import { z } from 'zod';
import type { Bus } from '../platform/bus.ts';
import type { Clock } from '../platform/clock.ts';
import type { Colleague } from './protocol.ts';

const topic = 'desk agents';
const sayEvery = 10_000;
const forgottenAfter = 30_000;
/** A page that is reloading is disconnected for a moment (ms). */
const grace = 15_000;

const said = z.object({
  process: z.string(),
  colleagues: z.array(z.object({ id: z.string(), name: z.string(), role: z.enum(['agent', 'supervisor']), away: z.boolean() })),
});

export interface Presence {
  /** Reports somebody as connected to this process until the returned function is called. */
  enter(who: () => Colleague): () => void;
  /** The state of somebody at this process has changed. */
  changed(): void;
  colleagues(): readonly Colleague[];
  /** Whether anybody at the desk can take a chat. */
  staffed(): boolean;
  subscribe(hear: () => void): () => void;
  close(): void;
}

/** @param process - this process's name among all processes */
export const makePresence = (bus: Bus, clock: Clock, process: string): Presence => {
  const here = new Set<() => Colleague>();
  const elsewhere = new Map<string, { readonly at: number; readonly colleagues: readonly Colleague[] }>();
  const listeners = new Set<() => void>();
  let lastThere = Number.NEGATIVE_INFINITY;

  const colleagues = () => {
    const now = clock.now();
    for (const [name, { at }] of elsewhere) if (now - at > forgottenAfter) elsewhere.delete(name);
    const all = [...[...here].map((who) => who()), ...[...elsewhere.values()].flatMap((kept) => kept.colleagues)];
    // Somebody with two pages is available if either page is.
    const byId = new Map<string, Colleague>();
    for (const one of all) byId.set(one.id, { ...one, away: one.away && (byId.get(one.id)?.away ?? true) });
    return [...byId.values()].sort((one, other) => one.name.localeCompare(other.name));
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
  const say = () => bus.publish(topic, JSON.stringify({ process, colleagues: [...here].map((who) => who()) }));
  const changed = () => {
    say();
    tell();
  };
  const unsubscribe = bus.subscribe(topic, (message) => {
    const heard = message === undefined ? undefined : said.safeParse(JSON.parse(message)).data;
    if (!heard || heard.process === process) return;
    elsewhere.set(heard.process, { at: clock.now(), colleagues: heard.colleagues });
    tell();
  });
  const timer = setInterval(() => {
    if (here.size > 0) say();
    // A process that died has sent nothing.
    tell();
  }, sayEvery);
  timer.unref();

  return {
    enter: (who) => {
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
    staffed: () => colleagues().some(({ away }) => !away) || clock.now() - lastThere < grace,
    subscribe: (hear) => {
      listeners.add(hear);
      return () => void listeners.delete(hear);
    },
    close: () => {
      clearInterval(timer);
      unsubscribe();
    },
  };
};
