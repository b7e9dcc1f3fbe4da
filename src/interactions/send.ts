// One send to the service, and the transition that its answer means.
import { type CallOptions, fateOf, InvalidRequestError, type SendOptions, type ServiceClient } from '../client/index.ts';
import { type AppId, apps, type RequestRecord, ref, type SendAnswer, type SendRequest } from '../contract/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { noTracing, type Tracing } from '../platform/telemetry.ts';
import { type Interaction, margin } from './interaction.ts';
import { withRecipients } from './recipients.ts';
import { next, type Transition } from './states.ts';
import { callFields, refusedFields, troubleOf } from './trouble.ts';

export interface SendParts {
  readonly client: ServiceClient;
  readonly clock: Clock;
  readonly log: Log;
  readonly tracing?: Tracing;
}

/** What a send came to, with the fields of the request that a refusal named, as paths. */
export type Sent = Transition & { readonly refusedFields?: readonly string[] };

/** Sends an interaction's request, to whom it goes looked up first. Never throws: what fails is a transition too. */
export const send = (parts: SendParts, interaction: Interaction, options: CallOptions): Promise<Sent> => {
  const { tracing = noTracing } = parts;
  const work = async () => {
    const transition = await attempt(parts, interaction, options);
    tracing.note({ state: next('intended', transition) });
    return transition;
  };
  return tracing.span('send', { app: interaction.app }, work, { from: interaction.traceparent });
};

const attempt = async (parts: SendParts, interaction: Interaction, options: CallOptions): Promise<Sent> => {
  const { log } = parts;
  const { id, app } = interaction;
  const request = await withRecipients(parts, interaction, options.signal);
  if ('refusal' in request) return { kind: 'refused', refusal: request.refusal };
  try {
    const answer = await sendAs(parts, app, request, id, { ...options, agentId: interaction.agentId });
    if (!interaction.alike || answer.kind !== 'accepted') return answer;
    // A deadline of its own would tell the chat that it was sent.
    const { deadline: _, ...undated } = answer;
    return undated;
  } catch (fault) {
    const fate = fateOf(fault);
    const trouble = troubleOf(fault);
    const fields = { operation: 'send', ...callFields(fault), app, interaction: id, outcome: fate, reason: trouble };
    if (fault instanceof InvalidRequestError) log.error(fields, 'a request was not sent: it would break a rule of the interface');
    else log.warn(fields, 'a request was not taken');
    return fate === 'unknown' ? { kind: 'lost' } : { kind: 'refused', refusal: trouble, refusedFields: refusedFields(fault) };
  }
};

/** Sends a request under a key. Only the passcode's answer differs: it says whether the service took it, and has no token. */
export const sendAs = async <Id extends AppId>(
  parts: SendParts,
  app: Id,
  request: SendRequest<Id>,
  idempotencyKey: string,
  options: CallOptions & Pick<SendOptions, 'agentId'> = {},
): Promise<Transition> => {
  const answer: SendAnswer<AppId> = await parts.client.apps[app].send(addressed(app, request) as never, { idempotencyKey, ...options });
  if ('success' in answer && !answer.success) return { kind: 'refused', refusal: 'rejected' };
  const { requestId } = answer;
  const wsToken = 'wsToken' in answer ? answer.wsToken : undefined;
  const deadline = await deadlineOf(parts, requestId, options.signal);
  return { kind: 'accepted', requestId, ...(wsToken !== undefined && { wsToken }), ...(deadline !== undefined && { deadline }) };
};

/**
 * The request as it may be sent. A customer's identifier is any string, a customerRef is not
 * (docs/interface.md#limits). One that cannot be a reference is left out where the interface allows that; what we store still names the
 * customer.
 */
const addressed = <Id extends AppId>(app: Id, request: SendRequest<Id>): SendRequest<Id> => {
  const { customerRef, ...rest } = request;
  const optional = apps[app].operations.send.request.shape.customerRef.safeParse(undefined).success;
  return optional && !ref.safeParse(customerRef).success ? (rest as SendRequest<Id>) : request;
};

/** Milliseconds that a turn waits to learn how long its request is good. */
const lifetimeTimeout = 1_000;

/** When to stop waiting, by the service's own word; `undefined` where it has none (docs/interface.md#extensions), or not now. */
const deadlineOf = async ({ client, clock, log }: SendParts, requestId: string, stop?: AbortSignal): Promise<number | undefined> => {
  const signal = AbortSignal.any([AbortSignal.timeout(lifetimeTimeout), ...(stop ? [stop] : [])]);
  try {
    const { record } = await client.requests.get(requestId, { signal });
    const lifetime = record && lifetimeOf(record);
    return lifetime === undefined ? undefined : clock.now() + lifetime + margin;
  } catch (fault) {
    log.info(
      { operation: 'requests.get', ...callFields(fault) },
      'the service does not say how long a request is good; the usual time counts',
    );
    return undefined;
  }
};

/** How long a request is good (ms) by its record, in the service's own time; `undefined` where that makes no sense. */
export const lifetimeOf = ({ createdAt, expiresAt }: Pick<RequestRecord, 'createdAt' | 'expiresAt'>): number | undefined => {
  const lifetime = Date.parse(expiresAt) - Date.parse(createdAt);
  return lifetime > 0 ? lifetime : undefined;
};
