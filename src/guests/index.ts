// The room's doorway: the apps and flows as dialogs of another bot.
export type { AppsInBot } from './create-dialogs.ts';
export { guestAddresses, makeGuest } from './guest-turns.ts';
