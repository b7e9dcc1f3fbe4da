// The customer's actions while an interaction waits: type a passcode, have it sent again, cancel. The service answers to a
// code only yes or no, so tries are counted here.
import { apps } from '../../contract/index.ts';
import { sleep } from '../../platform/time/waits.ts';
import { type Decision, type Interaction, margin } from '../interaction.ts';
import type { Lifecycle } from '../lifecycle.ts';
import type { InteractionsContext } from '../ports.ts';
import { dependsOnNumber, isCalledOff } from '../starting/blind-lookup.ts';
import { lifetimeOf, sendAs } from '../starting/start.ts';
import { callFields, type Trouble, troubleOf } from '../trouble.ts';
import { readResult } from './service-queries.ts';

const { tries } = apps['one-time-passcode'].operations.check;

export type Check =
  | { readonly kind: 'match' }
  | { readonly kind: 'mismatch'; readonly triesLeft: number }
  /** No tries are left; the interaction has failed. */
  | { readonly kind: 'dead' }
  /** It no longer waits for a code. */
  | { readonly kind: 'over' }
  | { readonly kind: 'trouble'; readonly trouble: Trouble };

/** Checks a code of six characters. A match or the last mismatch decides the interaction. */
const checkPasscode = async (
  { client, store, log }: InteractionsContext,
  lifecycle: Lifecycle,
  interaction: Interaction,
  code: string,
): Promise<Check> => {
  const { id, requestId, state } = interaction;
  if (state !== 'waiting' || requestId === undefined) return { kind: 'over' };
  let matches: boolean;
  try {
    matches = (await client.apps['one-time-passcode'].check({ requestId, code })).codeMatch;
  } catch (fault) {
    log.warn({ operation: 'check', ...callFields(fault), interaction: id }, 'a code could not be checked');
    return { kind: 'trouble', trouble: troubleOf(fault) };
  }
  if (matches) {
    await lifecycle.decide(interaction, { status: 'success', by: 'check' });
    return { kind: 'match' };
  }
  const counted = await store.apply(interaction, { kind: 'mistyped' });
  if (!counted) return { kind: 'over' };
  if (counted.mistyped < tries) return { kind: 'mismatch', triesLeft: tries - counted.mistyped };
  await lifecycle.decide(interaction, { status: 'failure', by: 'check' });
  return { kind: 'dead' };
};

/**
 * Checks a code when the chat may not learn whether one was sent (blind-lookup.ts). If none was, it asks the service about a
 * made-up request: that takes as long, has as many tries, and is always wrong.
 */
const checkBlind = async (
  { client, store, newId, log }: InteractionsContext,
  lifecycle: Lifecycle,
  interaction: Interaction,
  code: string,
): Promise<Check> => {
  const { id, requestId, mistyped, outcome } = interaction;
  if (outcome?.status === 'success') return { kind: 'over' };
  if (mistyped >= tries) return { kind: 'mismatch', triesLeft: 0 };
  try {
    const { codeMatch } = await client.apps['one-time-passcode'].check({ requestId: requestId ?? newId(), code });
    if (codeMatch && interaction.state === 'waiting') {
      await lifecycle.decide(interaction, { status: 'success', by: 'check' });
      return { kind: 'match' };
    }
  } catch (fault) {
    const trouble = troubleOf(fault);
    log.warn({ operation: 'check', ...callFields(fault), interaction: id }, 'a code could not be checked');
    if (!dependsOnNumber(trouble)) return { kind: 'trouble', trouble };
  }
  const { mistyped: now } = (await store.apply(interaction, { kind: 'guessed' })) ?? { mistyped: mistyped + 1 };
  return { kind: 'mismatch', triesLeft: Math.max(0, tries - now) };
};

/** How long (ms) a wrong code takes if hit and miss must look alike: by then a healthy service has checked it. */
const checkAnswerAfter = 1_000;

/** Checks a typed passcode. */
export const checkCode = async (context: InteractionsContext, lifecycle: Lifecycle, id: string, code: string): Promise<Check> => {
  const check = (interaction: Interaction) => (interaction.blindLookup ? checkBlind : checkPasscode)(context, lifecycle, interaction, code);
  const interaction = await context.store.get(id);
  const waiting = () => onWaiting<Check>(context, lifecycle, id, { kind: 'over' }, check);
  if (!interaction?.blindLookup) return waiting();
  // The service compares a code only if the request exists. The difference in time would reveal whether it does.
  const answered = sleep(checkAnswerAfter, lifecycle.tasks.stopped);
  // Its chat sees it as waiting, whether it has been sent or not.
  const checked = await (interaction.state === 'intended' ? check(interaction) : waiting());
  if (checked.kind !== 'match') await answered;
  return checked;
};

export type Resend =
  | { readonly kind: 'resent' }
  /** It was sent a moment ago. */
  | { readonly kind: 'too_soon' }
  /** This service cannot send it again. */
  | { readonly kind: 'unsupported' }
  | { readonly kind: 'over' }
  | { readonly kind: 'trouble'; readonly trouble: Trouble };

/**
 * Sends the request again. If the service has no such call, a new passcode is sent (the old code dies with it). Other
 * requests stay as they are, because a second one beside the first could be answered twice.
 */
const resend = async (context: InteractionsContext, interaction: Interaction): Promise<Resend> => {
  const { client, store, newId, log } = context;
  const { id, app, requestId, wsToken, request, state } = interaction;
  if (state !== 'waiting' || requestId === undefined) return { kind: 'over' };
  try {
    const answer = await client.requests.resend(requestId);
    if (answer.kind === 'already_finished') return { kind: 'over' };
    if (answer.kind === 'too_soon') return { kind: 'too_soon' };
    if (answer.kind === 'resent') {
      // Sending a request again may extend its time, never shorten it.
      const lifetime = lifetimeOf(answer.record) ?? 0;
      const deadline = Math.max(interaction.deadline, interaction.createdAt + lifetime + margin);
      return (await store.apply(interaction, { kind: 'resent', requestId, deadline, ...(wsToken !== undefined && { wsToken }) }))
        ? { kind: 'resent' }
        : { kind: 'over' };
    }
    if (app !== 'one-time-passcode') return { kind: 'unsupported' };
    const again = await sendAs(context, app, request as never, newId());
    if (again.kind !== 'accepted') return { kind: 'trouble', trouble: 'rejected' };
    return (await store.apply(interaction, { ...again, kind: 'resent' })) ? { kind: 'resent' } : { kind: 'over' };
  } catch (fault) {
    log.warn({ operation: 'resend', ...callFields(fault), app, interaction: id }, 'a request could not be sent again');
    return { kind: 'trouble', trouble: troubleOf(fault) };
  }
};

/** Sends the request again. */
export const resendWaiting = async (context: InteractionsContext, lifecycle: Lifecycle, id: string): Promise<Resend> => {
  if ((await context.store.get(id))?.blindLookup) return { kind: 'unsupported' };
  return onWaiting<Resend>(context, lifecycle, id, { kind: 'over' }, async (interaction) => {
    const answer = await resend(context, interaction);
    const now = answer.kind === 'resent' ? await context.store.get(id) : undefined;
    // A new request has a new result to watch for, and may be valid for longer; one that has ended has a result by now.
    const renewed = now && (now.requestId !== interaction.requestId || now.deadline !== interaction.deadline);
    if (renewed || answer.kind === 'over') await lifecycle.rewatch(interaction);
    return answer;
  });
};

/** The longest (ms) that a cancelling customer waits for a read of the result. */
const lastReadTimeout = 3_000;

/**
 * `withdrawn`: the request can no longer be used. `released`: we stopped waiting, but the service could not confirm
 * that its link is dead. `over`: it had already ended; that outcome stands.
 */
export type Cancel = 'withdrawn' | 'released' | 'over';

/**
 * Withdraws the request. The service is asked first, so that a request it already finished is not called cancelled.
 * Unless it confirms the withdrawal, the result is read, so that a customer who has paid learns that they have.
 * @param heard the end that the service's event reported, if any: then nothing is cancelled, and the watcher confirms
 * that end
 */
const cancel = async (
  context: InteractionsContext,
  lifecycle: Lifecycle,
  interaction: Interaction,
  heard: Decision['status'] | undefined,
): Promise<Cancel> => {
  const { client, store, log } = context;
  const { id, app, requestId, state } = interaction;
  if (state !== 'waiting' || requestId === undefined) return 'over';
  const failed = (operation: string, fault: unknown) =>
    log.warn({ operation, ...callFields(fault), app, interaction: id }, 'the service did not confirm a cancellation');
  let answer: Cancel = 'released';
  try {
    const { kind } = await client.requests.cancel(requestId);
    if (kind === 'already_finished') return 'over';
    if (kind === 'cancelled') answer = 'withdrawn';
  } catch (fault) {
    failed('cancel', fault);
  }
  if (answer === 'released' || heard) {
    let read = false;
    try {
      const result = await readResult(context, interaction, AbortSignal.timeout(lastReadTimeout));
      if (result) {
        await lifecycle.decide(interaction, { status: result.status, by: 'result', result });
        return 'over';
      }
      read = true;
    } catch (fault) {
      failed('results', fault);
    }
    if (heard) return 'over';
    // It may have ended by now, so it is not called cancelled either.
    if (!read) {
      await lifecycle.expire(interaction);
      return 'released';
    }
  }
  await lifecycle.decide(interaction, { status: 'cancelled', by: 'customer' });
  return (await store.get(id))?.outcome?.status === 'cancelled' ? answer : 'over';
};

/** Cancels the interaction. */
export const cancelInteraction = async (context: InteractionsContext, lifecycle: Lifecycle, id: string): Promise<Cancel> => {
  const interaction = await context.store.get(id);
  if (!interaction?.blindLookup) return cancelWaiting(context, lifecycle, id);
  // Neither the answer nor what is then open may depend on whether there is a request to withdraw.
  await context.store.requestCancel(id);
  lifecycle.tasks.run(interaction, 'cancel', async () => {
    await lifecycle.tasks.finished(interaction, 'send');
    const now = await context.store.takeOver(id);
    if (now?.state === 'waiting') await cancelWaiting(context, lifecycle, id);
    else if (now && isCalledOff(now)) await context.store.apply(now, { kind: 'delivered' });
  });
  return 'released';
};

const cancelWaiting = (context: InteractionsContext, lifecycle: Lifecycle, id: string): Promise<Cancel> =>
  onWaiting<Cancel>(context, lifecycle, id, 'over', async (interaction) => {
    // Stops watching for the moment: the service reports this withdrawal like one that it made itself.
    const heard = lifecycle.watchers.heard(id);
    await lifecycle.watchers.stop(id);
    try {
      return await cancel(context, lifecycle, interaction, heard);
    } finally {
      await lifecycle.rewatch(interaction, heard);
    }
  });

/**
 * Acts on an interaction that still waits. This process claims it, so that it is watched and delivered here from now
 * on.
 */
const onWaiting = async <Answer>(
  { store }: InteractionsContext,
  lifecycle: Lifecycle,
  id: string,
  over: Answer,
  act: (interaction: Interaction) => Promise<Answer>,
): Promise<Answer> => {
  const interaction = await store.takeOver(id);
  if (!interaction) return over;
  lifecycle.resume(interaction);
  return act(interaction);
};
