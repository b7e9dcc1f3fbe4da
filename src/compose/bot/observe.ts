// Measures the parts from outside: each function wraps a port and reports its calls. The parts themselves do not know
// about metrics. Automatic instrumentation would patch modules at load, see URLs and SQL, and cost time on every request.
import type { ChannelsOptions, OnUnusable, TurnLock, TurnLogic } from '../../bot/index.ts';
import { type Around, CallError, ServiceError } from '../../client/index.ts';
import type { InteractionStore, Interactions, Notify, Transition } from '../../interactions/index.ts';
import { faultFields, type Log } from '../../platform/log.ts';
import type { Telemetry } from '../../platform/telemetry.ts';
import { type Clock, monotonicClock, systemClock } from '../../platform/time/clock.ts';
import type { Storage } from '../../storage/index.ts';

const secondsSince = (start: number, clock: Clock = monotonicClock) => (clock.now() - start) / 1000;

/** Wraps turns: their duration and their span. A proactive turn stays in the trace that it was started in. */
export const observeTurns = (run: TurnLogic, telemetry: Telemetry): TurnLogic => {
  const took = telemetry.histogram('countersign_turn_duration_seconds', 'Time of one turn, without its wait for the lock', [
    'kind',
    'ending',
  ]);
  return async (context, news) => {
    const { type, channelId: channel } = context.activity;
    const kind = news?.kind ?? type;
    const start = monotonicClock.now();
    let ending = 'failed';
    try {
      await telemetry.span('turn', { kind, channel, app: news?.interaction.app }, () => run(context, news), {
        kind: news ? 'consumer' : 'server',
      });
      ending = 'ok';
    } finally {
      took({ kind, ending }, secondsSince(start));
    }
  };
};

/** Reports chats whose stored dialogs could not be used: an error for the operator, and a counter. */
export const observeUnusable = (telemetry: Telemetry, log: Log): OnUnusable => {
  const count = telemetry.counter(
    'countersign_unusable_state_total',
    'Turns that worked only without what was stored of the chat: its questions, its dialogs, or its memory',
    ['state'],
  );
  return (fault, without) => {
    count({ state: without });
    log.error({ ...faultFields(fault), component: 'dialogs', state: without }, 'stored state of a chat could not be used and was dropped');
  };
};

/** Counts messages that a channel refused. */
export const countRefusals = (telemetry: Telemetry): NonNullable<ChannelsOptions['onRefused']> =>
  telemetry.counter('countersign_channel_refusals_total', 'Messages that a channel did not take: blocked, gone or throttled', [
    'channel',
    'reason',
  ]);

/** Wraps the turn lock: how long turns wait for earlier ones. */
export const observeLock = (lock: TurnLock, telemetry: Telemetry): TurnLock => {
  const waited = telemetry.histogram('countersign_turn_lock_wait_seconds', 'How long a turn waited for the conversation’s lock', [
    'ending',
  ]);
  return {
    run: async (key, work) => {
      const start = monotonicClock.now();
      let entered = false;
      try {
        return await lock.run(key, (...given) => {
          entered = true;
          waited({ ending: 'ok' }, secondsSince(start));
          return work(...given);
        });
      } finally {
        if (!entered) waited({ ending: 'turned_away' }, secondsSince(start));
      }
    },
    idle: (graceMs) => lock.idle(graceMs),
    get size() {
      return lock.size;
    },
  };
};

/** Wraps the calls to the service: their names, endings and durations. The trace is sent along. */
export const observeCalls = (telemetry: Telemetry): Around => {
  const called = telemetry.counter('countersign_service_calls_total', 'Calls to the service, with all their attempts', [
    'operation',
    'status',
  ]);
  const took = telemetry.histogram('countersign_service_call_duration_seconds', 'Time of one call to the service', ['operation']);
  return (operation, call) =>
    telemetry.span(
      operation,
      { operation },
      async () => {
        const start = monotonicClock.now();
        const traceparent = telemetry.traceparent();
        let status = 'ok';
        try {
          return await call(traceparent === undefined ? undefined : { traceparent });
        } catch (fault) {
          status = fault instanceof ServiceError ? String(fault.status) : fault instanceof CallError ? fault.code : 'unknown';
          throw fault;
        } finally {
          telemetry.note({ status });
          called({ operation, status });
          took({ operation }, secondsSince(start));
        }
      },
      { kind: 'client' },
    );
};

/** The ending that a transition means, if it is one. */
const endingOf = (transition: Transition): string | undefined => {
  if (transition.kind === 'decided') return transition.outcome.late ? undefined : transition.outcome.status;
  if (transition.kind === 'refused') return 'refused';
  return transition.kind === 'lost' || transition.kind === 'expired' ? 'unknown' : undefined;
};

/**
 * Wraps the store: each interaction is counted once, by the write that ends it. An unknown end that becomes known
 * counts again, as a late one.
 */
export const observeStore = (store: InteractionStore, telemetry: Telemetry): InteractionStore => {
  const ended = telemetry.counter('countersign_interactions_ended_total', 'Interactions that ended', ['app', 'ending']);
  const late = telemetry.counter('countersign_interactions_late_total', 'Interactions whose end was unknown at first and is known', [
    'app',
    'ending',
  ]);
  const rated = telemetry.counter('countersign_feedback_total', 'What customers thought of outcomes, each time they say it or change it', [
    'app',
    'outcome',
    'value',
  ]);
  const unrated = telemetry.counter('countersign_feedback_changed_total', 'What customers thought of outcomes before they changed it', [
    'app',
    'outcome',
    'value',
  ]);
  return {
    ...store,
    rate: async (id, conversation, value) => {
      const about = await store.rate(id, conversation, value);
      if (!about || about.before === value) return about;
      const { app, before, status: outcome } = about;
      rated({ app, outcome, value });
      if (before) unrated({ app, outcome, value: before });
      telemetry.mark('feedback', { app, outcome, value });
      return about;
    },
    apply: async (claim, transition) => {
      const changed = await store.apply(claim, transition);
      const ending = endingOf(transition);
      if (changed && ending) ended({ app: changed.app, ending });
      if (changed?.outcome?.late && transition.kind === 'decided') late({ app: changed.app, ending: changed.outcome.status });
      return changed;
    },
  };
};

/**
 * Wraps delivery: the time from the service's word (or, without one, from the decision) until the chat has the
 * message.
 */
export const observeNotify = (notify: Notify, telemetry: Telemetry, clock: Clock = systemClock): Notify => {
  const latency = telemetry.histogram(
    'countersign_outcome_latency_seconds',
    'From the service’s event (where none came, from the decision) until the message with the outcome is posted',
    ['app'],
  );
  const failed = telemetry.counter('countersign_outcome_delivery_failures_total', 'Attempts to deliver an outcome that failed', ['app']);
  return async (interaction, kind) => {
    const { app, outcome, delivered } = interaction;
    await notify(interaction, kind).catch((fault: unknown) => {
      if (kind === 'outcome') failed({ app });
      throw fault;
    });
    if (kind === 'outcome' && outcome && !delivered) latency({ app }, secondsSince(outcome.heardAt ?? outcome.at, clock));
  };
};

/** Reports an answer that departs from the interface to the operator: the call and the fields, never their values. */
export const logDepartures =
  (log: Log) =>
  (operation: string, paths: readonly string[]): void =>
    log.warn(
      { operation, errorCode: 'shape', fields: paths.join(', ') },
      'an answer departs from the interface: what could not be read was left out',
    );
/** Registers the gauges of current work, read on demand. */
export const observeState = (
  telemetry: Telemetry,
  { watching, undelivered }: Pick<Interactions, 'undelivered' | 'watching'>,
  { hasLease, interactions: { quarantined } }: Pick<Storage, 'hasLease' | 'interactions'>,
): void => {
  const gauges: readonly (readonly [string, string, () => number])[] = [
    ['interactions_waiting', 'Interactions that wait for their outcome, watched by this process', () => watching().waiting],
    ['interactions_late', 'Interactions whose end was unknown, and whose result this process still looks for', () => watching().late],
    ['outcomes_undelivered', 'Outcomes that this process has tried to deliver, in vain, for more than a minute', undelivered],
    ['interactions_quarantined', 'Interactions that this process met and cannot read: kept, and nobody works on them', quarantined],
    ['lease_held', 'Whether this process holds its lease, without which it works on no interaction (1 or 0)', () => (hasLease() ? 1 : 0)],
  ];
  for (const [name, help, read] of gauges) telemetry.gauge(`countersign_${name}`, help, [], () => [[{}, read()]]);
};
