// The core, assembled: how requests are accepted, advance and end, and the operations for it.
import { makeAuthenticate } from './accounts.ts';
import { addAppOperations } from './api/apps.ts';
import { makeAddOperation, type OperationDescription } from './api/operations.ts';
import { addRequestOperations } from './api/requests.ts';
import type { ServiceApps } from './app.ts';
import { withApps } from './app-context.ts';
import type { ServiceContext } from './context.ts';
import { makeEndings } from './lifecycle/endings.ts';
import { makeRequestScheduler } from './lifecycle/request-scheduler.ts';
import { makeResend } from './lifecycle/resends.ts';
import { makeSend } from './lifecycle/sends.ts';
import { makeTakeCall } from './limits/quota.ts';
import { makeCompose } from './messages/compose.ts';
import { makeDispatch } from './messages/dispatch.ts';
import type { Delivery } from './messages/message.ts';
import { makeReach } from './messages/reach.ts';
import { makeReceipts } from './messages/receipts.ts';
import type { CoreOptions, Prepared } from './options.ts';

export type Core = ReturnType<typeof makeCore>;

/** Assembles the core from what the apps are and how messages are delivered, and adds its operations. */
export const makeCore = (
  opened: ServiceContext,
  apps: ServiceApps,
  delivery: Delivery,
  { smsCountries, returnsLinks }: CoreOptions & Prepared,
) => {
  const context = withApps(opened, apps);
  const { accesses, storage, limits, clock } = context;
  const endings = makeEndings(context);
  const receipts = makeReceipts(context, endings);
  const reach = makeReach(delivery, smsCountries);
  const dispatch = makeDispatch(context, delivery, receipts);
  const scheduler = makeRequestScheduler(context, endings);
  const compose = makeCompose(context);
  const send = makeSend(context, { compose, reach, scheduler, dispatch, returnsLinks });
  const resend = makeResend(context, compose, { scheduler, dispatch });

  const operations: OperationDescription[] = [];
  const add = makeAddOperation(context, makeAuthenticate(accesses, clock), makeTakeCall(storage, limits, clock), operations);
  addAppOperations(context, add, send);
  addRequestOperations(context, add, endings, resend);

  return {
    ...context,
    endings,
    /** The gateways' reports about messages. */
    receipts,
    reach,
    resend,
    dispatch,
    scheduler,
    add,
    operations: operations as readonly OperationDescription[],
  };
};
