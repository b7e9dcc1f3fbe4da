// The life of interactions, as the dialogs use it: looked up, started, watched, told. Knows no chat and no database.
import type { ServiceClient } from '../client/index.ts';
import type { AppId, ResultRecord } from '../contract/index.ts';
import type { Clock } from '../platform/clock.ts';
import { faultFields, type Log } from '../platform/log.ts';
import { sleep } from '../platform/sleep.ts';
import type { Tracing } from '../platform/telemetry.ts';
import { answerAfter, guess, keptBack, shownOf } from './alike.ts';
import { deliver } from './deliver.ts';
import { makeEndings } from './endings.ts';
import type { EventSource } from './events.ts';
import { type Claim, type Interaction, notClaimed, type Step } from './interaction.ts';
import { makeLiveSteps } from './live-steps.ts';
import { type Lookup, makeLookup } from './lookup.ts';
import { type Check, checkPasscode } from './passcode.ts';
import type { InteractionStore, Notifier } from './ports.ts';
import { makeSemaphore } from './semaphore.ts';
import { readResult } from './service-queries.ts';
import { makeSingleFlight } from './single-flight.ts';
import { makeStart, type Plan, type Started } from './start.ts';
import { callFields } from './trouble.ts';
import { makeWatchers } from './watchers.ts';
import { type Cancel, cancel, type Resend, resend } from './withdraw.ts';

export interface InteractionsParts {
  readonly client: ServiceClient;
  readonly store: InteractionStore;
  readonly events: EventSource;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly random: () => number;
  /** How long each app's interactions are waited for, in milliseconds, where the service does not tell how long its requests are good. */
  readonly patience: Readonly<Record<AppId, number>>;
  /** The service is known to honour the idempotency key, so an intent of unknown fate may go out again. */
  readonly idempotent: boolean;
  readonly log: Log;
  readonly tracing?: Tracing;
}

export interface Interactions {
  lookup<Id extends AppId>(app: Id, caller: { phoneNumber: string; sessionRef: string }, language?: string): Promise<Lookup<Id>>;
  /**
   * Records and sends; the answer is `waiting`, `refused` or `unknown`. A waiting one is watched from here on. A plan that was started before, by
   * its id, is answered as it stands, whatever that is. A plan with initials is answered after the same time in any case, and waits in any case but where
   * the service could not be asked: what it looks like from then on, until it succeeds, tells nothing of who was found (decision 0017).
   */
  start(plan: Plan, language?: string): Promise<Started>;
  get(id: string): Promise<Interaction | undefined>;
  /** The whole result record, read anew: little of it is kept. `undefined` where there is none, or it cannot be read now. */
  result(id: string): Promise<ResultRecord | undefined>;
  waitingIn(conversation: string): Promise<Interaction[]>;
  check(id: string, code: string): Promise<Check>;
  resend(id: string): Promise<Resend>;
  cancel(id: string): Promise<Cancel>;
  /**
   * Notes that the chat was told how an interaction ended, or that it takes no message of it (`unreachable`). To be
   * called as soon as that is so: whatever fails after it is tried again without it.
   */
  markDelivered(interaction: Claim, how?: 'delivered' | 'unreachable'): Promise<void>;
  /**
   * Tells outcomes through `notifier` from now on, and takes up what nobody works on: what a stop or a crash left unfinished, at once, and
   * what other processes leave behind, as it happens.
   */
  open(notifier: Notifier): Promise<void>;
  /** How many are being watched: those that wait, and those whose end was unknown, of which a late outcome may come. */
  watching(): { readonly waiting: number; readonly late: number };
  /** Stops watching and telling; nothing is lost, the next start takes it up. */
  close(): Promise<void>;
}

/** Results that are read at a time: fewer than the client has connections, so that turns do not wait behind them. */
const readsTogether = 32;
/** Late results that are read at a time. */
const lateReadsTogether = 4;
/** How long (ms) a turn has to tell by itself how its start ended, before it is told for it. */
const ownTurn = 10_000;

/** How long (ms) a customer who may see the details of a result waits for them. */
const readWithin = 5_000;

export const makeInteractions = (parts: InteractionsParts): Interactions => {
  const { client, store, clock, log } = parts;
  const stop = new AbortController();
  /** Ends what runs on interactions that are held no more. */
  let hold = new AbortController();
  let over = AbortSignal.any([stop.signal, hold.signal]);
  /** What runs in the background, by interaction and the hold it runs under. */
  const running = new Map<string, Promise<void>>();
  let notifier: Notifier | undefined;
  const steps = makeLiveSteps(async (interaction) => notifier?.progress(interaction), log);
  const shown = (interaction: Interaction) => shownOf(interaction, clock.now());
  let unfollow = () => {};

  const background = ({ id, epoch }: Claim, what: string, work: (over: AbortSignal) => Promise<void>) => {
    const key = keyOf({ id, epoch }, what);
    if (stop.signal.aborted || running.has(key)) return;
    const done = work(over)
      .catch((fault) => log.error({ ...faultFields(fault), interaction: id, operation: what }, 'background work failed'))
      .finally(() => running.delete(key));
    running.set(key, done);
  };
  /** Tells how it ended; of an end that was unknown, what comes later is looked for from then on. */
  const tell = (interaction: Interaction, after = 0) => {
    background(interaction, `tell ${interaction.state}`, async (ended) => {
      const pause = Math.max(after, keptBack(interaction, clock.now()));
      if (pause > 0 && !((await sleep(pause, ended)) && (await isUntold(interaction)))) return;
      if (notifier) await deliver({ ...parts, notifier: notifier }, interaction, ended);
      await followLate(interaction.id);
    });
  };
  const isUntold = async ({ id, epoch }: Claim) => {
    const now = await store.get(id);
    return now?.epoch === epoch && !now.delivered;
  };
  const followLate = async (id: string) => {
    const now = await store.get(id);
    if (now?.state === 'unresolved') take(now);
  };
  const unwatched = (claim: Claim) => {
    watchers.over(claim);
    steps.end(claim.id);
  };
  const endings = makeEndings({ store, clock, log, notify: tell, over: unwatched });
  const advance = async (claim: Claim, step: Step) => {
    const moved = await store.advance(claim, step, clock.now());
    if (moved && !moved.alike) steps.show(moved);
  };
  const watchers = makeWatchers({
    ...parts,
    reads: makeSemaphore(readsTogether),
    lateReads: makeSemaphore(lateReadsTogether),
    ...endings,
    advance,
  });
  const follow = (interaction: Interaction) => {
    if (!stop.signal.aborted) watchers.follow(interaction);
  };
  const starting = makeStart(parts);
  const withdrawing = { ...parts, ...endings };
  /** Sets going what its state asks for. One that is not held here is another process's to care for. */
  const take = (interaction: Interaction): void => {
    const { epoch, state } = interaction;
    if (epoch === notClaimed) return;
    if (state === 'intended') background(interaction, 'send', (ended) => resume(interaction, ended));
    else if (state === 'waiting' || state === 'unresolved') follow(interaction);
    else if (!interaction.delivered) tell(interaction);
  };
  /** Sending can take as long as a call may; whoever opens the chats is not kept waiting for it. */
  const resume = async (interaction: Interaction, ended: AbortSignal) => {
    const taken = await starting.resumeIntent(interaction, ended);
    if (taken.state !== 'intended') take(taken);
  };
  /** Takes hold of everything that nobody holds. Asked while it is at that, it looks once more at the end. */
  const claim = makeSingleFlight(async () => {
    for (;;) {
      if (stop.signal.aborted) return;
      const claimed = await store.claim();
      if (claimed.length === 0) return;
      log.info({ component: 'interactions', count: claimed.length }, 'taken up');
      for (const interaction of claimed) take(interaction);
    }
  });
  /** Stops watching what another process watches now. */
  const dropIfTaken = async (id: string) => {
    if ((await store.get(id))?.epoch === notClaimed) void watchers.unwatch(id);
  };
  /** Watches afresh, which begins with reading the result. */
  const followAgain = async ({ id }: Claim, heard?: ReturnType<typeof watchers.heard>) => {
    await watchers.unwatch(id);
    const now = await store.get(id);
    if (now?.state !== 'waiting' || now.epoch === notClaimed) return;
    follow(now);
    if (heard) watchers.hear(id, heard);
  };
  /** Runs an action on an interaction that still waits, held here from then on: what follows from it is watched and told here. */
  const onWaiting = async <Answer>(id: string, over: Answer, act: (interaction: Interaction) => Promise<Answer>) => {
    const interaction = await store.takeOver(id);
    if (!interaction) return over;
    take(interaction);
    return act(interaction);
  };

  const cancelWaiting = (id: string) =>
    onWaiting<Cancel>(id, 'over', async (interaction) => {
      // Not watched meanwhile: the service tells of this withdrawal as it does of one that is its own.
      const heard = watchers.heard(id);
      await watchers.unwatch(id);
      try {
        return await cancel(withdrawing, interaction, heard);
      } finally {
        await followAgain(interaction, heard);
      }
    });
  /** An interaction whose chat may not see how it stands. */
  const alikeOf = async (id: string) => {
    const interaction = await store.get(id);
    return interaction?.alike ? interaction : undefined;
  };
  const startAlike = async (plan: Plan, language?: string): Promise<Interaction> => {
    const answered = sleep(answerAfter, stop.signal);
    const { interaction, fresh } = await starting.identified(plan);
    if (interaction.state === 'intended' && fresh)
      background(interaction, 'send', async () => take(await starting.dispatch(interaction, language)));
    else if (fresh && interaction.alike) take(interaction);
    else if (fresh) tell(interaction, ownTurn);
    await answered;
    return shown((await store.get(plan.id)) ?? interaction);
  };

  return {
    lookup: makeLookup(parts),
    get: async (id) => {
      const interaction = await store.get(id);
      return interaction && shown(interaction);
    },
    result: async (id) => {
      const interaction = await store.get(id);
      try {
        return interaction && (await readResult(parts, interaction, AbortSignal.any([stop.signal, AbortSignal.timeout(readWithin)])));
      } catch (fault) {
        log.warn({ ...callFields(fault), interaction: id }, 'the details of a result could not be read');
        return undefined;
      }
    },
    waitingIn: async (conversation) => (await store.waitingIn(conversation)).map(shown),
    start: async (plan, language) => {
      if (plan.initials !== undefined) return startAlike(plan, language);
      const interaction = await starting.start(plan, language);
      if (interaction.state === 'waiting') take(interaction);
      // The turn that asked tells it. Should it fail at that, nobody else would before the next start.
      else if (interaction.state !== 'intended' && !interaction.delivered && interaction.epoch !== notClaimed) tell(interaction, ownTurn);
      return interaction;
    },
    check: async (id, code) => {
      const check = (interaction: Interaction) =>
        interaction.alike
          ? guess({ ...parts, decide: endings.decide }, interaction, code)
          : checkPasscode({ client, store, decide: endings.decide, log }, interaction, code);
      const alike = await alikeOf(id);
      return alike?.state === 'intended' ? check(alike) : onWaiting<Check>(id, { kind: 'over' }, check);
    },
    resend: async (id) => {
      if (await alikeOf(id)) return { kind: 'unsupported' };
      return onWaiting<Resend>(id, { kind: 'over' }, async (interaction) => {
        const answer = await resend(withdrawing, interaction);
        const now = answer.kind === 'resent' ? await store.get(id) : undefined;
        // A new request has a new result to watch for, and may be good for longer; one that is over has a result now.
        const renewed = now && (now.requestId !== interaction.requestId || now.deadline !== interaction.deadline);
        if (renewed || answer.kind === 'over') await followAgain(interaction);
        return answer;
      });
    },
    cancel: async (id) => {
      const alike = await alikeOf(id);
      if (!alike) return cancelWaiting(id);
      // Nobody waits for what the service says of a request that may not exist.
      background(alike, 'cancel', async () => {
        await running.get(keyOf(alike, 'send'));
        if ((await store.get(id))?.state === 'waiting') await cancelWaiting(id);
      });
      return 'released';
    },
    markDelivered: async (interaction, kind = 'delivered') => {
      await store.apply(interaction, { kind });
    },
    open: async (to) => {
      notifier = { outcome: (interaction) => to.outcome(shown(interaction)), progress: (interaction) => to.progress(interaction) };
      unfollow = store.follow({
        free: () => {
          claim().catch((fault) => log.warn({ ...faultFields(fault), component: 'interactions' }, 'nothing could be taken up'));
        },
        taken: (id) => {
          if (watchers.has(id))
            dropIfTaken(id).catch((fault) => log.warn({ ...faultFields(fault), interaction: id }, 'not looked at again'));
        },
        lost: () => {
          hold.abort();
          watchers.endAll();
          hold = new AbortController();
          over = AbortSignal.any([stop.signal, hold.signal]);
        },
      });
      await claim();
    },
    watching: watchers.count,
    close: async () => {
      unfollow();
      stop.abort();
      watchers.endAll();
      await Promise.all([...running.values(), watchers.ended(), steps.close()]);
      await store.release().catch((fault) => {
        log.warn({ ...faultFields(fault), component: 'interactions' }, 'what was held could not be released; others take it later');
      });
    },
  };
};

const keyOf = ({ id, epoch }: Claim, what: string) => `${what}:${id}:${epoch}`;
