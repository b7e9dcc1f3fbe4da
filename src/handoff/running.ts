// A chat that runs with the bot, as people at a hub may see it before they take it over: nothing of what was said.
import type { AppId } from '../contract/index.ts';
import type { VerificationState } from '../verification/index.ts';

/** What a chat waits for. `menu`: a wish. `answer`: an answer of the customer's. `code`: one typed in the chat. */
export const waits = ['menu', 'answer', 'code', 'device'] as const;

export interface RunningChat {
  /** Where the chat is reached. */
  readonly address: string;
  /** The channel's name. */
  readonly channel: string;
  /** The number that was given in it, masked. */
  readonly phone?: string;
  /** BCP 47. */
  readonly language: string;
  readonly app?: AppId;
  readonly flow?: string;
  readonly waitsFor: (typeof waits)[number];
  /** Since when it waits for that (epoch ms). */
  readonly since: number;
  readonly verification: RunningStanding;
}

/** How whoever writes stands, without whose chat it is. */
export type RunningStanding = Proven | Exclude<VerificationState, { readonly state: 'verified' }>;
type Proven = Pick<Extract<VerificationState, { readonly state: 'verified' }>, 'at' | 'method' | 'state' | 'until'>;

/** The chat that somebody comes into. */
export interface ChatPlace {
  readonly conversation: string;
  readonly address: string;
}
