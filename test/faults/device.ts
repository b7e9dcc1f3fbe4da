// The customers' devices: what reaches them, and what their owners do with it.
import { setTimeout as pause } from 'node:timers/promises';
import { fetch } from 'undici';
import type { AppId } from '../../src/contract/index.ts';
import type { Delivery, Message } from '../../src/service/core/messages/message.ts';
import type { Chance } from './random.ts';
import { logUnexpected } from './unexpected.ts';

export interface Devices {
  /** The service's way to them. */
  readonly delivery: Delivery;
  /** The newest code that reached a phone. */
  codeFor(phoneNumber: string): string | undefined;
  /** Resolves when nobody is doing anything on a page any more. */
  idle(): Promise<void>;
}

const fields: Readonly<Record<AppId, Readonly<Record<string, string>>>> = {
  passkeys: {},
  'one-time-passcode': {},
  'document-signature': { consent: 'on', name: 'Mei Tanaka' },
  payments: {},
  'e-form': { 'a.rating': 'very-good', 'a.comment': 'All well' },
};

/**
 * Devices whose owners mostly accept, sometimes decline, answer twice, or never look. Their way to the service is a
 * good one.
 */
export const makeDevices = (chance: Chance, serviceUrl: () => string): Devices => {
  const codes = new Map<string, string>();
  const busy = new Set<Promise<void>>();

  const use = async ({ app, link }: Message, mood: number, delay: number) => {
    await pause(delay);
    const address = `${serviceUrl()}${new URL(link as string).pathname}`;
    const act = async (path: string, form?: Readonly<Record<string, string>>) => {
      const answer = await fetch(`${address}${path}`, { method: 'POST', ...(form && { body: new URLSearchParams(form) }) });
      await answer.arrayBuffer();
    };
    await act('/opened');
    await pause(delay / 4);
    await act('/started');
    const decision = mood < 0.75 ? 'accept' : 'decline';
    await Promise.all((mood < 0.1 ? [1, 2] : [1]).map(() => act('', { ...fields[app], decision })));
  };

  return {
    delivery: {
      deliver: async (message) => {
        if (message.code !== undefined) codes.set(message.to, message.code);
        const mood = chance.next();
        const delay = chance.happens(0.2) ? chance.between(500, 1500) : chance.between(0, 200);
        if (message.link !== undefined && mood < 0.92) {
          const work = use(message, mood, delay)
            .catch(logUnexpected('a device'))
            .finally(() => busy.delete(work));
          busy.add(work);
        }
        return { accepted: true };
      },
    },
    codeFor: (phoneNumber) => codes.get(phoneNumber),
    idle: async () => {
      await Promise.all(busy);
    },
  };
};
