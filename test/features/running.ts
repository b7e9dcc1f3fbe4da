// Features of how the bot runs: where it stores, whom it believes, how it speaks with its service.
import assert from 'node:assert/strict';
import { fetch } from 'undici';
import type { Seen } from '../support/direct-line.ts';
import { customer, type Feature, longKey } from './feature.ts';
import { platformKey } from './surroundings.ts';

const assertionKey: Feature['settings'] = { ASSERTION_KEY: ({ assertionKey: key }) => key };

/** Pays, from the wish to the outcome. */
const pays: Feature['works'] = async ({ talk }) => {
  const chat = await talk('en-US', '+12025550110');
  for (const words of ['pay', '1']) await chat.say(words);
  await chat.sees(/Payment received/);
};

export const running: readonly Feature[] = [
  {
    name: 'replicas on Postgres',
    settings: {
      ...assertionKey,
      DATABASE_URL: ({ newDatabase }) => newDatabase(),
      CHAT_TOKEN_KEY: longKey('tokens'),
      DESK_KEY: longKey('desk'),
      HANDOFF_KEY: platformKey,
      CHATWOOT_CALLBACK_KEY: ({ chatwoot }) => chatwoot.settings.CHATWOOT_CALLBACK_KEY ?? '',
    },
    works: pays,
  },
  {
    name: 'proofs under one key',
    settings: assertionKey,
    works: async ({ assertionKey: key, home }) => {
      const { keys } = (await (await fetch(`${home}/.well-known/jwks.json`)).json()) as Seen;
      assert.ok(keys.length === 1 && key.includes(keys[0].x), 'the key that is published');
    },
  },
  {
    name: 'replies that are alike',
    settings: { LOOKUP_REPLIES: 'alike', CATALOGUE_NUMBER: customer },
    works: async ({ talk }) => {
      const chat = await talk();
      await chat.say('payments');
      await chat.sees(/number/);
      await chat.say(customer);
      await chat.sees(/initials/);
      await chat.say('MT');
      await chat.sees(/What would you like to pay for/);
    },
  },
  {
    name: 'requests that share a socket',
    settings: { SERVICE_MULTIPLEX: 'true', SERVICE_IDEMPOTENT: 'true', SERVICE_SHOWS_CODE: 'true' },
    works: pays,
  },
];
