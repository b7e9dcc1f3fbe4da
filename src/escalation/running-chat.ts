// A chat that is with the bot, as agents may see it before they join: nothing of what was said.
import type { AppId } from '../contract/index.ts';
import type { VerificationState } from '../verification/index.ts';

/** What a chat is waiting for. `menu`: the customer's choice. `answer`: an answer. `code`: one typed in the chat. */
export const waits = ['menu', 'answer', 'code', 'device'] as const;

export interface RunningChat {
  /** Where the chat is reached. */
  readonly address: string;
  /** The channel's name. */
  readonly channel: string;
  /** BCP 47. */
  readonly language: string;
  readonly app?: AppId;
  readonly flow?: string;
  readonly waitsFor: (typeof waits)[number];
  /** Since when it has been waiting for that (epoch ms). */
  readonly since: number;
  /** Without the customer. */
  readonly verification: VerificationState;
}
