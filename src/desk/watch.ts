// A conversation that a page of the desk shows: its events and its panel, whenever they change.
import type { DeskFrame } from './sockets/protocol.ts';
import type { Work } from './work.ts';

interface WatchParts {
  readonly id: string;
  readonly after: number;
  readonly work: Work;
  readonly send: (frame: DeskFrame) => void;
  readonly failed: (fault: unknown) => void;
}

/** A conversation that the page shows: its events go out in order, each once. */
export class Watch {
  readonly #parts: WatchParts;
  #after: number;
  #panel = '';
  #wanted = false;
  #running = false;

  constructor(parts: WatchParts) {
    this.#parts = parts;
    this.#after = parts.after;
  }

  look(): void {
    this.#wanted = true;
    if (this.#running) return;
    this.#running = true;
    void this.#run()
      .catch(this.#parts.failed)
      .finally(() => {
        this.#running = false;
        if (this.#wanted) this.look();
      });
  }

  async #run(): Promise<void> {
    const { id, send, work } = this.#parts;
    while (this.#wanted) {
      this.#wanted = false;
      const { events, last, more } = await work.happened(id, this.#after);
      if (events.length > 0) send({ type: 'happened', id, events });
      this.#after = last;
      if (more) {
        this.#wanted = true;
        continue;
      }
      const panel = await work.panel(id);
      const text = JSON.stringify(panel);
      if (panel && text !== this.#panel) send({ type: 'panel', id, panel });
      this.#panel = text;
    }
  }
}
