// A stage for flows: the whole bot, with its menu and flows, in a closed world.
import { demoForms, type Flows, makeConversation } from '../../../dialogs/index.ts';
import { chatOf, makeRunTurn, makeTurnLock, turnKey } from '../../bot/index.ts';
import { servicesOf } from '../../compose/bot/bot-services.ts';
import { type AnyCapability, openCapabilities } from '../../compose/bot/capability.ts';
import type { Operator } from '../../compose/bot/core-options.ts';
import { limitsFor } from '../../compose/bot/limits.ts';
import { type Activity, type BotAdapter, TurnContext } from '../../compose/bot/sdk.ts';
import type { News } from '../../interactions/index.ts';
import { ownServiceUrl } from '../../platform/channels.ts';
import { didYouMean } from '../../platform/text/did-you-mean.ts';
import { stepWritten, valuesWritten } from '../grammar/step-description.ts';
import type { LoadedFlows } from '../load-flows.ts';
import { makeFlows } from '../make-flows.ts';
import type { FlowEvent } from '../running/events.ts';
import { makeFlowVersions } from '../versions/flow-versions.ts';
import { runIn } from '../versions/in-flight.ts';
import { makeVersions } from '../versions/versions.ts';
import type { Stage, StageOptions } from './stage.ts';
import { customerIn, innermostOf, openWorld, type Seen, type StageBot, usualCaller, type World } from './stage-world.ts';

/** The text that starts the flow directly, with inputs. No customer could type it. */
const directly = '\u{E000}';

interface Setting extends StageOptions, Operator {
  /** What the bot has beside the flows: with an operator's cards, for example. Unset: nothing. */
  readonly capabilities?: readonly AnyCapability[] | undefined;
}

/** Opens it at the menu. Only one at a time: time stands still for the whole process. */
export const openStage = async (loaded: LoadedFlows, flow: string, setting: Setting): Promise<Stage> => {
  const { caller = usualCaller, language = 'en', inputs = {}, observe, ...operator } = setting;
  let ended: FlowEvent['ended'];
  const flowsOver = ({ storage }: World['connection']): Flows => {
    const flows = makeFlows({
      current: () => loaded,
      versions: makeVersions(storage.of(makeFlowVersions)),
      observe: (event) => {
        if (event.ended !== undefined) ended = event.ended;
        observe?.(event);
      },
    });
    const begun = { flow, words: '', inputs };
    return { ...flows, wishIn: (hearing, typed) => (typed === directly ? begun : flows.wishIn(hearing, typed)) };
  };
  let bot: StageBot | undefined;
  const { turn: _, ...acting } = await openWorld(caller, operator.catalogue, async (world) => {
    bot = {
      ...(await botWith(world, flowsOver(world.connection), { caller, language, ...operator })),
      unfit: (stack) => unfitValues(stack, loaded),
    };
    return bot;
  });
  const waitsFor = async () => {
    const { flow: name = '', at } = runIn({ dialogs: await bot?.stack() })?.frames.at(-1) ?? {};
    const now = loaded.flows.get(name);
    const step = now && at !== undefined ? stepWritten(now, at) : undefined;
    return step && `at ${at} (${step.file}:${step.line}) it waits for ${step.label}`;
  };
  return { ...acting, ended: () => ended, waitsFor, begin: () => acting.say(directly) };
};

/** Our own bot, in a chat of our own Direct Line. */
const botWith = async (
  { connection, options: given, sender, take }: World,
  flows: Flows,
  {
    caller,
    language,
    capabilities = [],
    cards,
    conversation,
  }: Omit<Setting, 'caller' | 'language'> & Record<'caller' | 'language', string>,
): Promise<StageBot> => {
  const limits = limitsFor({});
  const lock = makeTurnLock();
  const options = {
    ...{ ...given, sender, forms: demoForms, lookupReplies: 'offer' as const, cards },
    handoff: { escalate: async () => 'requested' as const },
    ...conversation,
  };
  const context = { ...connection, limits, lock, onUnusable: () => {}, trial: undefined };
  const { close, dialogs } = await openCapabilities(capabilities, context, options);
  const services = servicesOf(options, connection, {
    ...{ ...dialogs, flows, chatOf, callerNumber: async () => caller, lookupRate: limits.lookups },
    ...{ admitLookup: async () => true, saysLinks: false },
  });
  const runTurn = makeRunTurn(connection.storage.botState, makeConversation(services));
  const base = { ...customerIn(language), channelId: 'directline', serviceUrl: ownServiceUrl } as Activity;
  const key = turnKey(base);
  const adapter = {
    sendActivities: async (_context: TurnContext, activities: Seen[]) => take(activities),
    updateActivity: async () => {},
    deleteActivity: async () => {},
  };
  let turns = 0;
  const turn = (activity: Seen, news?: News) =>
    lock.run(key, async () => {
      turns += 1;
      const context = new TurnContext(adapter as unknown as BotAdapter, { ...base, id: `t${turns}`, ...activity } as Activity);
      await runTurn(context, news);
    });
  return {
    turn,
    notify: (interaction, kind) => turn({ type: 'event' }, { kind, interaction }),
    stack: async () => {
      const { [key]: kept } = await connection.storage.botState.read([key]);
      return JSON.parse(kept?.json ?? '{}').dialogs;
    },
    idle: () => lock.run(key, async () => {}),
    close,
  };
};

/**
 * The values of a step that do not fit its document, so that the customer is asked in spite of them: then the flow is
 * wrong, and a test must fail. Empty if the flow leaves the values to the customer.
 */
const unfitValues = (dialogs: Seen, { flows }: LoadedFlows): ReturnType<NonNullable<StageBot['unfit']>> => {
  const open = innermostOf(dialogs);
  const frame = runIn({ dialogs })?.frames.at(-1);
  const flow = flows.get(frame?.flow ?? '');
  if (open?.id !== 'variables' || !flow || frame?.at === undefined) return { unknown: [], refused: [] };
  const { chosen, filled = {}, found, refused = [] } = open.state.options;
  const document: Seen = found.documents.find(({ id }: Seen) => id === chosen);
  const names: string[] = (document?.variables ?? []).map(({ name }: Seen) => name);
  const written = valuesWritten(flow.source, frame.at);
  const refusedNames: string[] = written.names.length > 0 ? refused : [];
  const line = (name: string) => `${flow.positions.file}:${flow.positions.line(written.at(name))}`;
  return {
    unknown: written.names
      .filter((name) => !names.includes(name))
      .map((name) => {
        const { hint } = didYouMean(
          name,
          names.filter((one) => !written.names.includes(one)),
        );
        return `${line(name)}: ${name} is no variable of “${document?.title}”; ${hint ?? `it has ${names.join(', ')}`}`;
      }),
    // A step without values leaves all of them to the customer.
    refused: refusedNames.map((name) =>
      written.names.includes(name)
        ? `${line(name)}: the service refused ${JSON.stringify(filled[name])} as ${name} of “${document?.title}”`
        : `${line(name)}: “${document?.title}” needs ${name} too`,
    ),
  };
};
