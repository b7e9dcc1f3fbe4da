// The delivery channels that the settings name: SMS, e-mail, or the outbox in demo mode.

import { isLoopbackHost } from '../../platform/outgoing/loopback.ts';
import { SettingsError } from '../../platform/settings/settings-error.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { Language } from '../core/languages.ts';
import type { Delivery } from '../core/messages/message.ts';
import type { Seal } from '../core/secrets/seal.ts';
import type { Channel } from '../core/store/request.ts';
import type { Texts } from '../core/texts.ts';
import type { BrandOf, MailSettings } from './mail.ts';
import { makeOutboxDelivery } from './outbox/outbox.ts';
import type { OutboxStore } from './outbox/store.ts';
import type { SmsSettings } from './sms.ts';
import { callbackAddress } from './sms-callbacks.ts';

/** The delivery channels. In demo mode the outbox replaces a missing one. */
export interface Ways {
  readonly sms?: SmsSettings | undefined;
  readonly mail?: MailSettings | undefined;
}

/** @throws {SettingsError} outside demo mode without any channel. */
export const checkWays = ({ given, ways: { sms, mail }, demo }: Pick<WaysOptions, 'demo' | 'given' | 'ways'>) => {
  if (demo || given || sms || mail) return;
  throw new SettingsError(['The service has no way to reach customers: configure one, or start it in demo mode.']);
};

export interface WaysOptions {
  /** Used instead of everything else. */
  readonly given: Delivery | undefined;
  readonly ways: Ways;
  readonly demo: boolean;
  readonly outbox: OutboxStore;
  readonly seal: Seal;
  readonly texts: (language: Language) => Texts;
  readonly brandOf: BrandOf;
  readonly publicUrl: () => URL;
  readonly clock: Clock;
}

export interface OpenWays {
  readonly delivery: Delivery;
  close(): Promise<void>;
}

/** A channel's libraries are loaded only if it is used. */
export const openWays = async (options: WaysOptions): Promise<OpenWays> => {
  const { given, ways, demo, clock, texts, brandOf } = options;
  if (given) return { delivery: given, close: async () => {} };
  const { sms, mail } = ways;
  const opened: (Delivery & { close(): Promise<void> })[] = [];
  const open = <Way extends (typeof opened)[number]>(way: Way) => {
    opened.push(way);
    return way;
  };
  const outbox = demo ? makeOutboxDelivery(options.outbox, options.seal) : undefined;
  const byChannel: Readonly<Record<Channel, Delivery | undefined>> = {
    sms: sms ? open(await smsBy(sms, options)) : outbox,
    email: mail ? open(await mailBy(mail, options)) : outbox,
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

  async function smsBy(settings: SmsSettings, { publicUrl }: WaysOptions) {
    const { makeSmsDelivery } = await import('./sms.ts');
    // An external gateway cannot call a loopback address, and refuses one.
    const heard = () => !isLoopbackHost(publicUrl().hostname) || isLoopbackHost(new URL(settings.url).hostname);
    return makeSmsDelivery({
      settings,
      clock,
      callbackUrl: (message) => (heard() ? callbackAddress(publicUrl(), message).href : undefined),
    });
  }

  async function mailBy(settings: MailSettings, { publicUrl }: WaysOptions) {
    const { makeMailDelivery } = await import('./mail.ts');
    return makeMailDelivery({ settings, texts, brandOf, host: () => publicUrl().hostname });
  }
};
