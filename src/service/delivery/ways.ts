// The delivery channels that the settings name: SMS, e-mail, or the outbox in demo mode.

import { isLoopbackHost } from '../../platform/outgoing/loopback.ts';
import { SettingsError } from '../../platform/settings/settings-error.ts';
import type { ServiceContext } from '../core/context.ts';
import type { Delivery } from '../core/messages/message.ts';
import type { Channel } from '../core/store/request.ts';
import type { MailSettings } from './mail.ts';
import type { SmsSettings } from './sms.ts';
import { callbackAddress } from './sms-callbacks.ts';

/** The delivery channels. In demo mode the outbox replaces a missing one. */
export interface Ways {
  readonly sms?: SmsSettings | undefined;
  readonly mail?: MailSettings | undefined;
}

/** @throws {SettingsError} outside demo mode without any channel. */
export const checkWays = ({ sms, mail }: Ways, demo: boolean) => {
  if (demo || sms || mail) return;
  throw new SettingsError(['The service has no way to reach customers: configure one, or start it in demo mode.']);
};

/**
 * Opens the channels. Their libraries are loaded only if they are used.
 * @param outbox - stores what would be sent; only in demo mode
 */
export const openWays = async (
  context: ServiceContext,
  ways: Ways,
  outbox: Delivery | undefined,
): Promise<{ readonly delivery: Delivery; close(): Promise<void> }> => {
  const { publicUrl, clock } = context;
  const { sms, mail } = ways;
  const opened: (Delivery & { close(): Promise<void> })[] = [];
  const open = <Way extends (typeof opened)[number]>(way: Way) => {
    opened.push(way);
    return way;
  };
  const byChannel: Readonly<Record<Channel, Delivery | undefined>> = {
    sms: sms ? open(await smsBy(sms)) : outbox,
    email: mail ? open((await import('./mail.ts')).makeMailDelivery(mail, context)) : outbox,
  };
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
      await Promise.all(opened.map(({ close }) => close()));
    },
  };

  async function smsBy(settings: SmsSettings) {
    const { makeSmsDelivery } = await import('./sms.ts');
    // An external gateway cannot call a loopback address, and refuses one.
    const heard = () => !isLoopbackHost(publicUrl().hostname) || isLoopbackHost(new URL(settings.url).hostname);
    return makeSmsDelivery(settings, clock, (message) => (heard() ? callbackAddress(publicUrl(), message).href : undefined));
  }
};
