// The life of interactions, for the dialogs. Independent of chats and databases.
import type { ResultRecord } from '../contract/index.ts';
import { faultFields } from '../platform/log.ts';
import { keepClaiming } from './claiming.ts';
import { type Interaction, notClaimed } from './interaction.ts';
import { Lifecycle } from './lifecycle.ts';
import type { DeliveredRef, InteractionsContext, Notify, Rating } from './ports.ts';
import { shownOf } from './starting/blind-lookup.ts';
import { startBlind } from './starting/blind-start.ts';
import { makeLookup } from './starting/lookup.ts';
import { type Plan, type Started, start } from './starting/start.ts';
import { callFields } from './trouble.ts';
import { cancelInteraction, checkCode, resendWaiting } from './waiting/actions.ts';
import { readResult } from './waiting/service-queries.ts';

/**
 * How long (ms) the turn that started an interaction has to deliver its ending itself, before it is delivered
 * separately.
 */
const ownTurn = 10_000;
/** An outcome that is not delivered after this long (ms) is late. */
const overdue = 60_000;
/** How long (ms) a customer who may see the details of a result waits for them. */
const resultTimeout = 5_000;

export type Interactions = ReturnType<typeof makeInteractions>;

export const makeInteractions = (context: InteractionsContext) => {
  const { store, clock, log } = context;
  const lifecycle = new Lifecycle(context);
  const shown = (interaction: Interaction) => shownOf(interaction, clock.now());

  return {
    /**
     * The customers of a phone number (E.164), and what can be sent to them, in a language (BCP 47) if the service
     * supports it.
     */
    lookup: makeLookup(context),

    /**
     * Records and sends. The returned state is `waiting`, `refused` or `unknown`; a waiting interaction is watched from
     * here on. A plan whose id was started before returns that interaction. A plan with initials returns after the same
     * time in every case, as `waiting` unless the service could not be asked: until it succeeds, nothing about it shows
     * who was found (decision 0017).
     */
    start: async (plan: Plan, language?: string): Promise<Started> => {
      if (plan.initials !== undefined) return shown(await startBlind(context, lifecycle, plan, ownTurn, language));
      const started = await start(context, plan, language);
      // The watcher holds it for minutes, and does not need its link.
      const { link: _, ...interaction } = started;
      if (interaction.state === 'waiting') lifecycle.resume(interaction, 'sent');
      // The turn that asked shows this ending. If that fails, it is delivered separately.
      else if (interaction.epoch !== notClaimed) lifecycle.deliver(interaction, ownTurn);
      return started;
    },

    get: async (id: string): Promise<Interaction | undefined> => {
      const interaction = await store.get(id);
      return interaction && shown(interaction);
    },

    /**
     * The whole result record, read again, since little of it is stored. `undefined`: there is none, or it cannot be
     * read now.
     */
    result: async (id: string): Promise<ResultRecord | undefined> => {
      const interaction = await store.get(id);
      if (!interaction) return undefined;
      try {
        return await readResult(context, interaction, AbortSignal.any([lifecycle.tasks.stopped, AbortSignal.timeout(resultTimeout)]));
      } catch (fault) {
        log.warn({ ...callFields(fault), interaction: id }, 'the details of a result could not be read');
        return undefined;
      }
    },

    /** The interactions of a conversation that still wait, oldest first. */
    waitingIn: async (conversation: string) => (await store.waitingIn(conversation)).map(shown),
    /** A customer's newest interactions that wait for an outcome, in any chat, except those that nobody may learn of. */
    waitingFor: (customerRef: string, limit: number) => store.waitingFor(customerRef, limit),
    /** The newest interactions of a conversation, in any state, newest first. */
    inConversation: async (conversation: string, limit: number) => (await store.inConversation(conversation, limit)).map(shown),
    check: (id: string, code: string) => checkCode(context, lifecycle, id, code),
    resend: (id: string) => resendWaiting(context, lifecycle, id),
    cancel: (id: string) => cancelInteraction(context, lifecycle, id),

    /**
     * Records that the chat has shown how an interaction ended, or that it accepts no message about it (`unreachable`).
     * Call it at once: if anything fails afterwards, the retry does not deliver twice.
     */
    markDelivered: (interaction: DeliveredRef, kind: 'delivered' | 'unreachable' = 'delivered') => store.markDelivered(interaction, kind),

    /** A phone number's newest interactions whose outcome could not be delivered or, since then, mentioned in another chat. */
    undeliverableTo: (phoneNumber: string, limit: number) => store.undeliverableTo(phoneNumber, limit),
    /** Records that they were mentioned in another chat. */
    mention: (ids: readonly string[]) => store.mention(ids),

    /** Stores the customer's rating of an outcome, if it is of this conversation. */
    rate: async (id: string, conversation: string, rating: Rating): Promise<void> => {
      await store.rate(id, conversation, rating);
    },

    /**
     * Delivers outcomes through `notify` from now on. Claims unfinished interactions: those that a stop or a crash left
     * behind at once, those of other processes as they become free.
     */
    open: async (notify: Notify): Promise<void> => {
      lifecycle.open((interaction, kind) => notify(kind === 'outcome' ? shown(interaction) : interaction, kind));
      await keepClaiming(context, lifecycle);
    },

    /** How many interactions this process watches. */
    watching: () => lifecycle.watchers.count(),
    /** How many outcomes this process has tried to deliver, in vain, for more than a minute. */
    undelivered: () => lifecycle.undelivered(overdue),

    /** Stops watching and delivering. Nothing is lost: the next start continues. */
    close: async (): Promise<void> => {
      await lifecycle.close();
      await store.release().catch((fault: unknown) => {
        log.warn({ ...faultFields(fault), component: 'interactions' }, 'claims could not be released; other processes take them later');
      });
    },
  };
};
