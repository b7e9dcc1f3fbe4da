// A customer's requests to the service while an interaction waits: to send it again, or to withdraw it.
import type { ServiceClient } from '../../client/index.ts';
import type { Log } from '../../platform/log.ts';
import { type Claim, type Decision, type Interaction, margin } from '../interaction.ts';
import type { InteractionStore } from '../ports.ts';
import { lifetimeOf, type SendParts, sendAs } from '../starting/start.ts';
import { callFields, type Trouble, troubleOf } from '../trouble.ts';
import { readResult } from './service-queries.ts';

/** The longest (ms) that a cancelling customer waits for a read of the result. */
const lastReadTimeout = 3_000;

export interface ResendParts extends SendParts {
  readonly store: InteractionStore;
  readonly newId: () => string;
}

export interface CancelParts {
  readonly client: ServiceClient;
  readonly store: InteractionStore;
  readonly decide: (interaction: Claim, decision: Decision) => Promise<void>;
  readonly expire: (interaction: Claim) => Promise<void>;
  readonly log: Log;
}

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
export const resend = async (parts: ResendParts, interaction: Interaction): Promise<Resend> => {
  const { client, store, newId, log } = parts;
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
    const again = await sendAs(parts, app, request as never, newId());
    if (again.kind !== 'accepted') return { kind: 'trouble', trouble: 'rejected' };
    return (await store.apply(interaction, { ...again, kind: 'resent' })) ? { kind: 'resent' } : { kind: 'over' };
  } catch (fault) {
    log.warn({ operation: 'resend', ...callFields(fault), app, interaction: id }, 'a request could not be sent again');
    return { kind: 'trouble', trouble: troubleOf(fault) };
  }
};

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
export const cancel = async (parts: CancelParts, interaction: Interaction, heard?: Decision['status']): Promise<Cancel> => {
  const { client, decide, expire, store, log } = parts;
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
      const result = await readResult(parts, interaction, AbortSignal.timeout(lastReadTimeout));
      if (result) {
        await decide(interaction, { status: result.status, by: 'result', result });
        return 'over';
      }
      read = true;
    } catch (fault) {
      failed('results', fault);
    }
    if (heard) return 'over';
    // It may have ended by now, so it is not called cancelled either.
    if (!read) {
      await expire(interaction);
      return 'released';
    }
  }
  await decide(interaction, { status: 'cancelled', by: 'customer' });
  return (await store.get(id))?.outcome?.status === 'cancelled' ? answer : 'over';
};
