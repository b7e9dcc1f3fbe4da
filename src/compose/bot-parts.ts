// What only measurements, fault tests and the page for designers replace in a bot.
import type { ChannelsOptions, Connector } from '../bot/index.ts';
import type { Notifier } from '../interactions/index.ts';
import type { ConnectionParts } from './connection.ts';
import type { DesignerReach } from './open-designer.ts';

/** Parts that only measurements and fault tests replace. */
export interface BotParts extends ConnectionParts {
  /** Wraps our own Direct Line's way in. */
  readonly aroundConnector?: ((connector: Connector) => Connector) | undefined;
  /** The other sides of the bot's channels, where they are not the real ones. */
  readonly channels?: Pick<ChannelsOptions, 'authority' | 'connections' | 'credentials' | 'skillAuthority'> | undefined;
  /** Notifies the chats of another bot on the same connection, if there is one. */
  readonly guest?: (() => Notifier | undefined) | undefined;
  /**
   * Has it serve `/designer`, with what that may do beside the bot. Never where others than this machine's user are
   * served.
   */
  readonly designer?: DesignerReach | undefined;
}
