// All rates of the bot that no setting changes, by name. compose/limits.ts has those that differ between a public bot and
// one that serves its own machine only; src/service/core/limits/limits.ts has the service's.
import type { Rate } from './limits.ts';

const minute = 60;
const hour = 60 * minute;
/** Enough for a keypad: a long number, pressed fast. */
const keys = { points: 60, seconds: 10 };
const frames = { points: 60, seconds: minute };

export const rates = {
  /** Messages of one user of a public bot. */
  turns: { points: 10, seconds: 10 },
  /** Telephone keys of one user, and events of one call. */
  keys,
  callEvents: keys,
  /** New web chats from one network. Many people may share one address. */
  chats: { points: 30, seconds: 10 * minute },
  /** Requests in one web chat, and bytes of messages from one network. */
  chatRequests: { points: 60, seconds: 10 },
  chatBytes: { points: 10 * 1024 * 1024, seconds: hour },
  /** Parts of conversations that one network may save; a long conversation is sent in about ten. */
  chatRecords: { points: 60, seconds: minute },
  /** Frames from the clients of one web chat, from the gateway of one call, and from one page of the desk. */
  chatFrames: frames,
  callFrames: frames,
  deskFrames: { points: 300, seconds: 10 },
  /** Look-ups from one network, over all its chats, since a new chat is quickly begun. */
  lookupsOfNetwork: { points: 30, seconds: hour },
  /** Calls of one platform or program that has the key, and of a network that has not. */
  calls: { points: 1200, seconds: minute },
  strangers: { points: 20, seconds: minute },
  /** What one program may start. */
  starts: { points: 100, seconds: minute },
  /** Refused requests from one network. Channels are never refused. */
  refusals: { points: 60, seconds: minute },
  /**
   * Requests from one network whose tokens could not be checked. The time is short, because their senders may well be
   * who they say, and are heard again soon after the keys are there.
   */
  uncheckedTokens: { points: 20, seconds: 5 },
  /** Steps of signing in from one network. Beginning and coming back cost a point each. */
  signIns: { points: 60, seconds: minute },
} as const satisfies Readonly<Record<string, Rate>>;
