// Features by which an operator changes what customers see.
import assert from 'node:assert/strict';
import { fetch } from 'undici';
import { customer, type Feature } from './feature.ts';

export const own: readonly Feature[] = [
  {
    name: 'own flows',
    settings: {
      FLOWS_DIR: ({ folder }) =>
        folder('try-it.yaml', 'flow: try-it\ntitle: Try the flow\ndo:\n  - say: { en: The flow of the pairs runs. }\n'),
    },
    works: async ({ talk }) => {
      const chat = await talk();
      await chat.say('try the flow');
      await chat.sees(/The flow of the pairs runs/);
    },
  },
  {
    name: 'own menu, with a hidden app',
    settings: {
      MENU_FILE: ({ file }) => file('menu.yaml', 'titles: { payments: { en: Settle something } }\nhidden: [one-time-passcode]\n'),
    },
    works: async ({ talk }) => {
      const chat = await talk();
      const menu = await chat.sees(/Settle something/, true);
      assert.doesNotMatch(menu.text, /one-time/);
    },
  },
  {
    name: 'own texts',
    settings: { TEXTS_DIR: ({ folder }) => folder('en.json', '{ "remarks": { "thanks": "Our own thanks." } }') },
    works: async ({ talk }) => {
      const chat = await talk();
      await chat.say('thank you');
      await chat.sees(/Our own thanks\./);
    },
  },
  {
    name: 'own cards',
    settings: {
      CARDS_DIR: ({ folder }) => {
        const body = ['Our own card.', '$'.concat('{title}')].map((text) => ({ type: 'TextBlock', text, wrap: true }));
        return folder('payments.confirm.json', JSON.stringify({ type: 'AdaptiveCard', version: '1.3', body }));
      },
    },
    works: async ({ talk }) => {
      const chat = await talk('en-US', customer);
      for (const words of ['pay for my electricity']) await chat.say(words);
      const shown = await chat.sees(/on your phone/);
      assert.match(JSON.stringify(shown.attachments), /Our own card\./);
    },
  },
  {
    name: 'own forms',
    settings: {
      FORMS_FILE: ({ file }) =>
        file('forms.yaml', 'forms:\n  - { id: 6f1c0000-0000-4000-8000-000000000003, title: { en: Our own form } }\n'),
    },
    works: async ({ talk }) => {
      const chat = await talk('en-US', customer);
      await chat.say('e-form');
      // The only form there is stands on the card at once.
      await chat.sees(/\S••• \S\.[\s\S]*Our own form/);
    },
  },
  {
    name: 'a theme',
    settings: { CHAT_THEME: ({ file }) => file('theme.yaml', 'name: Northern Pairs\n') },
    works: async ({ home }) => assert.match(await (await fetch(home)).text(), /Northern Pairs/),
  },
];
