// Ending a request: its result record, made durable with its last event before it is announced.

import { type EventType, type ResultStatus, settles } from '../../../contract/index.ts';
import { iso } from '../../../platform/time/clock.ts';
import type { AppContext } from '../app-context.ts';
import type { By, Facts } from '../audit/actions.ts';
import { customerAt, type Origin, system } from '../audit/origin.ts';
import type { ServiceContext } from '../context.ts';
import type { Ending } from '../store/changes.ts';
import type { Request } from '../store/request.ts';
import type { Effect } from '../store/undoable.ts';
import { canBeEnded } from '../test-numbers.ts';

/** What a request's ending is recorded with, besides its status and fields. */
type How = Pick<Ending, 'beforeExpiry' | 'by' | 'effect' | 'preceding'> & { readonly origin?: Origin };

/** Stores a request's ending with its result, and tells its followers. `false`: it was over already. */
export const finish = async (
  { storage, listeners, clock, log }: ServiceContext,
  request: Request,
  status: ResultStatus,
  fields: object,
  shown: Facts,
  { origin = {}, ...ending }: How,
): Promise<boolean> => {
  const at = clock.now();
  const result = { ...recordOf(request, status, at, origin), ...fields };
  const finished = await storage.changes.finish(request.id, { status, result, at, shown, ...ending });
  if (finished) {
    log.info({ component: 'requests', interaction: request.id, app: request.app, status }, 'a request is finished');
    listeners.notify(request.id);
  }
  return finished;
};

export type Endings = ReturnType<typeof makeEndings>;

export const makeEndings = (context: AppContext) => {
  const { apps, storage, listeners, clock, random, log, produce, taskOf } = context;
  const end = async (request: Request, status: ResultStatus, fields: object, how: How) => {
    if (status !== 'success') await apps[request.app].withdraw?.(request);
    return finish(context, request, status, fields, taskOf(request).shown(), how);
  };

  return {
    /**
     * What the customer did, with what has to be stored together with it. `by`: the account, if it returned the
     * customer's passcode; unset: the customer's device. `false`: the request was over already, its time was up, it is
     * one that only waits, or the effect refused.
     */
    byCustomer: async (
      request: Request,
      status: 'failure' | 'success',
      fields: object,
      { by, ...origin }: Origin & { readonly by?: By },
      preceding?: readonly EventType[],
      effect?: Effect,
    ) =>
      canBeEnded(request.behaviour) &&
      end(request, status, fields, { origin, by: by ?? customerAt(origin), preceding, beforeExpiry: true, effect }),
    /** An automatic ending: of a test number, by expiry, or because a message cannot be delivered. */
    byItself: async (request: Request, status: ResultStatus) => {
      const task = taskOf(request);
      if (status !== 'success') return end(request, status, task.known(), { by: system, beforeExpiry: false });
      const effect = await produce(request);
      const fields = task.sample(() => random.id(clock.now()));
      return end(request, status, fields, { by: system, beforeExpiry: false, effect });
    },
    cancel: async (request: Request, by: By) => {
      await apps[request.app].withdraw?.(request);
      const cancelled = await storage.changes.cancel(request.id, clock.now(), by);
      if (cancelled) {
        log.info({ component: 'requests', interaction: request.id, app: request.app, state: 'cancelled' }, 'a request is withdrawn');
        listeners.notify(request.id);
      }
      return cancelled;
    },
  };
};

/** The events that a customer's action implies. */
export const started: readonly EventType[] = ['task.bootstrapped', 'task.started'];

const recordOf = (request: Request, status: ResultStatus, at: number, { ipAddress, userAgent }: Origin) => ({
  accountId: request.accountId,
  app: request.app,
  customerRef: request.customerRef,
  id: request.id,
  sessionRef: request.sessionRef,
  status,
  timestamp: iso(at),
  ...(request.agentId !== undefined && { agentId: request.agentId }),
  ...(request.phoneNumber !== undefined && { phoneNumber: request.phoneNumber }),
  ...(ipAddress !== undefined && { ipAddress }),
  ...(userAgent !== undefined && { userAgent: userAgent.slice(0, 500) }),
});

/** Whether an event ends its request. */
export const isFinal = (type: string) => settles(type as EventType) !== undefined;
