// A customer who chats in Spanish with a bot whose service misbehaves: every sentence must be one of the Spanish texts.
import assert from 'node:assert/strict';
import type { TextKey } from '../../cards/index.ts';
import { makeTexts, messagesOf } from '../../dialogs/language/texts.ts';
import type { BotBesideScript } from './bot-beside-script.ts';
import { canaries } from './scripted-service.ts';
import { type Talk, talkTo } from './talk.ts';
import { until } from './until.ts';

export const t = makeTexts('es-ES');

const inEnglishOnly = (() => {
  const spanish = new Set(messagesOf('es').values());
  return [...messagesOf('en').values()].filter((text) => text.length > 12 && !/[{|]/.test(text) && !spanish.has(text));
})();

// Names of errors, codes, statuses, and JavaScript's renderings of values that should not be shown.
const raw = /\b(?:undefined|NaN|TypeError|\w+Error|ECONN\w+|http_\d+|[a-z]+_[a-z_]+)\b|\[object|[{}<>]|\bcanary\b/;

export interface Customer {
  readonly talk: Talk;
  /** Waits for a message with this text since the customer's last one. */
  hears(key: TextKey, values?: Parameters<typeof t>[1]): Promise<void>;
  /** Presses the newest button with that text. */
  presses(key: TextKey, fields?: Readonly<Record<string, string>>): Promise<void>;
  /** From the menu to the question whether to send. */
  prepares(app?: 'payments' | 'one-time-passcode'): Promise<void>;
  /** Asks for it, from there. */
  asks(app?: 'payments' | 'one-time-passcode'): Promise<void>;
  /** From the menu to the waiting card; returns the request's identifier. */
  sends(app?: 'payments' | 'one-time-passcode'): Promise<string>;
  /** Waits for the outcome, and checks that there is only one. */
  ends(status: string): Promise<void>;
  /** Fails unless every message was in Spanish words. */
  understoodAll(): void;
}

/** Opens a chat; its greeting comes before the customer's language is known. */
export const spanishCustomer = async (world: BotBesideScript): Promise<Customer> => {
  const talk = await talkTo(world, {}, 'es-ES');
  const greeting = talk.messages().length;
  const holds = (text: string) => new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const customer: Customer = {
    talk,
    hears: async (key, values) => {
      await talk.sees(holds(t(key, values)));
    },
    presses: (key, fields) => talk.press(t(key), fields),
    prepares: async (app = 'payments') => {
      await talk.say(app);
      await talk.say(canaries.phoneNumber);
      await customer.hears(`cards.${app}.confirm.text`);
    },
    asks: (app = 'payments') => customer.presses(`cards.${app}.confirm.send`),
    sends: async (app = 'payments') => {
      const before = world.service.given.length;
      await customer.prepares(app);
      await customer.asks(app);
      return until(() => world.service.given[before], 'a request at the service');
    },
    ends: async (status) => {
      const outcome = await talk.outcome();
      assert.equal(outcome.channelData.interaction.status, status);
      assert.equal(talk.outcomes().length, 1);
    },
    understoodAll: () => {
      for (const { text } of talk.messages().slice(greeting)) {
        assert.doesNotMatch(text, raw);
        const english = inEnglishOnly.find((message) => text.includes(message));
        assert.equal(english, undefined, `said in English: ${english}`);
      }
    },
  };
  return customer;
};
