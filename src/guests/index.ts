// The room's doorway: the apps and flows as dialogs of another bot.
export { guests, withGuests } from './capability.ts';
export type { AppsInBot, HostsGuests } from './create-dialogs.ts';
export { makeGuest } from './guest-turns.ts';
