// The delivery plug-in: sends messages, takes the gateways' reports, and shows the outbox in demo mode.

import { makeBrandOf } from '../core/pages/looks.ts';
import type { Opening, Plugin } from '../core/plugin.ts';
import { addOutbox } from './outbox/routes.ts';
import { addSmsCallbacks } from './sms-callbacks.ts';
import { openWays, type WaysOptions } from './ways.ts';

export const openDelivery = async (opening: Opening, { given, ways }: Pick<WaysOptions, 'given' | 'ways'>): Promise<Plugin<'delivery'>> => {
  const { accounts, storage, looks, demo } = opening;
  const { outbox } = storage;
  const { delivery, close } = await openWays({ ...opening, given, ways, outbox, brandOf: makeBrandOf(accounts, looks) });
  return {
    ports: { delivery },
    serve: ({ receipts }) => {
      if (ways.sms && !given) addSmsCallbacks({ ...opening, authToken: ways.sms.authToken, receipts });
      if (demo) addOutbox({ ...opening, store: outbox, leave: !!(ways.sms || ways.mail) });
      return {};
    },
    close,
  };
};
