// The parts of a bot that only measurements, fault tests and the designer replace.
import type { ChannelsOptions, Connector } from '../../bot/index.ts';
import type { Notify } from '../../interactions/index.ts';
import type { DesignerReach } from '../start/open-designer.ts';
import type { ConnectionParts } from './connection.ts';

/** Parts that only measurements and fault tests replace. */
export interface BotParts extends ConnectionParts {
  /** Wraps the entrance of our own Direct Line. */
  readonly aroundConnector?: ((connector: Connector) => Connector) | undefined;
  /** Doubles of the bot's channels, if they are not the real ones. */
  readonly channels?: Pick<ChannelsOptions, 'authority' | 'connections' | 'credentials' | 'skillAuthority'> | undefined;
  /** Notifies the chats of another bot on the same connection, if there is one. */
  readonly guest?: (() => Notify | undefined) | undefined;
  /**
   * Makes the bot serve `/designer`, with its controls beside the bot. Only on this machine, never in public.
   */
  readonly designer?: DesignerReach | undefined;
}
