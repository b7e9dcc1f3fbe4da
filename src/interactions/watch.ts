// Watching an interaction until it is decided: the socket hints, the results endpoint is the truth, the deadline ends it.
import type { ServiceClient } from '../client/index.ts';
import { type EventFrame, type EventType, type ResultRecord, settles } from '../contract/index.ts';
import { type Backoff, fullJitter } from '../platform/backoff.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { sleep } from '../platform/sleep.ts';
import { noTracing, type Tracing } from '../platform/telemetry.ts';
import type { Held, Interaction, Step, Verdict } from './interaction.ts';
import type { EventSource } from './socket.ts';
import { callFields } from './trouble.ts';

export interface WatchParts {
  readonly client: ServiceClient;
  readonly events: EventSource;
  /** Decides once, durably. Must resolve, or throw and be asked again. */
  readonly decide: (interaction: Held, verdict: Verdict) => Promise<void>;
  readonly advance: (interaction: Held, step: Step) => Promise<void>;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
  readonly tracing?: Tracing;
}

/** Between two attempts to connect, and between two reads while there is no socket. */
const retry: Backoff = { base: 500, cap: 15_000 };
/** A socket that held this long (ms) was a good one: the next attempt starts from the first wait again. */
const held = 10_000;
/** While the socket is up, results are still read this often (ms): losing every push must only cost time. */
const safetyRead = 60_000;
/** How long (ms) a final event waits for its result before it is believed alone (decisions: Websocket). */
const confirmation = 5_000;

const steps: Partial<Record<EventType, Step>> = { 'task.sent': 'sent', 'task.bootstrapped': 'opened', 'task.started': 'started' };

/**
 * Watches one waiting interaction until it is decided or `stop` aborts. Whatever fails in between is logged and tried again; only the
 * deadline ends it without an answer.
 */
export const watch = (parts: WatchParts, interaction: Interaction, stop: AbortSignal): Promise<void> => {
  const { tracing = noTracing } = parts;
  return tracing.span('watch', { app: interaction.app }, () => untilDecided(parts, interaction, stop), { from: interaction.traceparent });
};

const untilDecided = async (parts: WatchParts, interaction: Interaction, stop: AbortSignal): Promise<void> => {
  const { clock, log, random } = parts;
  const over = new AbortController();
  const signal = AbortSignal.any([stop, over.signal]);
  let heardAt: number | undefined;
  const settle = async (verdict: Verdict) => {
    if (signal.aborted) return;
    await parts.decide(interaction, heardAt === undefined ? verdict : { ...verdict, heardAt });
    over.abort();
  };
  /** Runs one piece of work whose failure must not end the watch. */
  const attempt = async (what: string, work: () => Promise<void>) => {
    try {
      await work();
    } catch (fault) {
      if (!signal.aborted)
        log.warn(
          { operation: what, ...callFields(fault), app: interaction.app, interaction: interaction.id },
          'watching goes on after a fault',
        );
    }
  };
  const read = (within: AbortSignal = signal) =>
    attempt('results', async () => {
      const result = await readResult(parts, interaction, within);
      if (result) await settle({ status: result.status, by: 'result', result });
    });
  let looking: Promise<void> | undefined;
  let lookAgain = false;
  /** Reads because of a hint. However many come, one read runs at a time, and one more follows for those that came meanwhile. */
  const look = () => {
    lookAgain = looking !== undefined;
    looking ??= read().finally(() => {
      looking = undefined;
      if (lookAgain && !signal.aborted) look();
    });
  };
  let confirming = false;
  /** A final event is confirmed by its result; believed alone once the result could not be read in time. The first one counts. */
  const confirm = async (status: Verdict['status']) => {
    if (confirming) return;
    confirming = true;
    heardAt = clock.now();
    const patience = new AbortController();
    const within = AbortSignal.any([signal, patience.signal]);
    const reading = (async () => {
      for (let tries = 0; !within.aborted; tries += 1) {
        await read(within);
        await sleep(Math.min(100 * 2 ** tries, 1000), within);
      }
    })();
    await sleep(confirmation, signal);
    patience.abort();
    await reading;
    for (let tries = 0; !signal.aborted; tries += 1) {
      await attempt('decide', () => settle({ status, by: 'event' }));
      if (!signal.aborted) await sleep(fullJitter(retry, tries, random), signal);
    }
  };
  /** One socket, from opening to its end. Resolves when it is gone. */
  const listen = (wsToken: string) =>
    new Promise<void>((resolve) => {
      const end = () => {
        signal.removeEventListener('abort', end);
        source.close();
        resolve();
      };
      const source = parts.events({
        wsToken,
        onUp: look,
        onMalformed: look,
        onEvent: (type, frame) => {
          if (!concerns(interaction, frame)) {
            log.warn({ app: interaction.app, interaction: interaction.id, event: type, reason: 'mismatch' }, 'an event of something else');
            return;
          }
          const status = settles(type);
          const step = steps[type];
          if (status) void confirm(status);
          else if (step) void attempt('advance', () => parts.advance(interaction, step));
        },
        onDown: (reason) => {
          log.debug({ interaction: interaction.id, reason }, 'the socket is gone');
          end();
        },
      });
      signal.addEventListener('abort', end);
    });

  const rounds = async () => {
    for (let tries = 0; !signal.aborted; tries += 1) {
      await read();
      if (signal.aborted) return;
      if (interaction.wsToken !== undefined) {
        const since = clock.now();
        await listen(interaction.wsToken);
        if (clock.now() - since > held) tries = 0;
      }
      await sleep(fullJitter(retry, tries, random), signal);
    }
  };
  const safety = async () => {
    while (await sleep(safetyRead * (0.5 + random()), signal)) await read();
  };
  const deadline = async () => {
    const whole = await sleepUntil(interaction.deadline, clock, signal);
    if (!whole) return;
    await read();
    // The service may give its requests longer than we wait: nobody shall pay or sign what the chat has called over. What it finished just now is read.
    if (!signal.aborted) await attempt('withdraw', () => withdraw(parts, interaction, signal));
    if (!signal.aborted) await read();
    for (let tries = 0; !signal.aborted; tries += 1) {
      await attempt('decide', () => settle({ status: 'timeout', by: 'deadline' }));
      if (!signal.aborted) await sleep(fullJitter(retry, tries, random), signal);
    }
  };

  await Promise.all([rounds(), safety(), deadline()]);
};

/** Whether an event is about this interaction. One that does not say is taken for it: the token it came by names no other. */
const concerns = ({ app, requestId }: Interaction, { payload }: EventFrame) =>
  (payload?.app ?? app) === app && (payload?.request?.id ?? requestId)?.toUpperCase() === requestId?.toUpperCase();

/** The result, if there is one and it is this interaction's. One that answers for something else proves nothing. */
const readResult = async (
  { client, log }: WatchParts,
  { id, app, requestId }: Interaction,
  signal: AbortSignal,
): Promise<ResultRecord | undefined> => {
  if (requestId === undefined) return undefined;
  const result = await client.results.get(requestId, { signal });
  // That it is of this very request the client has seen to.
  if (result === undefined || result.app === app) return result;
  log.error({ app, interaction: id, operation: 'results', reason: 'mismatch' }, 'the service answered with the result of something else');
  return undefined;
};

const withdraw = async ({ client }: WatchParts, { requestId }: Interaction, signal: AbortSignal): Promise<void> => {
  if (requestId !== undefined) await client.requests.cancel(requestId, { signal });
};

/** Waits until an instant; timers alone cannot count further than 24.8 days. */
const sleepUntil = async (instant: number, clock: Clock, signal: AbortSignal): Promise<boolean> => {
  for (;;) {
    const left = instant - clock.now();
    if (left <= 0) return !signal.aborted;
    if (!(await sleep(Math.min(left, 2 ** 31 - 1), signal))) return false;
  }
};
