// From a plan to a request: recorded first, then sent once. The service's answer becomes a transition.
import { type CallOptions, fateOf, InvalidRequestError, type SendOptions } from '../../client/index.ts';
import { type AppId, apps, type RequestRecord, type ReturnedLink, ref, type SendAnswer, type SendRequest } from '../../contract/index.ts';
import { noTracing } from '../../platform/telemetry.ts';
import { endingWith } from '../../platform/time/waits.ts';
import { type Intent, type Interaction, margin, next, type Transition } from '../interaction.ts';
import type { InteractionsContext } from '../ports.ts';
import { callFields, refusedFields, troubleOf } from '../trouble.ts';
import { withRecipients } from './lookup.ts';

/** The confirmed input of a dialog. Its id identifies the confirmation: repeating one repeats the id. */
export type Plan<Id extends AppId = AppId> = Omit<Intent<Id>, 'blindLookup' | 'createdAt' | 'deadline' | 'traceparent'> & {
  /**
   * Identify the customer together with the phone number, if the chat must not learn who was found. `customerRef` is
   * unknown then.
   */
  readonly initials?: string;
  /** Where a request with initials comes from: a network, or a user of a channel that names none. Not stored. */
  readonly origin?: string;
  /**
   * Asks for the link of the request's page, for a chat on the same phone that receives the message
   * (docs/decisions/0091). Not stored, and asked for once: a send that is repeated after a crash omits it.
   */
  readonly returnLink?: true;
};

/**
 * An interaction after its start. The `link` and the fields that a refusal named (as paths) are not stored: only the call
 * that sent it returns them, for the customer who has just asked or filled them in.
 */
export type Started = Interaction & ReturnedLink & { readonly refusedFields?: readonly string[] };

/**
 * Records the plan and sends it. The returned state is `waiting`, `refused` or `unknown`, already stored. A plan that
 * was started before, in a turn that died before it could remember that, is not started again: its interaction is
 * returned.
 * @param language the chat's, BCP 47
 */
export const start = async (context: InteractionsContext, plan: Plan, language?: string): Promise<Started> => {
  const known = await context.store.get(plan.id);
  if (known) return known.state === 'intended' ? resumeIntent(context, known, { language }) : known;
  return dispatch(context, await recordIntent(context, plan), { language, returnLink: plan.returnLink });
};

/** Records a plan as an intent. `wait`: how long (ms) until its deadline. */
export const recordIntent = (
  { store, clock, outcomeTimeouts, tracing }: InteractionsContext,
  { initials: _, origin: __, returnLink: ___, ...plan }: Plan & Pick<Intent, 'blindLookup'>,
  wait = outcomeTimeouts[plan.app],
): Promise<Interaction> => {
  const createdAt = clock.now();
  return store.record({ ...plan, createdAt, deadline: createdAt + wait, traceparent: tracing?.traceparent() });
};

/** Sends an intent that was recorded just now. */
export const dispatch = async (context: InteractionsContext, interaction: Interaction, options: Sending): Promise<Started> => {
  const { refusedFields: fields = [], link, ...transition } = await send(context, interaction, options);
  const started = await apply(context, interaction, transition);
  return { ...started, ...(fields.length > 0 && { refusedFields: fields }), ...(link !== undefined && { link }) };
};

/**
 * Sends an intent that a crash left behind. It may have been sent before, so it is sent again only if the service
 * honours its key, and anything but an acceptance makes it `unknown`. A stale intent, or one that was called off, is
 * not sent at all. The returned state is `intended` only when `stop` aborted in between.
 */
export const resumeIntent = async (
  context: InteractionsContext,
  intended: Interaction,
  { language = context.languageOf?.(intended.address), signal: stop }: CallOptions = {},
): Promise<Interaction> => {
  if (!context.idempotent || intended.cancelRequested || context.clock.now() >= intended.deadline)
    return apply(context, intended, { kind: 'lost' });
  const transition = await send(context, intended, { language, signal: stop });
  // If stopped in between, it stays an intent, and the next start resumes it.
  if (stop?.aborted && transition.kind !== 'accepted') return intended;
  // The service may have accepted earlier what it now refuses.
  return apply(context, intended, transition.kind === 'refused' ? { kind: 'lost' } : transition);
};

/** Applies a transition. Returns the interaction as it is then, changed or not. */
export const apply = async ({ store }: Pick<InteractionsContext, 'store'>, interaction: Interaction, transition: Transition) =>
  (await store.apply(interaction, transition)) ?? (await store.get(interaction.id)) ?? interaction;

/** The transition of a send, with the fields of the request that a refusal named, as paths, or the link of its page. */
export type SendEnding = Transition & ReturnedLink & { readonly refusedFields?: readonly string[] };

type Sending = Omit<SendOptions, 'idempotencyKey'>;

/** Looks up the recipients of an interaction's request and sends it. Never throws: a failure is a transition too. */
const send = (context: InteractionsContext, interaction: Interaction, options: Sending): Promise<SendEnding> => {
  const { tracing = noTracing } = context;
  const work = async () => {
    const transition = await attempt(context, interaction, options);
    tracing.note({ state: next('intended', transition) });
    return transition;
  };
  return tracing.span('send', { app: interaction.app }, work, { from: interaction.traceparent });
};

const attempt = async (context: InteractionsContext, interaction: Interaction, options: Sending): Promise<SendEnding> => {
  const { log } = context;
  const { id, app } = interaction;
  const request = await withRecipients(context, interaction, options.signal);
  if ('refusal' in request) return { kind: 'refused', refusal: request.refusal };
  try {
    const answer = await sendAs(context, app, request, id, { ...options, agentId: interaction.agentId });
    if (!interaction.blindLookup || answer.kind !== 'accepted') return answer;
    // Its own deadline would reveal that it was sent.
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

/**
 * Sends a request under a key. Only the passcode's answer differs: it says whether the service accepted it, and has no
 * token.
 */
export const sendAs = async <Id extends AppId>(
  context: InteractionsContext,
  app: Id,
  request: SendRequest<Id>,
  idempotencyKey: string,
  options: Sending = {},
): Promise<SendEnding> => {
  type Answer = SendAnswer<AppId> & ReturnedLink & { readonly wsToken?: string | undefined };
  const answer: Answer = await context.client.apps[app].send(addressed(app, request) as never, { idempotencyKey, ...options });
  if ('success' in answer && !answer.success) return { kind: 'refused', refusal: 'rejected' };
  const { link, requestId, wsToken } = answer;
  const deadline = await deadlineOf(context, requestId, options.signal);
  const known = { ...(wsToken !== undefined && { wsToken }), ...(deadline !== undefined && { deadline }) };
  return { kind: 'accepted', requestId, ...known, ...(link !== undefined && { link }) };
};

/**
 * The request in the form of the interface. A customer's identifier may be any string, a customerRef may not
 * (docs/interface.md#limits). If it is no valid reference and the field is optional, it is left out; the stored
 * interaction keeps it.
 */
const addressed = <Id extends AppId>(app: Id, request: SendRequest<Id>): SendRequest<Id> => {
  const { customerRef, ...rest } = request;
  const optional = apps[app].operations.send.request.shape.customerRef.safeParse(undefined).success;
  return optional && !ref.safeParse(customerRef).success ? (rest as SendRequest<Id>) : request;
};

/** The longest that a turn waits (ms) to learn how long its request is valid. */
const lifetimeTimeout = 1_000;

/**
 * When to stop waiting, by the service's record; `undefined` if it has none (docs/interface.md#extensions) or it cannot
 * be read now.
 */
const deadlineOf = async (
  { client, clock, log }: InteractionsContext,
  requestId: string,
  stop?: AbortSignal,
): Promise<number | undefined> => {
  const asking = stop ? endingWith(stop) : new AbortController();
  const late = setTimeout(() => asking.abort(), lifetimeTimeout);
  try {
    const { record } = await client.requests.get(requestId, { signal: asking.signal });
    const lifetime = record && lifetimeOf(record);
    return lifetime === undefined ? undefined : clock.now() + lifetime + margin;
  } catch (fault) {
    log.info(
      { operation: 'requests.get', ...callFields(fault) },
      'the service does not say how long a request is good; the usual time counts',
    );
    return undefined;
  } finally {
    clearTimeout(late);
  }
};

/** How long a request is valid (ms) by its record, in the service's own time; `undefined` if that makes no sense. */
export const lifetimeOf = ({ createdAt, expiresAt }: Pick<RequestRecord, 'createdAt' | 'expiresAt'>): number | undefined => {
  const lifetime = Date.parse(expiresAt) - Date.parse(createdAt);
  return lifetime > 0 ? lifetime : undefined;
};
