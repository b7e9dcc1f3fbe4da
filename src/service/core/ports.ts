// What the core needs others to do.
import type { AppId } from '../../contract/index.ts';
import type { Keepsake } from './device/pages.ts';
import type { Delivery } from './outbox/message.ts';
import type { Request } from './store/request.ts';
import type { Effect } from './store/undoable.ts';
import type { Texts } from './texts.ts';

/** What the core asks of the parts beside it. Each is brought by one part; keepsakes are brought by app. */
export interface Ports {
  /** The way to customers. */
  readonly delivery: Delivery;
  /** Whom payments are made to. */
  readonly gateway: string;
  /** Stops what is open elsewhere before a request ends without success. It may end the request itself. */
  withdraw(request: Request): Promise<void>;
  /** What else a success stores, made from what was entered; from nothing for an automatic success. */
  produce(request: Request, words?: Texts, entered?: Readonly<Record<string, string>>): Promise<Effect | undefined>;
  /** Where a request's signed document can be had, for a while. */
  documentUrl(requestId: string): string;
  /** What customers can take along when they are done. */
  readonly keepsakes: Partial<Record<AppId, Keepsake>>;
}
