import assert from 'node:assert/strict';
import type { FlowEvent } from '../../src/flows/index.ts';
import { startConversation } from '../support/conversation-under-test.ts';
import { flowOf, flowsOf } from '../support/flows.ts';
import { withOtherDialogs } from '../support/other-version.ts';

/** A chat in flows of the test's own, and what is told of them, in short. */
const chatIn = (texts: Readonly<Record<string, string>>) => {
  const events: FlowEvent[] = [];
  const chat = startConversation({ flows: flowsOf(texts), observe: (event) => void events.push(event) });
  chat.callerNumber = '+12025550102';
  const told = () =>
    events.map(({ flow, begun, reached, edge, ended, at }) =>
      [flow, ...(begun ? ['begun'] : [reached ?? (edge && `${edge.place} ${edge.edge}`) ?? `${ended} at ${at?.flow} ${at?.place}`])].join(
        ' ',
      ),
    );
  const outcome = (status: 'failure' | 'success') => {
    const interaction = { ...chat.sent.at(-1), state: 'decided', outcome: { status, by: 'result', at: chat.now, result: { status } } };
    Object.assign(chat.sent.at(-1) as object, interaction);
    return chat.hears({ kind: 'outcome', interaction: interaction as never });
  };
  return { chat, events, told, outcome };
};

describe('the events of a flow', () => {
  it('are its beginning, each step once despite retries, each branch, and where and how it ends', async () => {
    const { chat, told, outcome, events } = chatIn({
      trial: flowOf('- say: Hello\n- payments: { product: bill }\n  on: { success: end, failure: { retry: 1, then: end }, else: end }'),
    });
    await chat.say('trial', 'send');
    await outcome('failure');
    await chat.say('send');
    chat.now += 90_000;
    await outcome('success');
    assert.deepEqual(told(), [
      'trial begun',
      'trial do.0',
      'trial do.1',
      'trial do.1 failure again',
      'trial do.1 success',
      'trial success at trial do.1',
    ]);
    const [{ conversation } = {}] = events;
    assert.ok(conversation);
    assert.ok(events.every((event) => event.conversation === conversation));
    assert.equal(events.at(-1)?.took, 90_000);
  });

  it('name the flow of a step, and at the end the flow that was started', async () => {
    const { chat, told } = chatIn({
      trial: flowOf('- run: other\n  else: end\n- say: Done'),
      other: flowOf('- say: Inside', 'menu: false', 'other'),
    });
    await chat.say('trial');
    assert.deepEqual(told(), [
      'trial begun',
      'trial do.0',
      'other do.0',
      'trial do.0 success',
      'trial do.1',
      'trial success at trial undefined',
    ]);
  });

  it('say that it has failed, once, if an update leaves it no way to go on', async () => {
    const { chat, told, events } = chatIn({ trial: flowOf('- ask: text\n  as: name\n  text: Your name?\n- say: Hello') });
    await chat.say('trial');
    withOtherDialogs(chat.state);
    chat.now += 5_000;
    assert.match(await chat.say('Mei'), /updated/);
    await chat.say('thanks');
    assert.deepEqual(told(), ['trial begun', 'trial do.0', 'trial failure at trial do.0']);
    assert.equal(events.at(-1)?.took, 5_000);
  });

  const leaves: [what: string, steps: string, said: string[], place: string][] = [
    ['a question', '- ask: text\n  as: name\n  text: Your name?', ['start over'], 'do.0'],
    ['an app', '- say: Hello\n- payments: { product: bill }\n  else: end', ['start over'], 'do.1'],
  ];
  for (const [what, steps, said, place] of leaves)
    it(`say where the customer leaves ${what}`, async () => {
      const { chat, told } = chatIn({ trial: flowOf(steps) });
      await chat.say('trial', ...said);
      assert.equal(told().at(-1), `trial left at trial ${place}`);
    });
});
