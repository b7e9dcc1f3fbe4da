// The dialog stack of a chat: where the SDK finds it during a turn, and whether it still can be gone on with.
import type { TurnContext } from 'botbuilder';
import { type Dialog, DialogContainer, type DialogContext, type DialogInstance, DialogSet, type DialogState } from 'botbuilder-dialogs';
import type { ChatState } from './memory.ts';

/** Whether every dialog of a stack, and of the stacks inside it, still exists. */
const areKnown = (state: DialogState | undefined, find: (id: string) => Dialog | undefined): boolean =>
  (state?.dialogStack ?? []).every(({ id, state: inner }: DialogInstance) => {
    const dialog = find(id);
    return dialog && (!(dialog instanceof DialogContainer) || areKnown(inner?.dialogs, (name) => dialog.findDialog(name)));
  });

const stateKey = Symbol('chat state');

/** Where the SDK has its memory scopes during a turn. They hold nothing of it, and take longer to make than a whole dialog context. */
const scopesKey = 'DialogStateManagerConfiguration';

/** The dialog stack, where the turn's state has it. */
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

/** The stacks of all chats over the same dialogs. */
export const makeStacks = (all: readonly Dialog[]) => {
  const dialogs = new DialogSet(keptStack);
  for (const dialog of all) dialogs.add(dialog);
  let scopes: unknown;
  return {
    /** Drops a stack from before an update, which names dialogs that are no more; answers whether it was one. */
    dropOutdated: (state: ChatState): boolean => {
      if (areKnown(state.dialogs, (id) => dialogs.find(id))) return false;
      delete state.dialogs;
      return true;
    },
    /** The stack of a chat in a turn: what is done to it stands in `state`. */
    open: async (context: TurnContext, state: ChatState): Promise<DialogContext> => {
      context.turnState.set(stateKey, state);
      if (scopes) context.turnState.set(scopesKey, scopes);
      const dc = await dialogs.createContext(context);
      scopes ??= context.turnState.get(scopesKey);
      return dc;
    },
  };
};
