// From intent to request: recorded first, then sent once.
import { type CallOptions, fateOf, InvalidRequestError, type ServiceClient } from '../client/index.ts';
import { type AppId, apps, type RequestRecord, ref, type SendAnswer, type SendRequest } from '../contract/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { noTracing, type Tracing } from '../platform/telemetry.ts';
import { identify } from './alike.ts';
import { type Intent, type Interaction, margin } from './interaction.ts';
import type { InteractionStore } from './ports.ts';
import { withRecipients } from './recipients.ts';
import { next, type Transition } from './states.ts';
import { callFields, refusedFields, troubleOf } from './trouble.ts';

/** What a dialog has gathered and the customer has confirmed. Its id names the confirmation: one that is repeated has the same. */
export type Plan<Id extends AppId = AppId> = Omit<Intent<Id>, 'alike' | 'createdAt' | 'deadline' | 'traceparent'> & {
  /** What names the customer together with the number, where the chat is not to learn whether it does; `customerRef` is not known then. */
  readonly initials?: string;
};

/** An interaction as its start left it. */
export interface Started extends Interaction {
  /**
   * The fields that a refusal named, as paths. Only here, and not kept: they are of use to the customer who has just filled them in, and a
   * later turn has only the refusal itself.
   */
  readonly refusedFields?: readonly string[];
}

export interface StartParts {
  readonly client: ServiceClient;
  readonly store: InteractionStore;
  readonly clock: Clock;
  /** How long each app's interactions are waited for, in milliseconds, where the service does not tell how long its requests are good. */
  readonly patience: Readonly<Record<AppId, number>>;
  /** The service is known to honour the idempotency key, so an intent of unknown fate may go out again. */
  readonly idempotent: boolean;
  readonly log: Log;
  readonly tracing?: Tracing;
}

export const makeStart = (parts: StartParts) => ({
  /**
   * Records the plan and sends it. The answer is `waiting`, `refused` or `unknown`, already stored as such. A plan that was started before, in a
   * turn that did not live to remember it, is not started again: the answer is the interaction as it stands. `language` is what the chat speaks.
   */
  start: async (plan: Plan, language?: string): Promise<Started> => {
    const known = await parts.store.get(plan.id);
    if (known) return known.state === 'intended' ? takeUp(parts, known) : known;
    return dispatch(parts, await record(parts, plan), language);
  },

  /**
   * Records a plan for the one customer whom its number and initials name. The answer is `intended`, for {@link dispatch}, or `refused` where they name
   * nobody, or several; where nobody can be looked up it is refused as any other. `fresh`: it was recorded just now.
   */
  identified: async ({ initials = '', ...plan }: Plan): Promise<{ readonly interaction: Interaction; readonly fresh: boolean }> => {
    const known = await parts.store.get(plan.id);
    if (known) return { interaction: known, fresh: false };
    const customer = await identify(parts, plan, initials);
    if ('trouble' in customer) {
      const refused = await applied(parts, await record(parts, plan), { kind: 'refused', refusal: customer.trouble });
      return { interaction: refused, fresh: true };
    }
    const { customerRef } = customer;
    if (customerRef === undefined) {
      const nobody = await record(parts, { ...plan, alike: true });
      return { interaction: await applied(parts, nobody, { kind: 'refused', refusal: 'nobody' }), fresh: true };
    }
    const request = { ...plan.request, customerRef };
    return { interaction: await record(parts, { ...plan, customerRef, request, alike: true }), fresh: true };
  },

  /** Sends what was recorded just now. */
  dispatch: (interaction: Interaction, language?: string): Promise<Started> => dispatch(parts, interaction, language),

  /**
   * Takes up an intent that a crash left behind. Whether it was sent cannot be told from here, so it goes out again only where the service is
   * known to honour its key, and anything but an acceptance leaves it unknown; a stale one does not go out at all. Answers `intended`
   * only when `stop` came in between.
   */
  resumeIntent: (intended: Interaction, stop: AbortSignal): Promise<Interaction> => takeUp(parts, intended, stop),
});

const record = (
  { store, clock, patience, tracing = noTracing }: StartParts,
  { initials: _, ...plan }: Plan & Pick<Intent, 'alike'>,
): Promise<Interaction> => {
  const createdAt = clock.now();
  return store.record({ ...plan, createdAt, deadline: createdAt + patience[plan.app], traceparent: tracing.traceparent() });
};

const dispatch = async (parts: StartParts, interaction: Interaction, language?: string): Promise<Started> => {
  const { refusedFields: fields = [], ...transition } = await send(parts, interaction, { language });
  const started = await applied(parts, interaction, transition);
  return fields.length > 0 ? { ...started, refusedFields: fields } : started;
};

const takeUp = async (parts: StartParts, intended: Interaction, stop?: AbortSignal): Promise<Interaction> => {
  if (!parts.idempotent || parts.clock.now() >= intended.deadline) return applied(parts, intended, { kind: 'lost' });
  const transition = await send(parts, intended, { signal: stop });
  // Stopped in the middle, it is still an intent, and the next start takes it up.
  if (stop?.aborted && transition.kind !== 'accepted') return intended;
  // What the service refuses now, it may have accepted before.
  return applied(parts, intended, transition.kind === 'refused' ? { kind: 'lost' } : transition);
};

/** What a send came to, with the fields that a refusal named. */
type Sent = Transition & Pick<Started, 'refusedFields'>;

const send = (parts: StartParts, interaction: Interaction, options: CallOptions): Promise<Sent> => {
  const { tracing = noTracing } = parts;
  return tracing.span(
    'send',
    { app: interaction.app },
    async () => {
      const transition = await attempt(parts, interaction, options);
      tracing.note({ state: next('intended', transition) });
      return transition;
    },
    { from: interaction.traceparent },
  );
};

const attempt = async (parts: StartParts, interaction: Interaction, options: CallOptions): Promise<Sent> => {
  const { log } = parts;
  const { id, app } = interaction;
  const request = await withRecipients(parts, interaction, options.signal);
  if ('refusal' in request) return { kind: 'refused', refusal: request.refusal };
  try {
    const answer = await sendAs(parts, app, request, id, options);
    if (!interaction.alike || answer.kind !== 'accepted') return answer;
    // How long it is good would tell that it was sent.
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

/** How long (ms) a record says that its request is good; `undefined` where that makes no sense. By the service's own clock, which may differ from ours. */
export const lifetimeOf = ({ createdAt, expiresAt }: Pick<RequestRecord, 'createdAt' | 'expiresAt'>): number | undefined => {
  const lifetime = Date.parse(expiresAt) - Date.parse(createdAt);
  return lifetime > 0 ? lifetime : undefined;
};

/** One send, and what it comes to. Only the passcode's answer differs: it has a decision and no token. */
export const sendAs = async <Id extends AppId>(
  parts: Pick<StartParts, 'client' | 'clock' | 'log'>,
  app: Id,
  request: SendRequest<Id>,
  idempotencyKey: string,
  options: CallOptions = {},
): Promise<Transition> => {
  const answer: SendAnswer<AppId> = await parts.client.apps[app].send(addressed(app, request) as never, { idempotencyKey, ...options });
  if ('success' in answer && !answer.success) return { kind: 'refused', refusal: 'rejected' };
  const { requestId } = answer;
  const wsToken = 'wsToken' in answer ? answer.wsToken : undefined;
  const deadline = await deadlineOf(parts, requestId, options.signal);
  return { kind: 'accepted', requestId, ...(wsToken !== undefined && { wsToken }), ...(deadline !== undefined && { deadline }) };
};

/**
 * The request as it may be sent. A customer's identifier is any string, and a customerRef is not (specification: Customer, Limits): one that cannot be
 * a reference is left out where the interface lets it be, and what we keep still names the customer.
 */
const addressed = <Id extends AppId>(app: Id, request: SendRequest<Id>): SendRequest<Id> => {
  const { customerRef, ...rest } = request;
  const optional = apps[app].operations.send.request.shape.customerRef.safeParse(undefined).success;
  return optional && !ref.safeParse(customerRef).success ? (rest as SendRequest<Id>) : request;
};

/** How long (ms) a customer's turn is held up by the question how long their request is good. */
const asking = 1_000;

/** When to stop waiting, by the service's own word; `undefined` where it has none (decisions: Extensions), or not now. */
const deadlineOf = async (
  { client, clock, log }: Pick<StartParts, 'client' | 'clock' | 'log'>,
  requestId: string,
  stop?: AbortSignal,
): Promise<number | undefined> => {
  const signal = AbortSignal.any([AbortSignal.timeout(asking), ...(stop ? [stop] : [])]);
  try {
    const { record } = await client.requests.get(requestId, { signal });
    const lifetime = record && lifetimeOf(record);
    return lifetime === undefined ? undefined : clock.now() + lifetime + margin;
  } catch (fault) {
    log.info(
      { operation: 'requests.get', ...callFields(fault) },
      'the service does not tell how long a request is good; the usual time counts',
    );
    return undefined;
  }
};

const applied = async ({ store }: StartParts, interaction: Interaction, transition: Transition) =>
  (await store.apply(interaction, transition)) ?? (await store.get(interaction.id)) ?? interaction;
