// How outcomes reach a host bot: its turns one at a time, and proactive turns that run its dialogs.
import { numberOfSender, type Services } from '../../dialogs/index.ts';
import { addDeliveryKeys, chatOf, type TurnLock, turnKey } from '../bot/index.ts';
import { servicesOf, turnLockOf } from '../compose/bot/bot-services.ts';
import type { Connection } from '../compose/bot/connection.ts';
import type { ConnectionOptions, ConversationOptions, HostBot } from '../compose/bot/core-options.ts';
import { type Limits, limitsFor } from '../compose/bot/limits.ts';
import { type ConversationReference, DialogContextError, type Middleware, type TurnContext } from '../compose/bot/sdk.ts';
import { type LoadedFlows, makeFlows, makeFlowVersions, makeVersions } from '../flows/index.ts';
import type { Notify } from '../interactions/index.ts';
import { deliverAnyway, guestMemory, makeGuestDialogs, makeGuestFlows } from './guest-apps.ts';
import { carryNews, type GuestHost } from './guest-dialog.ts';

/** An open connection, which somebody else closes. */
export type Connected = Omit<Connection, 'close' | 'open'>;

/** How the dialogs of a guest speak, and what one chat may ask for. */
export type GuestConversation = Pick<ConnectionOptions, 'service'> &
  ConversationOptions & { readonly limits?: Partial<Pick<Limits, 'lookups'>> | undefined };

/**
 * The apps' dialogs in a host bot, and how outcomes reach them.
 * @param connected - the connection; throws before there is one
 * @param loaded - flows in addition to the apps; unset: none
 */
export const makeGuest = (bot: HostBot, options: GuestConversation, connected: () => Connected, loaded?: LoadedFlows) => {
  const { lookups } = { ...limitsFor({ MicrosoftAppId: bot.appId }), ...options.limits };
  const versions = onceFor(connected, ({ storage }) => makeVersions(storage.of(makeFlowVersions)));
  const flows =
    loaded &&
    makeFlows({
      current: () => loaded,
      versions: { begin: (...call) => versions().begin(...call), find: (...call) => versions().find(...call) },
    });
  const own = { chatOf: guestChatOf, callerNumber: numberOfSender, lookupRate: lookups, admitLookup: async () => true, saysLinks: false };
  const services = onceFor(connected, (connection) => servicesOf(options, connection, own));
  const host = { services, memory: guestMemory(bot.conversationState) };
  bot.adapter.use(oneAtATime(connected));
  return {
    dialogs: makeGuestDialogs(host),
    flows: flows ? makeGuestFlows(host, flows) : {},
    notify: notifyGuest(bot, host),
  };
};

/** The name of a chat in the host bot, distinct from those of our own chats. */
const guestChatOf: Services['chatOf'] = ({ callerId: _, ...activity }) => {
  const { address, conversation } = chatOf(activity);
  return { conversation, address: JSON.stringify({ ...JSON.parse(address), guest: true }) };
};

/** Runs the turns of a conversation one after the other, and hides our own channel data from channels. */
const oneAtATime = (connected: () => Connected): Middleware => {
  const lockOf = onceFor<Connected, TurnLock>(connected, turnLockOf);
  return {
    onTurn: (context, next) => {
      // A proactive turn of the host does not say who runs the host as a skill.
      const { callerId: _, ...activity } = context.activity;
      return lockOf().run(turnKey(activity), async () => {
        addDeliveryKeys(context, undefined);
        await next();
      });
    },
  };
};

const onceFor = <Source extends object, Made>(source: () => Source, make: (source: Source) => Made): (() => Made) => {
  let made: { readonly from: Source; readonly it: Made } | undefined;
  return () => {
    const from = source();
    if (made?.from !== from) made = { from, it: make(from) };
    return made.it;
  };
};

/** Delivers an outcome or a step by a turn of the host bot. An outcome that no dialog waits for is still delivered. */
const notifyGuest = ({ adapter, appId, conversationState, resume }: HostBot, host: GuestHost): Notify => {
  const deliver: Notify = async (interaction, kind) => {
    const { guest: _, ...reference }: Partial<ConversationReference> & { guest?: true } = JSON.parse(interaction.address);
    let fault: unknown;
    const turn = async (context: TurnContext) => {
      try {
        const news = { kind, interaction };
        carryNews(context, news);
        await resume(context);
        await deliverAnyway(host, context, news);
        await conversationState.saveChanges(context);
      } catch (thrown) {
        fault = thrown;
        throw thrown;
      }
    };
    await adapter.continueConversationAsync(appId, reference, turn);
    // The host bot's error handler has dealt with the fault, so it did not reach us.
    if (fault !== undefined) throw fault;
  };
  const asDeliveryFault = (thrown: unknown): never => {
    throw deliveryFaultOf(thrown instanceof DialogContextError ? thrown.error : thrown);
  };
  return (interaction, kind) => deliver(interaction, kind).catch(asDeliveryFault);
};

/** The SDK's connector reports the channel's status; 403 and 404 mean that the chat is gone. */
const deliveryFaultOf = (thrown: unknown): unknown => {
  const { statusCode } = thrown as { statusCode?: unknown };
  if (!(thrown instanceof Error) || typeof statusCode !== 'number') return thrown;
  return Object.assign(thrown, { status: statusCode, final: statusCode === 403 || statusCode === 404 });
};
