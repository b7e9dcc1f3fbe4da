// Tells callers now and then that we are still waiting: silence on a phone sounds like a lost line.
import type { Interaction } from '../../interactions/index.ts';
import { faultFields, type Log } from '../../platform/log.ts';

/** After how many seconds of waiting it is said, once each: more would be a nuisance. */
const moments = [20, 60, 150, 300];

/**
 * Lost with the process, which costs a caller nothing but the phrase.
 * @param tell - says it in the interaction's chat
 */
export const makeHoldMessages = (
  get: (id: string) => Promise<Interaction | undefined>,
  tell: (interaction: Interaction) => Promise<void>,
  log: Log,
) => {
  const timers = new Set<NodeJS.Timeout>();

  const say = async (id: string): Promise<void> => {
    const now = await get(id);
    if (now?.state === 'waiting') await tell(now);
  };

  return {
    hold: ({ id }: Interaction): void => {
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
    close: (): void => {
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
    },
  };
};
