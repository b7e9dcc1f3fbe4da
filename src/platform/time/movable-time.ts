// A clock that can be set ahead, with alarms that follow it: for trying out at once what takes hours.
import { makeAlarm, systemClock } from './clock.ts';

export type MovableTime = ReturnType<typeof makeMovableTime>;

export const makeMovableTime = () => {
  let ahead = 0;
  const clock = { now: () => systemClock.now() + ahead };
  const alarm = makeAlarm(clock);
  const armed = new Set<{ readonly instant: number; readonly ring: () => void; cancel: () => void }>();
  return {
    clock,
    alarm: {
      at: (instant: number, ring: () => void) => {
        const one = {
          instant,
          ring: () => {
            armed.delete(one);
            ring();
          },
          cancel: () => {},
        };
        one.cancel = alarm.at(instant, one.ring);
        armed.add(one);
        return () => {
          armed.delete(one);
          one.cancel();
        };
      },
    },
    /** How far (ms) it is ahead of the system's clock. */
    ahead: () => ahead,
    /** Sets it ahead by this much more (ms). Alarms that become due ring, each once, later. */
    advance: (ms: number): void => {
      ahead += ms;
      for (const one of armed) {
        one.cancel();
        one.cancel = alarm.at(one.instant, one.ring);
      }
    },
  };
};
