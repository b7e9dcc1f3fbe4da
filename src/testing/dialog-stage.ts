// A stage for a dialog: a bot that has nothing else, with the apps and flows as its guests.
import { demoForms } from '../../dialogs/index.ts';
import type { HostBot, Operator } from '../compose/bot/core-options.ts';
import {
  type Activity,
  BotAdapter,
  type ConversationReference,
  ConversationState,
  type Dialog,
  DialogSet,
  DialogTurnStatus,
  MemoryStorage,
  TurnContext,
} from '../compose/bot/sdk.ts';
import type { LoadedFlows, Stage } from '../flows/index.ts';
import { customerIn, openWorld, type Seen, type StageBot, usualCaller, type World } from '../flows/testing/stage-world.ts';
import { type AppsInBot, makeGuest } from '../guests/index.ts';

/** What a dialog is built from: the apps and flows, as `createDialogs` returns them. */
export type StageApps = Pick<AppsInBot, 'dialogs' | 'flows'>;

export interface DialogStageOptions<Options extends object> extends Omit<Operator, 'cards'> {
  /** Makes the dialog. */
  readonly dialog: (apps: StageApps) => Dialog<Options>;
  /** The options that it is started with. */
  readonly options?: Options | undefined;
  readonly language?: string | undefined;
}

/** A stage with a dialog on it. */
export interface DialogStage<Result> extends Omit<Stage, 'ended' | 'waitsFor'> {
  /** The dialog's result, once it has ended. */
  result(): Result | undefined;
}

/** An adapter between the customer on the stage and the bot. */
class StageAdapter extends BotAdapter {
  readonly #take: World['take'];
  constructor(take: World['take']) {
    super();
    this.#take = take;
  }
  override async sendActivities(_context: TurnContext, activities: Partial<Activity>[]) {
    return this.#take(activities);
  }
  override async updateActivity() {}
  override async deleteActivity() {}
  override async continueConversation(reference: Partial<ConversationReference>, logic: (context: TurnContext) => Promise<void>) {
    await this.run(TurnContext.applyConversationReference({ type: 'event', name: 'ContinueConversation' }, reference, true), logic);
  }
  override continueConversationAsync(_id: unknown, reference: Seen, logic: unknown): Promise<void> {
    return this.continueConversation(reference, logic as (context: TurnContext) => Promise<void>);
  }
  async run(activity: Partial<Activity>, logic: (context: TurnContext) => Promise<void>): Promise<void> {
    await this.runMiddleware(new TurnContext(this, activity as Activity), logic);
  }
}

/** The text that starts the dialog. No customer could type it. */
const begins = 'countersign.stage.begin';

/** Opens the stage before the dialog has started. Only one at a time: time stands still for the whole process. */
export const openDialogStage = async <Options extends object, Result>(
  { dialog: make, options, language = 'en', conversation, catalogue }: DialogStageOptions<Options>,
  loaded: LoadedFlows,
): Promise<DialogStage<Result>> => {
  let result: Result | undefined;
  const botOn = async ({ connection, options: given, take }: World): Promise<StageBot> => {
    const adapter = new StageAdapter(take);
    const conversationState = new ConversationState(new MemoryStorage());
    const stacks = conversationState.createProperty('dialogs');
    const dialogs = new DialogSet(stacks);
    const run = async (context: TurnContext) => {
      const dc = await dialogs.createContext(context);
      const ending = context.activity.name === begins ? await dc.beginDialog(dialog.id, options) : await dc.continueDialog();
      if (ending.status === DialogTurnStatus.complete) result = ending.result;
      await conversationState.saveChanges(context);
    };
    // `use` returns the adapter, but this one is not for channels.
    const host = { adapter: adapter as unknown as HostBot['adapter'], appId: '', conversationState, resume: run };
    const guest = makeGuest(host, { ...given, forms: demoForms, lookupReplies: 'offer', ...conversation }, () => connection, loaded);
    const dialog = make(guest);
    dialogs.add(dialog);
    const base = { ...customerIn(language), channelId: 'emulator', serviceUrl: 'http://localhost' };
    let turns = 0;
    const turn = (activity: Seen, logic = run) => {
      turns += 1;
      return adapter.run({ ...base, id: `t${turns}`, ...activity }, logic);
    };
    return {
      turn: (activity) => turn(activity),
      notify: guest.notify,
      stack: async () => {
        let kept: Seen;
        await turn({ type: 'event', name: 'look' }, async (context) => {
          kept = await stacks.get(context);
        });
        return kept;
      },
      idle: () => turn({ type: 'event', name: 'idle' }, async () => {}),
    };
  };
  const { turn, ...acting } = await openWorld(usualCaller, catalogue, botOn);
  return { ...acting, begin: () => turn({ type: 'event', name: begins }), result: () => result };
};
