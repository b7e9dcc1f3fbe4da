// The life of interactions, for the dialogs. Independent of chats and databases.
import type { AppId, ResultRecord } from '../contract/index.ts';
import { makeLimit } from '../platform/limits.ts';
import { faultFields } from '../platform/log.ts';
import { keepClaiming } from './claiming.ts';
import { type Interaction, notClaimed } from './interaction.ts';
import { type InteractionsParts, Lifecycle } from './lifecycle.ts';
import type { Notify, Rating, Told } from './ports.ts';
import { shownOf } from './starting/alike.ts';
import { startAlike } from './starting/alike-start.ts';
import { type Lookup, makeLookup } from './starting/lookup.ts';
import { type Plan, type Started, start } from './starting/start.ts';
import { callFields } from './trouble.ts';
import { cancelInteraction, checkCode, resendWaiting } from './waiting/actions.ts';
import type { Check } from './waiting/passcode.ts';
import { readResult } from './waiting/service-queries.ts';
import type { WatcherCount } from './waiting/watchers.ts';
import type { Cancel, Resend } from './waiting/withdraw.ts';

export interface Interactions {
  /**
   * The customers of a phone number (E.164), and what can be sent to them, in `language` (BCP 47) if the service
   * supports it.
   */
  lookup<Id extends AppId>(app: Id, caller: { phoneNumber: string; sessionRef: string }, language?: string): Promise<Lookup<Id>>;
  /**
   * Records and sends. The returned state is `waiting`, `refused` or `unknown`; a waiting interaction is watched from
   * here on. A plan whose id was started before returns that interaction. A plan with initials returns after the same
   * time in every case, as `waiting` unless the service could not be asked: until it succeeds, nothing about it shows
   * who was found (decision 0017).
   */
  start(plan: Plan, language?: string): Promise<Started>;
  get(id: string): Promise<Interaction | undefined>;
  /**
   * The whole result record, read again, since little of it is stored. `undefined`: there is none, or it cannot be read
   * now.
   */
  result(id: string): Promise<ResultRecord | undefined>;
  /** The interactions of a conversation that still wait, oldest first. */
  waitingIn(conversation: string): Promise<Interaction[]>;
  /** A customer's newest interactions that wait for an outcome, in any chat, except those that nobody may learn of. */
  waitingFor(customerRef: string, limit: number): Promise<Interaction[]>;
  /** The newest interactions of a conversation, in any state, newest first. */
  inConversation(conversation: string, limit: number): Promise<Interaction[]>;
  check(id: string, code: string): Promise<Check>;
  resend(id: string): Promise<Resend>;
  cancel(id: string): Promise<Cancel>;
  /**
   * Records that the chat has shown how an interaction ended, or that it accepts no message about it (`unreachable`).
   * Call it at once: if anything fails afterwards, the retry does not deliver twice.
   */
  markDelivered(interaction: Told, how?: 'delivered' | 'unreachable'): Promise<void>;
  /**
   * A phone number's newest interactions whose outcome could not be delivered or, since then, mentioned in another
   * chat.
   */
  undeliverableTo(phoneNumber: string, limit: number): Promise<Interaction[]>;
  /** Records that they were mentioned in another chat. */
  mention(ids: readonly string[]): Promise<void>;
  /** Stores the customer's rating of an outcome, if it is of this conversation. */
  rate(id: string, conversation: string, rating: Rating): Promise<void>;
  /**
   * Delivers outcomes through `notify` from now on. Claims unfinished interactions: those that a stop or a crash left
   * behind at once, those of other processes as they become free.
   */
  open(notify: Notify): Promise<void>;
  /** How many interactions this process watches. */
  watching(): WatcherCount;
  /** How many outcomes this process has tried to deliver, in vain, for more than a minute. */
  undelivered(): number;
  /** Stops watching and delivering. Nothing is lost: the next start continues. */
  close(): Promise<void>;
}

/**
 * How long (ms) the turn that started an interaction has to deliver its ending itself, before it is delivered
 * separately.
 */
const ownTurn = 10_000;
/** An outcome that is not delivered after this long (ms) is late. */
const overdue = 60_000;
/** How long (ms) a customer who may see the details of a result waits for them. */
const resultTimeout = 5_000;

export const makeInteractions = (given: InteractionsParts): Interactions => {
  const parts = { ...given, fromOrigin: makeLimit(...given.sendsFromOrigin) };
  const { store, clock, log } = parts;
  const lifecycle = new Lifecycle(parts);
  const shown = (interaction: Interaction) => shownOf(interaction, clock.now());

  return {
    lookup: makeLookup(parts),

    start: async (plan, language) => {
      if (plan.initials !== undefined) return shown(await startAlike(parts, lifecycle, plan, ownTurn, language));
      const started = await start(parts, plan, language);
      // The watcher holds it for minutes, and does not need its link.
      const { link: _, ...interaction } = started;
      const { delivered, epoch, state } = interaction;
      if (state === 'waiting') lifecycle.resume(interaction, 'sent');
      // The turn that asked shows this ending. If that fails, it is delivered separately.
      else if (state !== 'intended' && !delivered && epoch !== notClaimed) lifecycle.deliver(interaction, ownTurn);
      return started;
    },

    get: async (id) => {
      const interaction = await store.get(id);
      return interaction && shown(interaction);
    },

    result: async (id) => {
      const interaction = await store.get(id);
      if (!interaction) return undefined;
      try {
        return await readResult(parts, interaction, AbortSignal.any([lifecycle.tasks.stopped, AbortSignal.timeout(resultTimeout)]));
      } catch (fault) {
        log.warn({ ...callFields(fault), interaction: id }, 'the details of a result could not be read');
        return undefined;
      }
    },

    waitingIn: async (conversation) => (await store.waitingIn(conversation)).map(shown),
    waitingFor: (customerRef, limit) => store.waitingFor(customerRef, limit),
    inConversation: async (conversation, limit) => (await store.inConversation(conversation, limit)).map(shown),
    check: (id, code) => checkCode(parts, lifecycle, id, code),
    resend: (id) => resendWaiting(parts, lifecycle, id),
    cancel: (id) => cancelInteraction(parts, lifecycle, id),

    markDelivered: (interaction, kind = 'delivered') => store.tell(interaction, kind),

    undeliverableTo: (phoneNumber, limit) => store.undeliverableTo(phoneNumber, limit),
    mention: (ids) => store.mention(ids),

    rate: async (id, conversation, rating) => {
      await store.rate(id, conversation, rating);
    },

    open: async (notify) => {
      lifecycle.open((interaction, kind) => notify(kind === 'outcome' ? shown(interaction) : interaction, kind));
      await keepClaiming(parts, lifecycle);
    },

    watching: () => lifecycle.watchers.count(),
    undelivered: () => lifecycle.undelivered(overdue),

    close: async () => {
      await lifecycle.close();
      await store.release().catch((fault) => {
        log.warn({ ...faultFields(fault), component: 'interactions' }, 'claims could not be released; other processes take them later');
      });
    },
  };
};
