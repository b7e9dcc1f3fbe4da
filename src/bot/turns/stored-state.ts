// A turn on the stored state of its chat. State outlives the version that wrote it: if the dialogs stored there lead to a
// fault of our own, the turn runs on what is left without them (decision 0153).
import type { News } from '../../interactions/index.ts';
import { isOwnFault } from '../../platform/process/faults.ts';
import type { TurnContext } from '../sdk.ts';

/** What a turn that runs again does without: open questions; all open dialogs; all that the chat remembers. */
const withouts = ['questions', 'dialogs', 'memory'] as const;
export type Without = (typeof withouts)[number];

/**
 * The conversation as the bot runs it. `state` is plain JSON that it changes in place; what it leaves in
 * `state.running` is stored beside the state, for lists of running chats. `news` is set in a proactive turn. It may
 * return work to do after the turn is stored; a crash may lose this work, and it never fails.
 */
export type TurnHandler<State extends object = object> = (turn: {
  readonly context: TurnContext;
  readonly state: State;
  readonly news?: News;
  /** Set if the turn failed on the whole state. */
  readonly without?: Without;
}) => Promise<(() => Promise<void>) | undefined>;

/** The stored state of a chat that has none. */
export const nothing = '{}';

/** The state; an empty one if it cannot be read at all. */
const readable = <State extends object>(stored: string): State => {
  try {
    const state: unknown = JSON.parse(stored);
    return typeof state === 'object' && !Array.isArray(state) ? ((state ?? {}) as State) : ({} as State);
  } catch {
    return {} as State;
  }
};

/** Called after a turn that worked only without a part of the state; `fault` is what that part led to. */
export type OnUnusable = (fault: unknown, without: Without) => void;

/**
 * Runs the conversation on a copy of the stored state. After a fault of our own it runs again on less of it, until it
 * works. If it never does, the state is not the reason: it throws that fault, and nothing is dropped.
 */
export const makeConverse =
  <State extends object>(conversation: TurnHandler<State>, onUnusable: OnUnusable = () => {}) =>
  async (context: TurnContext, stored: string, news: News | undefined) => {
    const on = async (without?: Without) => {
      const state = without === 'memory' ? readable<State>(stored) : (JSON.parse(stored) as State);
      return { state, after: await conversation({ context, state, ...(news && { news }), ...(without && { without }) }) };
    };
    try {
      return await on();
    } catch (fault) {
      if (!isOwnFault(fault) || stored === nothing) throw fault;
      for (const without of withouts) {
        try {
          const ran = await on(without);
          onUnusable(fault, without);
          return ran;
        } catch (again) {
          if (!isOwnFault(again)) throw again;
        }
      }
      throw fault;
    }
  };
