// The core's ports.
import type { AppId } from '../../contract/index.ts';
import type { Delivery } from './messages/message.ts';
import type { Keepsake } from './pages/device-pages.ts';
import type { Request } from './store/request.ts';
import type { Effect } from './store/undoable.ts';
import type { Texts } from './texts.ts';

/** What the core needs from plug-ins. One plug-in provides each; keepsakes are provided per app. */
export interface Ports {
  /** Delivers messages to customers. */
  readonly delivery: Delivery;
  /** The payment gateway. */
  readonly gateway: string;
  /** Closes open checkouts before a request ends without success. It may end the request itself. */
  withdraw(request: Request): Promise<void>;
  /** What else a success stores, made from the customer's input; an automatic success has none. */
  produce(request: Request, words?: Texts, entered?: Readonly<Record<string, string>>): Promise<Effect | undefined>;
  /** A temporary address of a request's signed document. */
  documentUrl(requestId: string): string;
  /** The download that customers get at the end. */
  readonly keepsakes: Partial<Record<AppId, Keepsake>>;
}
