// From intent to request: recorded first, then sent once.
import { fateOf, type ServiceClient } from '../client/index.ts';
import type { AppId, SendRequest } from '../contract/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Intent, Interaction } from './interaction.ts';
import type { InteractionStore } from './ports.ts';
import type { Happening } from './states.ts';
import { callFields, troubleOf } from './trouble.ts';

/** What a dialog has gathered and the customer has confirmed. */
export type Plan<Id extends AppId = AppId> = Omit<Intent<Id>, 'id' | 'createdAt' | 'deadline'>;

export interface StartParts {
  readonly client: ServiceClient;
  readonly store: InteractionStore;
  readonly clock: Clock;
  readonly newId: () => string;
  /** How long each app's interactions are waited for, in milliseconds. */
  readonly patience: Readonly<Record<AppId, number>>;
  readonly log: Log;
}

export const makeStart = (parts: StartParts) => ({
  /** Records the plan and sends it. The answer is `waiting`, `refused` or `unknown`, already stored as such. */
  start: async (plan: Plan): Promise<Interaction> => {
    const { store, clock, newId, patience } = parts;
    const createdAt = clock.now();
    const intent = { ...plan, id: newId(), createdAt, deadline: createdAt + patience[plan.app] };
    return dispatch(parts, await store.record(intent));
  },

  /**
   * Takes up an intent that a crash left behind. Whether it was sent cannot be told from here, so it goes out again only where the
   * service is known to honour its key; a stale one does not go out at all.
   */
  takeUp: async (intended: Interaction, idempotent: boolean): Promise<Interaction> => {
    if (parts.clock.now() >= intended.deadline) return applied(parts, intended, { kind: 'refused', refusal: 'expired' });
    return idempotent ? dispatch(parts, intended) : applied(parts, intended, { kind: 'lost' });
  },
});

const dispatch = async (parts: StartParts, interaction: Interaction) => applied(parts, interaction, await send(parts, interaction));

const send = async ({ client, log }: StartParts, { id, app, request }: Interaction): Promise<Happening> => {
  try {
    return await sendAs(client, app, request, id);
  } catch (fault) {
    const fate = fateOf(fault);
    const trouble = troubleOf(fault);
    log.warn({ operation: 'send', ...callFields(fault), app, interaction: id, outcome: fate, reason: trouble }, 'a request was not taken');
    return fate === 'unknown' ? { kind: 'lost' } : { kind: 'refused', refusal: trouble };
  }
};

/** One send, and what it comes to. Only the passcode's answer differs: it has a verdict and no token. */
export const sendAs = async <Id extends AppId>(
  client: ServiceClient,
  app: Id,
  request: SendRequest<Id>,
  idempotencyKey: string,
): Promise<Happening> => {
  const answer = await client.apps[app].send(request as never, { idempotencyKey });
  if ('success' in answer && !answer.success) return { kind: 'refused', refusal: 'rejected' };
  return { kind: 'accepted', requestId: answer.requestId, ...('wsToken' in answer && { wsToken: answer.wsToken }) };
};

const applied = async ({ store }: StartParts, interaction: Interaction, happening: Happening) =>
  (await store.apply(interaction.id, happening)) ?? (await store.get(interaction.id)) ?? interaction;
