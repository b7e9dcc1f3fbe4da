// Opens delivery: the channels that the settings name (SMS, e-mail, or the outbox in demo mode), and once the core
// exists, the gateways' reports and the outbox.

import { isLoopbackHost } from '../../platform/outgoing/loopback.ts';
import type { ServiceContext } from '../core/context.ts';
import type { Core } from '../core/core.ts';
import type { Delivery } from '../core/messages/message.ts';
import type { Channel } from '../core/store/request.ts';
import type { MailSettings } from './mail.ts';
import { addOutbox } from './outbox/routes.ts';
import { makeOutboxDelivery } from './outbox/store.ts';
import type { SmsSettings } from './sms.ts';
import { addSmsCallbacks, callbackAddress } from './sms-callbacks.ts';

/** The delivery channels. In demo mode the outbox replaces a missing one. */
export interface Ways {
  readonly sms?: SmsSettings | undefined;
  readonly mail?: MailSettings | undefined;
}

/** @param given - used instead of the ways */
export const openDelivery = async (context: ServiceContext, ways: Ways = {}, given?: Delivery) => {
  const { demo } = context;
  const opened = given
    ? { delivery: given, close: async () => {} }
    : await openWays(context, ways, demo ? makeOutboxDelivery(context) : undefined);
  return {
    ...opened,
    /** Adds the routes. */
    serve: (core: Core) => {
      if (ways.sms && !given) addSmsCallbacks(core, ways.sms.authToken);
      if (demo) addOutbox(core, !!(ways.sms || ways.mail));
    },
  };
};

/**
 * Opens the channels. Their libraries are loaded only if they are used.
 * @param outbox - stores what would be sent; only in demo mode
 */
const openWays = async (context: ServiceContext, { sms, mail }: Ways, outbox: Delivery | undefined) => {
  const { publicUrl, clock } = context;
  // An external gateway cannot call a loopback address, and refuses one.
  const heard = (gateway: string) => !isLoopbackHost(publicUrl().hostname) || isLoopbackHost(new URL(gateway).hostname);
  const bySms =
    sms &&
    (await import('./sms.ts')).makeSmsDelivery(sms, clock, (message) =>
      heard(sms.url) ? callbackAddress(publicUrl(), message).href : undefined,
    );
  const byMail = mail && (await import('./mail.ts')).makeMailDelivery(mail, context);
  const byChannel: Readonly<Record<Channel, Delivery | undefined>> = { sms: bySms ?? outbox, email: byMail ?? outbox };
  const delivery: Delivery = {
    deliver: async (message, signal, again) => {
      const way = byChannel[message.channel];
      // Sent before the settings changed.
      if (!way) return { accepted: false, final: true, code: 'channel_unavailable' };
      const handover = await way.deliver(message, signal, again);
      // In demo mode the outbox also shows messages that were sent.
      if (outbox && way !== outbox && handover.accepted) await outbox.deliver(message, signal, again);
      return handover;
    },
    doubles: (channel) => byChannel[channel]?.doubles?.(channel) ?? false,
    carries: (channel) => byChannel[channel] !== undefined,
  };
  return {
    delivery,
    close: async () => {
      await Promise.all([bySms?.close(), byMail?.close()]);
    },
  };
};
