// The apps as dialogs of another bot of the same program, over this bot's connection.
import type { Capability } from '../compose/bot/capability.ts';
import type { Notify } from '../interactions/index.ts';
import type { HostsGuests } from './create-dialogs.ts';
import { type Connected, type GuestConversation, makeGuest } from './guest-turns.ts';

/** What the program holds of the other bot while this one is open. */
export interface GuestsOption {
  readonly guests?: { connected?: Connected | undefined; notify?: Notify };
}

/** Makes a bot with these options, and the dialogs that it has for another. */
export const withGuests = <Options extends GuestConversation, Bot extends object>(
  make: (options: Options & GuestsOption) => Bot,
  options: Options,
): Bot & HostsGuests => {
  const held: NonNullable<GuestsOption['guests']> = {};
  const connected = () => {
    if (!held.connected) throw new Error('This bot has not been started: await start() before the first turn.');
    return held.connected;
  };
  return {
    ...make({ ...options, guests: held }),
    dialogs: (bot) => {
      if (held.connected || held.notify) throw new Error('The dialogs are to be asked for once, before the bot starts.');
      const { dialogs, notify } = makeGuest(bot, options, connected);
      held.notify = notify;
      return dialogs;
    },
  };
};

/** Owns the chats of the other bot. */
export const guests: Capability<GuestsOption> = {
  name: 'guests',
  open: (bot, { guests: held }) => {
    if (!held) return undefined;
    held.connected = bot;
    return {
      addresses: {
        owns: (address) => address.guest === true,
        notify: async (interaction, kind) => {
          // If a program once ran its own bot on this database, it may do so again at its next start.
          if (!held.notify) throw new Error('This outcome belongs to a bot that this program does not have.');
          await held.notify(interaction, kind);
        },
      },
      close: () => {
        held.connected = undefined;
      },
    };
  },
};
