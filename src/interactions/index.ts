// The life of interactions, as the dialogs use it: looked up, started, watched, told. Knows no chat and no database.
import type { ServiceClient } from '../client/index.ts';
import type { AppId } from '../contract/index.ts';
import type { Clock } from '../platform/clock.ts';
import { faultFields, type Log } from '../platform/log.ts';
import type { Tracing } from '../platform/telemetry.ts';
import { deliver } from './deliver.ts';
import type { Interaction, Step, Verdict } from './interaction.ts';
import { type Lookup, makeLookup } from './lookup.ts';
import { type Check, checkPasscode } from './passcode.ts';
import type { InteractionStore, Teller } from './ports.ts';
import type { EventSource } from './socket.ts';
import { makeStart, type Plan } from './start.ts';
import { watch } from './watch.ts';
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
  /** Notes that the customer was told, in the turn itself, how a start ended. */
  told(id: string): Promise<void>;
  /** Takes up everything a stop or a crash left unfinished, and from then on tells outcomes through `teller`. */
  open(teller: Teller): Promise<void>;
  /** How many are being watched. */
  watching(): number;
  /** Stops watching and telling; nothing is lost, the next start takes it up. */
  close(): Promise<void>;
}

export const makeInteractions = (parts: InteractionsParts): Interactions => {
  const { client, store, clock, log } = parts;
  const stop = new AbortController();
  /** What runs in the background, by interaction: one watch or one delivery each. */
  const running = new Map<string, Promise<void>>();
  let teller: Teller | undefined;

  const background = (key: string, work: () => Promise<void>) => {
    if (stop.signal.aborted || running.has(key)) return;
    const done = work()
      .catch((fault) => log.error({ ...faultFields(fault), interaction: key.slice(key.indexOf(':') + 1) }, 'background work failed'))
      .finally(() => running.delete(key));
    running.set(key, done);
  };
  const tell = (interaction: Interaction) => {
    const to = teller;
    if (to) background(`tell:${interaction.id}`, () => deliver({ ...parts, teller: to }, interaction, stop.signal));
  };
  /** The one place where an interaction is decided. The first decision stands and is told; any later one changes nothing. */
  const decide = async (id: string, verdict: Verdict) => {
    const decided = await store.apply(id, { kind: 'decided', outcome: { ...verdict, at: clock.now() } });
    if (!decided) return;
    watches.get(id)?.abort();
    log.info({ app: decided.app, interaction: id, outcome: verdict.status, reason: verdict.by }, 'an interaction was decided');
    tell(decided);
  };
  const advance = async (id: string, step: Step) => {
    const moved = await store.advance(id, step, clock.now());
    if (moved) await teller?.progress(moved);
  };
  const watches = new Map<string, AbortController>();
  const follow = (interaction: Interaction) => {
    const own = new AbortController();
    background(`watch:${interaction.id}`, async () => {
      watches.set(interaction.id, own);
      try {
        await watch({ ...parts, decide, advance }, interaction, AbortSignal.any([stop.signal, own.signal]));
      } finally {
        watches.delete(interaction.id);
      }
    });
  };
  const starting = makeStart(parts);
  const take = (interaction: Interaction): void => {
    switch (interaction.state) {
      case 'intended':
        // Sending can take as long as a call may; whoever opens the chats is not kept waiting for it.
        background(`start:${interaction.id}`, async () => {
          const taken = await starting.takeUp(interaction, stop.signal);
          if (taken.state !== 'intended') take(taken);
        });
        return;
      case 'waiting':
        follow(interaction);
        return;
      case 'decided':
      case 'refused':
      case 'unknown':
        tell(interaction);
        return;
      case 'delivered':
      case 'undeliverable':
        return;
      default:
        interaction.state satisfies never;
    }
  };
  /** Watches afresh, which begins with reading the result. */
  const followAgain = async (id: string) => {
    watches.get(id)?.abort();
    await running.get(`watch:${id}`);
    const now = await store.get(id);
    if (now?.state === 'waiting') follow(now);
  };
  /** Runs an action on an interaction as it is now. */
  const onCurrent = async <Answer>(id: string, over: Answer, act: (interaction: Interaction) => Promise<Answer>) => {
    const interaction = await store.get(id);
    return interaction ? act(interaction) : over;
  };

  return {
    lookup: makeLookup(parts),
    get: store.get,
    waitingIn: store.waitingIn,
    start: async (plan) => {
      // What is being taken up at this moment is sent already.
      await running.get(`start:${plan.id}`);
      const interaction = await starting.start(plan);
      if (interaction.state === 'waiting') follow(interaction);
      return interaction;
    },
    check: (id, code) =>
      onCurrent<Check>(id, { kind: 'over' }, (interaction) => checkPasscode({ client, store, decide, log }, interaction, code)),
    resend: (id) =>
      onCurrent<Resend>(id, { kind: 'over' }, async (interaction) => {
        const answer = await resend({ ...parts, decide }, interaction);
        // A new request has a new result to watch for; one that is over has a result now.
        const renewed = answer.kind === 'resent' && (await store.get(id))?.requestId !== interaction.requestId;
        if (renewed || answer.kind === 'over') await followAgain(id);
        return answer;
      }),
    cancel: (id) =>
      onCurrent<Cancel>(id, 'over', async (interaction) => {
        const answer = await cancel({ ...parts, decide }, interaction);
        if (answer === 'over') await followAgain(id);
        return answer;
      }),
    told: async (id) => {
      await store.apply(id, { kind: 'told' });
    },
    open: async (to) => {
      teller = to;
      for (const interaction of await store.unfinished()) take(interaction);
    },
    watching: () => watches.size,
    close: async () => {
      stop.abort();
      await Promise.all(running.values());
    },
  };
};
