// Ending a request: its result record, made durable with its last event before anybody is told.
import { type AppId, type EventType, type ResultStatus, settles } from '../../../contract/index.ts';
import type { Log } from '../../../platform/log.ts';
import { type Clock, iso } from '../../../platform/time/clock.ts';
import { serviceApps } from '../../apps.ts';
import type { Task } from '../app.ts';
import type { By } from '../audit/chain.ts';
import { customerAt, type Origin, system } from '../audit/origin.ts';
import type { Listeners } from '../listeners.ts';
import type { Random } from '../secrets/random.ts';
import type { Ending } from '../store/changes.ts';
import type { Storage } from '../store/index.ts';
import type { Request } from '../store/request.ts';
import type { Effect } from '../store/undoable.ts';
import { canBeEnded } from '../test-numbers.ts';

/** From where a customer ended a request, as far as it is known. */
export interface EndedFrom extends Origin {
  /** The account, if it returned the customer's passcode; unset: the customer's device. */
  readonly by?: By | undefined;
}

export interface Endings {
  /**
   * What the customer did, with what has to be stored together with it. `false`: the request was over already, its time
   * was up, it is one that only waits, or the effect refused.
   */
  byCustomer(
    request: Request,
    status: 'failure' | 'success',
    fields: object,
    from: EndedFrom,
    preceding?: readonly EventType[],
    effect?: Effect,
  ): Promise<boolean>;
  /** A payment that was made: it counts even if the request has just expired. `false`: the request was over already. */
  byPayment(request: Request, fields: object, effect: Effect): Promise<boolean>;
  /** An automatic ending: of a test number, by expiry, or because a message cannot be delivered. */
  byItself(request: Request, status: ResultStatus): Promise<boolean>;
  cancel(request: Request, by: By): Promise<boolean>;
}

export interface EndingsOptions {
  readonly storage: Storage;
  readonly listeners: Listeners;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** What else an automatic success of this request stores. */
  readonly produce: (request: Request) => Promise<Effect | undefined>;
  /** Closes open checkouts before a request ends without success. It may end the request itself. */
  readonly withdraw: (request: Request) => Promise<void>;
}

/** A request's own part, as its app reads it. */
export const taskOf = ({ app, input }: Pick<Request, 'app' | 'input'>): Task => serviceApps[app as AppId].open(input);

export const makeEndings = ({ storage, listeners, clock, random, log, produce, withdraw }: EndingsOptions): Endings => {
  const finish = async (
    request: Request,
    status: ResultStatus,
    fields: object,
    how: Pick<Ending, 'beforeExpiry' | 'by' | 'effect' | 'preceding'> & { readonly origin?: Origin },
  ) => {
    if (status !== 'success') await withdraw(request);
    const at = clock.now();
    const { origin = {}, ...ending } = how;
    const result = { ...recordOf(request, status, at, origin), ...fields };
    const finished = await storage.changes.finish(request.id, { status, result, at, shown: taskOf(request).shown(), ...ending });
    if (finished) {
      log.info({ component: 'requests', interaction: request.id, app: request.app, status }, 'a request is finished');
      listeners.tell(request.id);
    }
    return finished;
  };

  return {
    byCustomer: async (request, status, fields, { by, ...origin }, preceding, effect) =>
      canBeEnded(request.behaviour) &&
      finish(request, status, fields, { origin, by: by ?? customerAt(origin), preceding, beforeExpiry: true, effect }),
    byPayment: (request, fields, effect) =>
      finish(request, 'success', fields, { by: system, preceding: started, beforeExpiry: false, effect }),
    byItself: async (request, status) => {
      const task = taskOf(request);
      if (status !== 'success') return finish(request, status, task.known(), { by: system, beforeExpiry: false });
      const effect = await produce(request);
      const fields = task.sample(() => random.id(clock.now()));
      return finish(request, status, fields, { by: system, beforeExpiry: false, effect });
    },
    cancel: async (request, by) => {
      await withdraw(request);
      const cancelled = await storage.changes.cancel(request.id, clock.now(), by);
      if (cancelled) {
        log.info({ component: 'requests', interaction: request.id, app: request.app, state: 'cancelled' }, 'a request is withdrawn');
        listeners.tell(request.id);
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
