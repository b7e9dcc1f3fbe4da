// The port of a hub: where people sit who take chats over. Each hub is one file beside this one.
import type { Posted } from '../platform/webhook-post.ts';
import type { HandoffRecord, LetterDraft, PendingLetter } from '../storage/index.ts';
import type { AgentAct } from './acts.ts';
import type { HandoffCase } from './case.ts';
import type { TurnContext } from './sdk.ts';

export interface Hub {
  /** What rules and records name it by. */
  readonly name: string;
  /** To whom assertions are made out. */
  readonly audience: string;
  /**
   * Asks for a person through the channel itself, in the customer's turn. Such a hub has the chat from then on: it sees
   * what is said there, and says by events of the channel when somebody comes and goes.
   */
  initiate?(context: TurnContext, about: HandoffCase, assertion: string | undefined): Promise<void>;
  /** Brings a letter to the hub: at least once under the same id, those of one handoff in order. Never throws. */
  bring?(letter: PendingLetter, handoff: HandoffRecord, assertion: string | undefined, signal: AbortSignal): Promise<Posted>;
  /**
   * What is kept of an act of its own agents, as a letter like any other: for a hub that shows chats from our records.
   * Unset, or `undefined`: nothing.
   */
  keeps?(act: AgentAct, handoff: HandoffRecord): LetterDraft | undefined;
  /** Its agents see which chats run with the bot, and may come into them. */
  readonly seesRunning?: true;
  /** Whether somebody is there. Unset: as far as anybody knows. */
  isStaffed?(): boolean;
}
