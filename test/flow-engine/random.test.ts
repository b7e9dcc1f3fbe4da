import assert from 'node:assert/strict';
import { type FlowEvent, faultLine, isBroken } from '../../src/flows/index.ts';
import { loadFlows } from '../../src/flows/load-flows.ts';
import { type Chance, makeChance, seedOfRun } from '../faults/random.ts';
import { type ConversationUnderTest, startConversation } from '../support/conversation-under-test.ts';
import { randomFlows } from './random-flow.ts';

const endings = ['success', 'failure', 'timeout', 'cancelled'] as const;

/** What waits for the customer. */
const open = (chat: ConversationUnderTest) => {
  let at = chat.state.dialogs?.dialogStack.at(-1);
  while (at?.state.dialogs) at = at.state.dialogs.dialogStack.at(-1);
  return at;
};

/** Answers whatever the flow waits for, in any way, until it has ended. */
const goThrough = async (chat: ConversationUnderTest, chance: Chance, ended: () => boolean): Promise<void> => {
  await chat.say('trial');
  for (let turns = 0; !ended(); turns += 1) {
    assert.ok(turns < 150, 'it comes to no end');
    // A verification that is fresh passes the next one by: not always.
    if (chance.happens(0.3)) chat.now += 20 * 60_000;
    const { id, state } = open(chat) ?? { id: 'nothing', state: {} };
    if (id === 'wait') {
      const sent = chat.sent.at(-1);
      assert.ok(sent);
      const status = chance.pick(endings);
      const { app, customerRef } = sent;
      const result = { app, customerRef, status, ...(app === 'passkeys' && { action: chance.pick(['authentication', 'enrollment']) }) };
      const told = {
        ...sent,
        state: 'decided',
        outcome: { status, by: app === 'one-time-passcode' ? 'check' : 'result', at: chat.now, ...(chance.happens(0.8) && { result }) },
      };
      Object.assign(sent, told);
      await chat.hears({ kind: 'outcome', interaction: told as never });
    } else if (id === 'ask' || id === 'ask-words') await chat.say(chance.pick(['x', 'y']));
    else if (id === 'confirm') await chat.say(chance.happens(0.9) ? 'send' : 'cancel');
    else if (id === 'phone') await chat.say('+12025550102');
    else {
      const { choices = [] } = state;
      assert.ok(choices.length > 0, `nothing to answer at ${id}: ${chat.said.at(-1)?.text}`);
      await chat.say(choices[0].title);
    }
  }
};

describe('flows at random', function () {
  this.timeout(600_000);
  const seed = seedOfRun();
  const wanted = 80;

  it(`run to an end in every ending, where the checker takes them (${wanted} flows, seed ${seed})`, async () => {
    let [taken, refused] = [0, 0];
    for (let index = 0; taken < wanted; index += 1) {
      const chance = makeChance(seed).branch(`flow ${index}`);
      const texts = randomFlows(chance);
      const flows = loadFlows(Object.entries(texts).map(([name, text]) => ({ file: `${name}.yaml`, text })));
      if (isBroken(flows.faults)) {
        refused += 1;
        assert.ok(refused < 30 * wanted, flows.faults.map(faultLine).join('\n'));
        continue;
      }
      taken += 1;
      for (let visits = 0; visits < 4; visits += 1) {
        const events: FlowEvent[] = [];
        const chat = startConversation({ flows, observe: (event) => void events.push(event) });
        chat.callerNumber = '+12025550102';
        await goThrough(chat, chance, () => events.some(({ ended }) => ended !== undefined)).catch((fault: unknown) => {
          throw new Error(`flow ${index} of seed ${seed}: ${fault instanceof Error ? fault.message : fault}\n${texts.trial}`, {
            cause: fault,
          });
        });
        assert.doesNotMatch(chat.said.map(({ text }) => text).join('\n'), /something went wrong|undefined|\[object|NaN/, texts.trial);
      }
    }
    assert.ok(taken / (taken + refused) > 0.05, `only ${taken} of ${taken + refused} were flows`);
  });
});
