// The core, assembled: how requests are accepted, advance and end, and the operations and pages for it.
import type { AppId } from '../../contract/index.ts';
import type { Answer } from '../../platform/http/http-server.ts';
import type { Scheduler } from '../../platform/time/scheduler.ts';
import { makeCheckPasscode } from '../one-time-passcode/check.ts';
import { makeUnlocks, type Unlocks, unlockedSubject } from '../one-time-passcode/unlock.ts';
import { makeAuthenticate } from './accounts.ts';
import { type AppOperationsOptions, addAppOperations } from './api/apps.ts';
import { type AddOperation, makeAddOperation, type OperationDescription } from './api/operations.ts';
import { addRequestOperations } from './api/requests.ts';
import type { Ground } from './context.ts';
import type { DeviceFlow } from './device/flow.ts';
import { addLinks } from './device/links.ts';
import { type Endings, makeEndings } from './lifecycle/endings.ts';
import { makeRequestScheduler } from './lifecycle/request-scheduler.ts';
import { makeResend, type Resend } from './lifecycle/resends.ts';
import { makeSend } from './lifecycle/sends.ts';
import { makeCompose } from './messages/compose.ts';
import { makeDispatch } from './messages/dispatch.ts';
import { makeReach, type Reach } from './messages/reach.ts';
import { makeReceipts, type Receipts } from './messages/receipts.ts';
import type { Ports } from './ports.ts';
import { makeTakeCall } from './quota.ts';
import type { Request } from './store/request.ts';
import type { Texts } from './texts.ts';

export interface Core {
  readonly endings: Endings;
  /** The gateways' reports about messages. */
  readonly receipts: Receipts;
  readonly reach: Reach;
  readonly resend: Resend;
  readonly unlocks: Unlocks;
  /** Sends messages. */
  readonly dispatch: Scheduler;
  /** Carries out what is scheduled for requests. */
  readonly requests: Scheduler;
  /** Adds an operation of the interface. */
  readonly add: AddOperation;
  /** All operations that were added. */
  readonly operations: readonly OperationDescription[];
  /** Adds the pages behind links. */
  serveDevices(options: {
    readonly flows: Partial<Record<AppId, DeviceFlow>>;
    readonly onward: (request: Request, words: Texts) => Promise<Answer>;
  }): void;
}

export interface CoreOptions {
  /** The countries that SMS may go to, ISO 3166. None: all. */
  readonly smsCountries?: readonly string[] | undefined;
  /** Whether links are returned to accounts that ask for them. */
  readonly returnsLinks: boolean;
}

/** Assembles the core from the ground and from what the plugged-in parts provide, and adds its operations. */
export const makeCore = (ground: Ground, ports: Ports, { smsCountries, returnsLinks }: CoreOptions): Core => {
  const { accounts, storage, listeners, limits, clock, demo } = ground;
  const { delivery, documentUrl, gateway, produce, withdraw } = ports;
  const endings = makeEndings({ ...ground, produce, withdraw });
  const receipts = makeReceipts({ ...ground, endings });
  const reach = makeReach(delivery, smsCountries);
  const dispatch = makeDispatch({ ...ground, delivery, giveUp: receipts.giveUp });
  const requests = makeRequestScheduler({ ...ground, endings });
  const compose = makeCompose(ground);
  const send = makeSend({ ...ground, compose, reach, withdraw, scheduler: requests, dispatch, gateway, returnsLinks });
  const resend = makeResend({ ...ground, compose, scheduler: requests, dispatch });
  const checkPasscode = makeCheckPasscode({ ...ground, endings });
  const unlocks = makeUnlocks(ground);

  const operations: OperationDescription[] = [];
  const add = makeAddOperation({
    ...ground,
    authenticate: makeAuthenticate(ground.accesses, clock),
    takeCall: makeTakeCall(storage, limits, clock),
    describe: (operation) => void operations.push(operation),
  });
  const known = { passkeys: storage.passkeys, demo };
  addAppOperations({ add, accounts, known, send, checkPasscode, unlock: makeUnlock(ground, unlocks) });
  addRequestOperations({ add, requests: storage.requests, notes: storage.notes, endings, resend, documentUrl });

  return {
    endings,
    receipts,
    reach,
    resend,
    unlocks,
    dispatch,
    requests,
    add,
    operations,
    serveDevices: ({ flows, onward }) => {
      const { keepsakes } = ports;
      addLinks({
        ...ground,
        listeners,
        endings,
        flows,
        produce,
        onward,
        keepsake: (...of) => keepsakes[of[0].app]?.(...of),
      });
    },
  };
};

/** Lifts a lock for an account, and records who asked for it. */
const makeUnlock =
  ({ accounts, storage, random, clock }: Ground, unlocks: Unlocks): AppOperationsOptions['unlock'] =>
  async (accountId, phoneNumber, { actor: person }, { clientAddress: address }) => {
    const at = clock.now();
    const subject = unlockedSubject(accounts, accountId, phoneNumber);
    await storage.console.record({ id: random.id(at), person, role: 'operator', action: 'unlock', subject, address, at });
    await unlocks.unlock(accountId, phoneNumber);
  };
