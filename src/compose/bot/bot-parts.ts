// The parts of a bot that only measurements, fault tests and the designer replace.
import type { ChannelsOptions } from '../../bot/index.ts';
import type { MovableTime } from '../../platform/time/movable-time.ts';
import type { ConnectionParts } from './connection.ts';

/** Parts that only measurements and fault tests replace. */
export interface BotParts extends ConnectionParts {
  /** Doubles of the bot's channels, if they are not the real ones. */
  readonly channels?: Pick<ChannelsOptions, 'authority' | 'connections' | 'credentials' | 'skillAuthority'> | undefined;
  /** Opens the pages for those who write flows and cards. Only on this machine, never in public. */
  readonly trial?: Trial | undefined;
}

/** What a process that starts everything itself can do to the world. */
export interface Trial {
  /** Ends a request at the service beside the bot. Unset: the service runs elsewhere. */
  readonly end?: ((requestId: string, outcome: 'failure' | 'success' | 'timeout') => Promise<boolean>) | undefined;
  /** The clock of the bot and of the service beside it. */
  readonly time?: MovableTime | undefined;
}
