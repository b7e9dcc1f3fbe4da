// The shape of a plug-in. The core knows no plug-in by name.
import type { AppId } from '../../contract/index.ts';
import type { Answer } from '../../platform/http/http-server.ts';
import type { Scheduler } from '../../platform/time/scheduler.ts';
import type { Ground } from './context.ts';
import type { Core } from './core.ts';
import type { DeviceFlow } from './device/flow.ts';
import type { Ports } from './ports.ts';
import type { Request } from './store/request.ts';
import type { Texts } from './texts.ts';

/** What a plug-in adds to a service that is about to run. */
export interface Brought {
  /** Apps whose device page has steps of its own. */
  readonly flows?: Partial<Record<AppId, DeviceFlow>>;
  /** Where a request continues if its page does not end it. */
  readonly onward?: (request: Request, words: Texts) => Promise<Answer>;
  /** Woken at the start, stopped at the end. */
  readonly schedulers?: readonly Scheduler[];
  /** The entrance of the console. */
  readonly consolePath?: string | undefined;
}

/** A plug-in beside the core. */
export interface Plugin<Own extends keyof Ports = never> {
  /** What it provides to the core; it may use the core only when it is called. */
  readonly ports: Pick<Ports, Own>;
  /** Adds its routes and operations, once the core exists. */
  serve(core: Core): Brought;
  /** Releases its resources, after everything that uses it has stopped. */
  close?(): Promise<void>;
}

/** What a plug-in is opened with. The core is assembled from plug-ins, so it does not exist yet. */
export interface Opening extends Ground {
  core(): Core;
}
