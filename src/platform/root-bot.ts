// Root bots: bots of others that run this one as a skill on behalf of their users.

/** `CallerIdConstants.BotToBotPrefix` of botframework-schema, which exports it as a const enum only. */
const prefix = 'urn:botframework:aadappid:';

/** A bot that may run this one as a skill: its app id, and the one host at which it takes answers. */
export type SkillCaller = { readonly appId: string; readonly host: string };

/** The `callerId` of a root bot's activities. */
export const callerIdOf = (appId: string): string => `${prefix}${appId}`;

/**
 * The app id of the root bot that an activity came from; `undefined` for a channel. Authentication alone sets
 * `callerId`.
 */
export const rootOf = ({ callerId }: { readonly callerId?: string | undefined }): string | undefined =>
  callerId?.startsWith(prefix) ? callerId.slice(prefix.length) : undefined;
