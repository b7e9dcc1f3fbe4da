// The life of interactions, as the dialogs use it: looked up, started, watched, told. Knows no chat and no database.
import type { ServiceClient } from '../client/index.ts';
import type { AppId } from '../contract/index.ts';
import type { Clock } from '../platform/clock.ts';
import { faultFields, type Log } from '../platform/log.ts';
import type { Tracing } from '../platform/telemetry.ts';
import { deliver } from './deliver.ts';
import type { EventSource } from './events.ts';
import { makeGate } from './gate.ts';
import { type Held, type Interaction, notHeld, type Step, type Verdict } from './interaction.ts';
import { makeLiveSteps } from './live-steps.ts';
import { type Lookup, makeLookup } from './lookup.ts';
import { type Check, checkPasscode } from './passcode.ts';
import type { InteractionStore, Teller } from './ports.ts';
import { makeRound } from './round.ts';
import { makeStart, type Plan } from './start.ts';
import { Watch } from './watch.ts';
import { type Cancel, cancel, type Resend, resend } from './withdraw.ts';

export interface InteractionsParts {
  readonly client: ServiceClient;
  readonly store: InteractionStore;
  readonly events: EventSource;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly random: () => number;
  /** How long each app's interactions are waited for, in milliseconds. */
  readonly patience: Readonly<Record<AppId, number>>;
  /** The service is known to honour the idempotency key, so an intent of unknown fate may go out again. */
  readonly idempotent: boolean;
  readonly log: Log;
  readonly tracing?: Tracing;
}

export interface Interactions {
  lookup<Id extends AppId>(app: Id, caller: { phoneNumber: string; sessionRef: string }): Promise<Lookup<Id>>;
  /**
   * Records and sends; the answer is `waiting`, `refused` or `unknown`. A waiting one is watched from here on. A plan that was started before, by
   * its id, is answered as it stands, whatever that is.
   */
  start(plan: Plan): Promise<Interaction>;
  get(id: string): Promise<Interaction | undefined>;
  waitingIn(conversation: string): Promise<Interaction[]>;
  check(id: string, code: string): Promise<Check>;
  resend(id: string): Promise<Resend>;
  cancel(id: string): Promise<Cancel>;
  /**
   * Notes that the chat was told how an interaction ended, or that it takes no message of it (`unreachable`). To be
   * called as soon as that is so: whatever fails after it is tried again without it.
   */
  told(interaction: Held, how?: 'told' | 'unreachable'): Promise<void>;
  /**
   * Tells outcomes through `teller` from now on, and takes up what nobody works on: what a stop or a crash left unfinished, at once, and
   * what other processes leave behind, as it happens.
   */
  open(teller: Teller): Promise<void>;
  /** How many are being watched. */
  watching(): number;
  /** Stops watching and telling; nothing is lost, the next start takes it up. */
  close(): Promise<void>;
}

/** Results that are read at a time: fewer than the client has connections, so that turns do not wait behind them. */
const readsTogether = 32;

export const makeInteractions = (parts: InteractionsParts): Interactions => {
  const { client, store, clock, log } = parts;
  const stop = new AbortController();
  /** Ends what runs on interactions that are held no more. */
  let hold = new AbortController();
  let over = AbortSignal.any([stop.signal, hold.signal]);
  /** What runs in the background, by interaction and the hold it runs under. */
  const running = new Map<string, Promise<void>>();
  /** What is watched, by interaction. */
  const watches = new Map<string, Watch>();
  /** Watches that were told to stop and have not yet. */
  const ending = new Set<Promise<void>>();
  const gate = makeGate(readsTogether);
  let teller: Teller | undefined;
  const steps = makeLiveSteps(async (interaction) => teller?.progress(interaction), log);
  let unfollow = () => {};

  const background = ({ id, epoch }: Held, what: string, work: (over: AbortSignal) => Promise<void>) => {
    const key = keyOf({ id, epoch }, what);
    if (stop.signal.aborted || running.has(key)) return;
    const done = work(over)
      .catch((fault) => log.error({ ...faultFields(fault), interaction: id, operation: what }, 'background work failed'))
      .finally(() => running.delete(key));
    running.set(key, done);
  };
  const tell = (interaction: Interaction) => {
    const to = teller;
    if (to) background(interaction, 'tell', (ended) => deliver({ ...parts, teller: to }, interaction, ended));
  };
  /** The one place where an interaction is decided. The first decision stands and is told; any later one changes nothing. */
  const decide = async (held: Held, verdict: Verdict) => {
    const decided = await store.apply(held, { kind: 'decided', outcome: { ...verdict, at: clock.now() } });
    // Decided here or elsewhere, there is nothing to watch under this hold any more.
    if (watches.get(held.id)?.epoch === held.epoch) void unwatch(held.id);
    steps.end(held.id);
    if (!decided) return;
    log.info({ app: decided.app, interaction: held.id, outcome: verdict.status, reason: verdict.by }, 'an interaction was decided');
    tell(decided);
  };
  const advance = async (held: Held, step: Step) => {
    const moved = await store.advance(held, step, clock.now());
    if (moved) steps.show(moved);
  };
  const watching = { ...parts, gate, decide, advance };
  /** Resolves when nothing of the watch runs any more. */
  const unwatch = async (id: string): Promise<void> => {
    const watch = watches.get(id);
    if (!watch) return;
    watches.delete(id);
    const ended = watch.stop();
    ending.add(ended);
    await ended;
    ending.delete(ended);
  };
  const follow = (interaction: Interaction) => {
    const { id, epoch } = interaction;
    const watch = watches.get(id);
    if (stop.signal.aborted || watch?.epoch === epoch) return;
    void unwatch(id);
    watches.set(id, new Watch(watching, interaction));
  };
  const starting = makeStart(parts);
  /** Sets going what its state asks for. One that is not held here is another process's to care for. */
  const take = (interaction: Interaction): void => {
    const { epoch, state } = interaction;
    if (epoch === notHeld) return;
    if (state === 'intended') background(interaction, 'send', (ended) => resume(interaction, ended));
    else if (state === 'waiting') follow(interaction);
    else if (!interaction.told) tell(interaction);
  };
  /** Sending can take as long as a call may; whoever opens the chats is not kept waiting for it. */
  const resume = async (interaction: Interaction, ended: AbortSignal) => {
    const taken = await starting.takeUp(interaction, ended);
    if (taken.state !== 'intended') take(taken);
  };
  /** Takes hold of everything that nobody holds. Asked while it is at that, it looks once more at the end. */
  const claim = makeRound(async () => {
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
    if ((await store.get(id))?.epoch === notHeld) void unwatch(id);
  };
  /** Watches afresh, which begins with reading the result. */
  const followAgain = async ({ id }: Held) => {
    await unwatch(id);
    const now = await store.get(id);
    if (now?.state === 'waiting' && now.epoch !== notHeld) follow(now);
  };
  /** Runs an action on an interaction that still waits, held here from then on: what follows from it is watched and told here. */
  const onWaiting = async <Answer>(id: string, over: Answer, act: (interaction: Interaction) => Promise<Answer>) => {
    const interaction = await store.takeOver(id);
    if (!interaction) return over;
    follow(interaction);
    return act(interaction);
  };

  return {
    lookup: makeLookup(parts),
    get: store.get,
    waitingIn: store.waitingIn,
    start: async (plan) => {
      const interaction = await starting.start(plan);
      if (interaction.state === 'waiting') take(interaction);
      return interaction;
    },
    check: (id, code) =>
      onWaiting<Check>(id, { kind: 'over' }, (interaction) => checkPasscode({ client, store, decide, log }, interaction, code)),
    resend: (id) =>
      onWaiting<Resend>(id, { kind: 'over' }, async (interaction) => {
        const answer = await resend({ ...parts, decide }, interaction);
        // A new request has a new result to watch for; one that is over has a result now.
        const renewed = answer.kind === 'resent' && (await store.get(id))?.requestId !== interaction.requestId;
        if (renewed || answer.kind === 'over') await followAgain(interaction);
        return answer;
      }),
    cancel: (id) =>
      onWaiting<Cancel>(id, 'over', async (interaction) => {
        // Not watched meanwhile: the service tells of this withdrawal as it does of one that is its own.
        await unwatch(id);
        try {
          return await cancel({ ...parts, decide }, interaction);
        } finally {
          await followAgain(interaction);
        }
      }),
    told: async (interaction, kind = 'told') => {
      await store.apply(interaction, { kind });
    },
    open: async (to) => {
      teller = to;
      unfollow = store.follow({
        free: () => {
          claim().catch((fault) => log.warn({ ...faultFields(fault), component: 'interactions' }, 'nothing could be taken up'));
        },
        taken: (id) => {
          if (watches.has(id))
            dropIfTaken(id).catch((fault) => log.warn({ ...faultFields(fault), interaction: id }, 'not looked at again'));
        },
        lost: () => {
          hold.abort();
          for (const id of watches.keys()) void unwatch(id);
          hold = new AbortController();
          over = AbortSignal.any([stop.signal, hold.signal]);
        },
      });
      await claim();
    },
    watching: () => watches.size,
    close: async () => {
      unfollow();
      stop.abort();
      for (const id of watches.keys()) void unwatch(id);
      await Promise.all([...running.values(), ...ending, steps.close()]);
      await store.release().catch((fault) => {
        log.warn({ ...faultFields(fault), component: 'interactions' }, 'what was held could not be released; others take it later');
      });
    },
  };
};

const keyOf = ({ id, epoch }: Held, what: string) => `${what}:${id}:${epoch}`;
