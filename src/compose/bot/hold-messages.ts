// Tells callers now and then that we are still waiting: silence on a phone sounds like a lost line.
import type { Interaction } from '../../interactions/index.ts';
import { faultFields, type Log } from '../../platform/log.ts';

export interface HoldMessagesOptions {
  readonly get: (id: string) => Promise<Interaction | undefined>;
  /** Says it in the interaction's chat. */
  readonly tell: (interaction: Interaction) => Promise<void>;
  readonly log: Log;
}

export interface HoldMessages {
  hold(interaction: Interaction): void;
  close(): void;
}

/** After how many seconds of waiting it is said, once each: more would be a nuisance. */
const moments = [20, 60, 150, 300];

/** Lost with the process, which costs a caller nothing but the phrase. */
export const makeHoldMessages = ({ get, tell, log }: HoldMessagesOptions): HoldMessages => {
  const timers = new Set<NodeJS.Timeout>();

  const say = async (id: string): Promise<void> => {
    const now = await get(id);
    if (now?.state === 'waiting') await tell(now);
  };

  return {
    hold: ({ id }) => {
      for (const seconds of moments) {
        const timer = setTimeout(() => {
          timers.delete(timer);
          say(id).catch((fault: unknown) => {
            // Callers who have hung up need none.
            log.debug({ ...faultFields(fault), interaction: id }, 'a caller was not told that we still wait');
          });
        }, seconds * 1000);
        timer.unref();
        timers.add(timer);
      }
    },
    close: () => {
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
    },
  };
};
