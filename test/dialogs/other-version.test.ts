import assert from 'node:assert/strict';
import type { AppId } from '../../src/contract/index.ts';
import type { KeptVersion } from '../../src/flows/versions/flow-versions.ts';
import { type ConversationUnderTest, startConversation } from '../support/conversation-under-test.ts';
import type { Seen } from '../support/direct-line.ts';
import { flowsOf } from '../support/flows.ts';
import { itSample } from '../support/tier.ts';

const asks = `flow: asks
title: Ask and pay
says: { en: [ask me] }
do:
  - { ask: text, as: colour, text: Which colour? }
  - payments: { product: router }
    else: next
  - say: Thank you.
`;

/** Where a chat can be when the program is replaced: what was said before, and the app that waits there. */
const places: readonly { readonly at: string; readonly says: readonly string[]; readonly waits?: AppId; readonly lists?: true }[] = [
  { at: 'the menu', says: ['hello'] },
  { at: 'the number', says: ['payments'] },
  { at: 'the list of products', says: ['payments', '+12025550102'], lists: true },
  { at: 'the list of documents', says: ['sign a document', '+12025550102'], lists: true },
  { at: 'the list of forms', says: ['form', '+12025550102'], lists: true },
  { at: 'the confirmation', says: ['pay for the router', '+12025550102'] },
  { at: 'a payment’s wait', says: ['payments', '+12025550102', 'Router'], waits: 'payments' },
  { at: 'a passcode’s wait', says: ['one-time passcode', '+12025550102', 'send'], waits: 'one-time-passcode' },
  { at: 'a passkey’s wait', says: ['passkeys', '+12025550102', 'send'], waits: 'passkeys' },
  { at: 'a flow’s question', says: ['ask me'] },
  { at: 'a step of a flow', says: ['ask me', 'blue', '+12025550102'] },
  { at: 'a flow’s wait', says: ['ask me', 'blue', '+12025550102', 'send'], waits: 'payments' },
];

/** The open dialogs of a chat, with those inside them, outermost first. */
const openIn = (dialogs: Seen): Seen[] =>
  (dialogs?.dialogStack ?? []).flatMap((instance: Seen) => [instance, ...openIn(instance.state?.dialogs)]);

const containersIn = (chat: ConversationUnderTest) => openIn(chat.state.dialogs).filter(({ version }) => version !== undefined);
const waterfallsIn = (chat: ConversationUnderTest) => openIn(chat.state.dialogs).filter(({ state }) => state?.stepIndex !== undefined);

/** What another version of the dialogs leaves behind. */
interface Written {
  readonly named: string;
  readonly write: (chat: ConversationUnderTest) => void;
}

/** A child more, or a step more or fewer: the version that a container stores is another. */
const age = (containers: readonly Seen[]) => {
  for (const one of containers) one.version = '1';
};
const moved = (by: number): Written => ({
  named: `${Math.abs(by)} steps ${by < 0 ? 'more' : 'fewer'} before this one`,
  write: (chat) => {
    age(containersIn(chat));
    for (const { state } of waterfallsIn(chat)) state.stepIndex += by;
  },
});

/** Each in every container, or in one alone. */
const versions: readonly Written[] = [
  { named: 'a child more in every container', write: (chat) => age(containersIn(chat)) },
  { named: 'a child more in the outermost', write: (chat) => age(containersIn(chat).slice(0, 1)) },
  { named: 'a child more in the innermost', write: (chat) => age(containersIn(chat).slice(-1)) },
  ...[-1, 1, 20].map(moved),
  {
    named: 'a waterfall of another name',
    write: (chat) => {
      age(containersIn(chat));
      for (const one of waterfallsIn(chat)) one.id = 'stages';
    },
  },
];

/** Shapes that nobody would write, under the version of today. */
const damages: readonly Written[] = [
  {
    named: 'no values',
    write: (chat) => {
      for (const { state } of waterfallsIn(chat)) delete state.values;
    },
  },
  { named: 'no state in the innermost', write: (chat) => delete openIn(chat.state.dialogs).at(-1)?.state },
  {
    named: 'no frames in a flow',
    write: (chat) => {
      for (const { state } of openIn(chat.state.dialogs)) delete state?.frames;
    },
  },
  { named: 'a stack that is no list', write: (chat) => Object.assign(chat.state.dialogs ?? {}, { dialogStack: 'none' }) },
  {
    named: 'a memory of another shape',
    write: (chat) => Object.assign(chat.state.memory ?? {}, { wishes: 3, told: { a: 1 }, requests: 7 }),
  },
];

const flows = flowsOf({ asks });
const kept = new Map<string, KeptVersion>();

/** A chat at the place; talked to once, and copied from then on. */
const recorded = new Map<string, Promise<ConversationUnderTest>>();
const at = async ({ at: name, says }: (typeof places)[number]) => {
  const talk = async () => {
    const chat = startConversation({ flows, versions: kept });
    await chat.say(...says);
    return chat;
  };
  const { sent, state } = await (recorded.get(name) ?? recorded.set(name, talk()).get(name) ?? talk());
  const chat = startConversation({ flows, versions: kept });
  chat.state = structuredClone(state);
  chat.sent.push(...structuredClone(sent));
  return chat;
};

const outcomeOf = (chat: ConversationUnderTest, status: 'failure' | 'success' = 'success') => {
  const [sent] = chat.sent;
  assert.ok(sent);
  return {
    kind: 'outcome',
    interaction: { ...sent, state: 'decided', outcome: { status, by: 'event', at: chat.now } },
  } as const;
};

describe('a chat whose dialogs another version of the program wrote', () => {
  const last = places.at(-1);
  for (const place of places)
    describe(`at ${place.at}`, () => {
      before(async () => assert.equal((await at(place)).sent.length, place.waits ? 1 : 0));

      for (const [index, { named, write }] of [...versions, ...damages].entries())
        itSample(index === 0 || place === last)(`goes on or begins again, whatever is said first (${named})`, async () => {
          // What is picked from a list is asked for, and so it is sent.
          for (const words of ['hello', 'menu', 'status', ...(place.lists ? ['it must be the Router'] : ['Router', '2'])]) {
            const chat = await at(place);
            write(chat);
            assert.notEqual(await chat.say(words), '', words);
            assert.notEqual(await chat.say('menu'), '', words);
            assert.equal(chat.sent.length, place.waits ? 1 : 0, `sent after “${words}”`);
          }
        });

      if (!place.waits) return;
      for (const [index, { named, write }] of [...versions, ...damages].entries())
        itSample(index === 0 || place === last)(`delivers the outcome once, and goes on (${named})`, async () => {
          const chat = await at(place);
          write(chat);
          // A turn that runs again says it under the same key: src/bot posts it once (test/bot/turns/stored-state.test.ts).
          const outcomes = () => chat.said.filter(({ channelData }) => channelData?.interaction !== undefined);
          const shown = () => new Set(outcomes().map(({ channelData }) => channelData.deliveryKey)).size;
          await chat.hears(outcomeOf(chat));
          assert.equal(shown(), 1);
          await chat.hears(outcomeOf(chat));
          assert.equal(shown(), 1);
          assert.notEqual(await chat.say('payments'), '');
          assert.equal(chat.sent.length, 1);
        });

      for (const [index, { named, write }] of versions.entries())
        itSample(index === 0 || place === last)(`still waits: what is said belongs to the request (${named})`, async () => {
          const chat = await at(place);
          write(chat);
          assert.match(await chat.say('status'), /on its way|The code went/);
          assert.deepEqual(chat.without, []);
          await chat.say('cancel');
          assert.equal(chat.cancels, 1);
        });

      for (const [index, { named, write }] of versions.entries())
        itSample(index === 0 || place === last)(`asks after a failure what it would have asked (${named})`, async () => {
          const [unchanged, chat] = [await at(place), await at(place)];
          write(chat);
          const expected = await unchanged.hears(outcomeOf(unchanged, 'failure'));
          assert.equal(await chat.hears(outcomeOf(chat, 'failure')), expected);
          assert.equal(await chat.say('no'), await unchanged.say('no'));
        });
    });

  it('reads that its question was dropped, and begins again', async () => {
    const chat = startConversation();
    await chat.say('payments', '+12025550102');
    age(containersIn(chat));
    assert.match(await chat.say('Router'), /updated/);
    assert.match(await chat.say('payments', '+12025550102', 'Router'), /Waiting for your payment/);
  });

  it('does not show an agent the answer to a dropped question that fills in a document', async () => {
    const chat = startConversation();
    await chat.say('payments', '+12025550102');
    const open = openIn(chat.state.dialogs).at(-1);
    age(containersIn(chat));
    open.state.wordy = true;
    await chat.say('12 Elm Street');
    assert.equal(JSON.stringify(chat.state.memory).includes('Elm Street'), false);
  });

  it('keeps its dialogs if the turn fails without them too: then they are not the reason', async () => {
    const chat = startConversation();
    await chat.say('payments', '+12025550102');
    const before = structuredClone(chat.state);
    chat.onActivity = () => {
      throw new TypeError('nothing can be said');
    };
    await assert.rejects(chat.say('Router'), TypeError);
    assert.deepEqual(chat.state, before);
  });
});
