// A conversation that a page of the desk shows: its events and its panel, whenever they change.
import type { DeskFrame } from './sockets/protocol.ts';
import type { Work } from './work.ts';

/**
 * A conversation that the page shows: its events go out in order, each once.
 * @param after - the number of the last event that the page has
 * @returns looks for changes
 */
export const watch = (id: string, after: number, work: Work, send: (frame: DeskFrame) => void, failed: (fault: unknown) => void) => {
  let last = after;
  let shown = '';
  let wanted = false;
  let running = false;

  const run = async () => {
    while (wanted) {
      wanted = false;
      const found = await work.happened(id, last);
      if (found.events.length > 0) send({ type: 'happened', id, events: found.events });
      last = found.last;
      if (found.more) {
        wanted = true;
        continue;
      }
      const panel = await work.panel(id);
      const text = JSON.stringify(panel);
      if (panel && text !== shown) send({ type: 'panel', id, panel });
      shown = text;
    }
  };
  const look = (): void => {
    wanted = true;
    if (running) return;
    running = true;
    void run()
      .catch(failed)
      .finally(() => {
        running = false;
        if (wanted) look();
      });
  };
  return look;
};
