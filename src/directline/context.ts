// What the parts of our Direct Line share.
import type { HttpServer } from '../platform/http/http-server.ts';
import type { Log } from '../platform/log.ts';
import type { Clock } from '../platform/time/clock.ts';
import type { ChatStore } from '../storage/index.ts';
import type { Parties } from './activity.ts';
import type { DirectLineLimits } from './rest.ts';
import type { Signals } from './signals.ts';
import type { Tokens } from './tokens.ts';

export interface DirectLineContext {
  readonly server: HttpServer;
  readonly chats: ChatStore;
  readonly signals: Signals;
  readonly tokens: Tokens;
  readonly parties: Parties;
  /** Called before anything of a user's message is read or stored; throws an `HttpProblem` to refuse it. */
  readonly admit: (userId: string) => Promise<void>;
  readonly limits: DirectLineLimits;
  /** Our public address, if it differs from the one we listen on. */
  readonly publicUrl?: string | undefined;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly log: Log;
}
