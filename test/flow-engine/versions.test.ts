import assert from 'node:assert/strict';
import { type FlowEvent, makeVersions } from '../../src/flows/index.ts';
import type { KeptVersion } from '../../src/flows/versions/flow-versions.ts';
import { startConversation } from '../support/conversation-under-test.ts';
import { flowOf, flowsOf } from '../support/flows.ts';

const asks = flowOf(
  '- ask: text\n  as: colour\n  text: Which colour?\n- run: other\n  else: next\n- payments: { product: router }\n  else: next\n- say: Thank you.',
);
const texts = { trial: asks, other: flowOf('- say: From the other.', '', 'other') };

/** A chat in the flow, whose stored versions a test may change as another version of the program would. */
const chatIn = () => {
  const versions = new Map<string, KeptVersion>();
  const events: FlowEvent[] = [];
  const start = () => startConversation({ flows: flowsOf(texts), versions, observe: (event) => void events.push(event) });
  return { versions, chat: start(), events, start };
};

/** The reader refuses a flow that it took before: of the version itself, or of one that it runs. */
const refuse = (versions: Map<string, KeptVersion>, name: string) => {
  for (const [version, kept] of versions) {
    const body = { ...JSON.parse(kept.body), [name]: 'flow: trial\ndo:\n  - gone-since: 3\n' };
    versions.set(version, { ...kept, body: JSON.stringify(body) });
  }
};

describe('the stored version of a flow', () => {
  for (const name of ['trial', 'other'])
    for (const at of ['a question', 'an app', 'a wait'])
      it(`ends the flow with a sentence if this version of the program refuses it (${name}, at ${at})`, async () => {
        const { versions, chat: before, events, start } = chatIn();
        await before.say('trial');
        if (at !== 'a question') await before.say('blue', '+12025550102');
        if (at === 'a wait') await before.say('send');
        refuse(versions, name);
        // A new process, which has read nothing yet.
        const chat = start();
        chat.state = structuredClone(before.state);
        chat.sent.push(...before.sent);
        const interaction = { ...chat.sent[0], state: 'decided', outcome: { status: 'success', by: 'event', at: chat.now } };
        if (at === 'a wait') await chat.hears({ kind: 'outcome', interaction: interaction as never });
        else await chat.say(at === 'an app' ? 'cancel' : 'blue');
        const said = chat.said.map(({ text }) => text).join('\n');
        assert.match(said, /we have to stop here\. What was sent before still counts/);
        if (at === 'a wait') assert.match(said, /Router/);
        assert.equal(events.at(-1)?.ended, 'failure');
        assert.deepEqual(chat.without, []);
        assert.notEqual(await chat.say('menu'), '');
        assert.equal(chat.sent.length, at === 'a wait' ? 1 : 0);
      });

  it('is stored at each start, although this process knows it: housekeeping may have removed it', async () => {
    const rows = new Map<string, KeptVersion>();
    const store = {
      keep: async (kept: KeptVersion) => void rows.set(kept.version, kept),
      read: async (version: string) => rows.get(version),
    };
    const { flows } = flowsOf(texts);
    const flow = flows.get('trial') as NonNullable<ReturnType<typeof flows.get>>;
    const here = makeVersions(store);
    await here.begin(flow, flows);
    rows.clear();
    await here.begin(flow, flows);
    assert.ok(await makeVersions(store).find(flow.version), 'another replica cannot continue');
  });
});
