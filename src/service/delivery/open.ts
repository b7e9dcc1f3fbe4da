// Opens delivery: the ways to customers, and once the core exists, the gateways' reports and the outbox.

import type { ServiceContext } from '../core/context.ts';
import type { Core } from '../core/core.ts';
import type { Delivery } from '../core/messages/message.ts';
import { addOutbox } from './outbox/routes.ts';
import { makeOutboxDelivery, makeOutboxStore } from './outbox/store.ts';
import { addSmsCallbacks } from './sms-callbacks.ts';
import { openWays, type Ways } from './ways.ts';

/** @param given - used instead of the ways */
export const openDelivery = async (context: ServiceContext, ways: Ways = {}, given?: Delivery) => {
  const { storage, seal, demo } = context;
  const outbox = makeOutboxStore(storage);
  const opened = given
    ? { delivery: given, close: async () => {} }
    : await openWays(context, ways, demo ? makeOutboxDelivery(outbox, seal) : undefined);
  return {
    ...opened,
    /** Adds the routes. */
    serve: (core: Core) => {
      if (ways.sms && !given) addSmsCallbacks(core, ways.sms.authToken);
      if (demo) addOutbox(core, outbox, !!(ways.sms || ways.mail));
    },
  };
};
