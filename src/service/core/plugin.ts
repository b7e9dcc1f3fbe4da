// How parts plug into the core: each is one value of this shape, and the core knows none of them by name.
import type { AppId } from '../../contract/index.ts';
import type { Answer } from '../../platform/http-server.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import type { Core } from './core.ts';
import type { DeviceFlow } from './device/flow.ts';
import type { Ground } from './ground.ts';
import type { Ports } from './ports.ts';
import type { Request } from './store/request.ts';
import type { Texts } from './texts.ts';

/** What a part adds to a service that is about to run. */
export interface Brought {
  /** Apps whose device page has steps of its own. */
  readonly flows?: Partial<Record<AppId, DeviceFlow>>;
  /** Where a request continues whose page does not end it. */
  readonly onward?: (request: Request, words: Texts) => Promise<Answer>;
  /** Woken at the start, stopped at the end. */
  readonly schedulers?: readonly Scheduler[];
  /** Where the console is entered. */
  readonly consolePath?: string | undefined;
}

/** A part beside the core. */
export interface Plugin<Own extends keyof Ports = never> {
  /** What it does for the core; it may need the core itself only when it is called. */
  readonly ports: Pick<Ports, Own>;
  /** Adds its routes and operations, once there is a core. */
  serve(core: Core): Brought;
  /** Releases its resources, after everything that uses it has stopped. */
  close?(): Promise<void>;
}

/** What a part is opened with. The core is assembled from the parts, so it does not exist yet. */
export interface Opening extends Ground {
  core(): Core;
}
