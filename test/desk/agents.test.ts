import assert from 'node:assert/strict';
import { agentIdOf, agentIn, owns } from '../../src/desk/agents.ts';
import type { DeskContext } from '../../src/desk/context.ts';
import { makeWork, type Visit, type WorkPlace } from '../../src/desk/work.ts';
import type { AgentAct } from '../../src/handoff/agent-act.ts';
import type { Agent, HandoffRecord } from '../../src/handoff/record.ts';

const iss = 'https://login.example.com';
const claims = { iss, sub: 'mallory-9', name: 'Mallory' };

describe('somebody at the desk', () => {
  const doubtful: [string, object][] = [
    ['that nobody has verified', { email: 'olga@example.com' }],
    ['that the provider doubts', { email: 'olga@example.com', email_verified: false }],
    ['that is verified in words only', { email: 'olga@example.com', email_verified: 'true' }],
    ['that is verified by a number', { email: 'olga@example.com', email_verified: 1 }],
    ['that is no text', { email: ['olga@example.com'], email_verified: true }],
    ['of several lines', { email: 'olga@example.com\nx', email_verified: true }],
  ];
  for (const [what, more] of doubtful)
    it(`is named by issuer and subject, not by an address ${what}`, () => {
      const agent = agentIn({ ...claims, ...more }, iss);
      assert.deepEqual(agent, { person: 'Mallory', subject: `${iss}#mallory-9` });
      assert.equal(agentIdOf({ id: agent.subject }), `${iss}#mallory-9`);
    });

  it('has a verified address besides, which results carry', () => {
    const { email, subject: id } = agentIn({ ...claims, email: 'Mallory@Example.com', email_verified: true }, iss);
    assert.deepEqual([id, email, agentIdOf({ id, email })], [`${iss}#mallory-9`, 'mallory@example.com', 'mallory@example.com']);
  });

  it('is nobody else by a subject or a name that looks like an address', () => {
    for (const given of ['olga@example.com', 'olga＠example.com']) {
      const { person, subject } = agentIn({ iss, sub: given, name: given, preferred_username: given }, iss);
      assert.equal(subject, `${iss}#${encodeURIComponent(given)}`);
      assert.doesNotMatch(person.normalize('NFKC').replace(encodeURIComponent(given), ''), /@/);
    }
  });

  it('is another person at another issuer, and never too long for a result', () => {
    assert.notEqual(agentIn(claims, iss).subject, agentIn({ ...claims, iss: 'https://other.example.com' }, iss).subject);
    for (const sub of ['x'.repeat(255), ' '.repeat(255)]) assert.match(agentIn({ ...claims, sub }, iss).subject, /^[\x21-\x7e]{1,320}$/);
    assert.notEqual(agentIn({ ...claims, sub: ' '.repeat(254) }, iss).subject, agentIn({ ...claims, sub: ' '.repeat(255) }, iss).subject);
  });

  const mara: Agent = { id: `${iss}#mara`, email: 'mara@example.com' };
  const owners: [string, Agent, Agent | undefined, boolean][] = [
    ['theirs', mara, { id: `${iss}#mara` }, true],
    ['theirs at another platform that has verified the same address', mara, { id: 'chatwoot:7', email: 'mara@example.com' }, true],
    ['not a colleague’s', mara, { id: `${iss}#noa` }, false],
    ['not somebody’s without a verified address, who is named alike', mara, { id: 'chatwoot:7', name: 'Mara' }, false],
    ['not one that is owned by an address alone, as before an upgrade', mara, { id: 'mara@example.com' }, false],
    ['nobody’s', mara, undefined, false],
    ['not everybody’s who has no address', { id: 'a' }, { id: 'b' }, false],
  ];
  for (const [whose, agent, owner, expected] of owners)
    it(`has a conversation that is ${whose}`, () =>
      assert.equal(owns(agent, { agent: owner as HandoffRecord['agent'] & object }), expected));

  it('finishes a conversation from before an upgrade after taking it over', async () => {
    let handoff = { id: 'h', state: 'accepted', agent: { id: 'mara@example.com' } } as HandoffRecord;
    const acts: AgentAct[] = [];
    const agents = {
      of: async () => handoff,
      act: async (_: HandoffRecord, act: AgentAct) => {
        acts.push(act);
        if (act.kind === 'transfer') handoff = { ...handoff, agent: act.agent };
        return { done: true } as const;
      },
    };
    const context = { agents, clock: { now: () => 0 }, store: {} } as unknown as DeskContext;
    const work = makeWork(context, { hub: 'desk', record: async () => {} } as unknown as WorkPlace);
    const visit = { agent: { ...mara, name: 'Mara' }, role: 'agent', session: 's', call: { clientAddress: '' } } as Visit;
    const ask = (act: object) => work.answer(visit, { type: 'act', ref: '1', id: 'h', act } as never);
    assert.deepEqual(await ask({ kind: 'finish', wrapUp: 'solved' }), { refused: 'not_yours' });
    assert.deepEqual(await ask({ kind: 'take' }), { value: {} });
    assert.deepEqual(await ask({ kind: 'finish', wrapUp: 'solved' }), { value: {} });
    // Records and colleagues get no address.
    assert.deepEqual(acts[0], { kind: 'transfer', agent: { id: mara.id, name: 'Mara' } });
  });
});
