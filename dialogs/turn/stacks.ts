// The stored stacks of chats. A stack outlives the version of the dialogs that wrote it: before a turn runs on one that
// another version wrote, what waits for an outcome is kept, and open questions are dropped (decision 0153).
import type { News } from '../../src/interactions/index.ts';
import type { Log } from '../../src/platform/log.ts';
import {
  type Dialog,
  DialogContainer,
  type DialogContext,
  DialogContextError,
  type DialogInstance,
  DialogSet,
  type DialogState,
  type TurnContext,
} from '../sdk.ts';
import type { ChatState } from './memory.ts';

const stateKey = Symbol('chat state');

/** Where the SDK keeps its memory scopes during a turn. They hold no data of it and are expensive to make. */
const scopesKey = 'DialogStateManagerConfiguration';

/** The dialog stack, at its place in the turn's state. */
const keptStack = {
  get: async (context: TurnContext) => {
    const state: ChatState = context.turnState.get(stateKey);
    state.dialogs ??= { dialogStack: [] };
    return state.dialogs;
  },
  set: async (context: TurnContext, dialogs: DialogState) => {
    context.turnState.get(stateKey).dialogs = dialogs;
  },
  delete: async (context: TurnContext) => {
    delete context.turnState.get(stateKey).dialogs;
  },
};

/** What a turn does without, as it failed over it: the open questions, all open dialogs, or all that a chat remembers. */
type Without = 'questions' | 'dialogs' | 'memory';

/** A turn of a conversation whose dialogs are stored. */
export interface StoredTurn<State extends ChatState = ChatState> {
  readonly context: TurnContext;
  /** The stored state. The turn changes it in place, and the caller saves it. */
  readonly state: State;
  /** Set in a proactive turn. */
  readonly news?: News;
  /** Set if the turn failed before and runs again. */
  readonly without?: Without;
}

/** The dialogs inside an open container, outermost first. */
const insideOf = ({ state }: DialogInstance): DialogInstance[] => state?.dialogs?.dialogStack ?? [];

/**
 * Whether these very dialogs wrote a stack and the stacks inside it: containers store a version, which the SDK makes
 * of the ids and the numbers of steps of the dialogs in them.
 */
const isCurrent = (stack: readonly DialogInstance[], set: DialogSet): boolean =>
  stack.every((instance) => {
    const dialog = set.find(instance.id);
    if (!(dialog instanceof DialogContainer)) return dialog !== undefined;
    return (instance as Versioned).version === dialog.dialogs.getVersion() && isCurrent(insideOf(instance), dialog.dialogs);
  });

/** What the SDK stores beside the types that it exports. */
type Versioned = DialogInstance & { version?: string };

/** An app's waterfall whose first step is the wait. What follows it is the same in whatever way the request was sent. */
export const waitFirst = 'started';

/** An app's open dialogs with nothing left but the wait; `undefined` if this is no app, or it does not wait. */
const waitOnly = (open: readonly DialogInstance[], app: DialogContainer): DialogInstance[] | undefined => {
  const wait = open.at(-1);
  if (!app.findDialog(waitFirst) || wait?.id !== 'wait' || typeof wait.state?.interactionId !== 'string') return undefined;
  const { options = {}, values = {} } = open.at(0)?.state ?? {};
  return [{ id: waitFirst, state: { options, values, stepIndex: 0 } }, wait];
};

/** The stack with nothing of an app but its wait, as these dialogs write it; empty where nothing waits. */
const onlyWaiting = (stack: readonly DialogInstance[], set: DialogSet): DialogInstance[] => {
  const top = stack.at(-1);
  const dialog = top && set.find(top.id);
  if (!(dialog instanceof DialogContainer) || !stack.every(({ id }) => set.find(id))) return [];
  const inside = insideOf(top as DialogInstance);
  const kept = waitOnly(inside, dialog) ?? onlyWaiting(inside, dialog.dialogs);
  if (kept.length === 0) return [];
  const state = { ...top?.state, dialogs: { dialogStack: kept } };
  return [...stack.slice(0, -1), { ...top, version: dialog.dialogs.getVersion(), state } as Versioned];
};

/** The stack if these dialogs wrote it; else what of it waits. */
export const continuable = (stack: DialogInstance[], set: DialogSet): DialogInstance[] =>
  isCurrent(stack, set) ? stack : onlyWaiting(stack, set);

/** The cause of what a dialog threw, which the SDK wraps. Callers decide by it: a chat that is gone, a failed post. */
export const causeOf = (fault: unknown): unknown => (fault instanceof DialogContextError ? fault.error : fault);

/** The stacks of all chats over the same dialogs. */
export const makeStacks = (all: readonly Dialog[], log: Log) => {
  const dialogs = new DialogSet(keptStack);
  for (const dialog of all) dialogs.add(dialog);
  let scopes: unknown;
  return {
    /**
     * Drops the questions that another version of the dialogs asked, or what the turn has to do `without`. A wait goes
     * on. Returns the dialogs that were open if none is left.
     */
    dropOutdated: (state: ChatState, without?: Without): DialogState | undefined => {
      const before = state.dialogs?.dialogStack ?? [];
      if (without === 'memory') {
        const { owner } = state.memory ?? {};
        state.memory = owner ? { owner } : {};
      }
      const after = without === undefined ? continuable(before, dialogs) : without === 'questions' ? onlyWaiting(before, dialogs) : [];
      if (after !== before) state.dialogs = { dialogStack: after };
      if (without === undefined && after !== before)
        log.warn(
          { component: 'dialogs', reason: 'outdated', state: after.length > 0 ? 'waits' : 'dropped' },
          'another version wrote the open dialogs of a chat: what waits is kept, questions are dropped',
        );
      return before.length > 0 && after.length === 0 ? { dialogStack: before } : undefined;
    },
    /** The stack of a chat in a turn; changes to it are made in `state`. */
    open: async (context: TurnContext, state: ChatState): Promise<DialogContext> => {
      context.turnState.set(stateKey, state);
      if (scopes) context.turnState.set(scopesKey, scopes);
      const dc = await dialogs.createContext(context);
      scopes ??= context.turnState.get(scopesKey);
      return dc;
    },
  };
};
