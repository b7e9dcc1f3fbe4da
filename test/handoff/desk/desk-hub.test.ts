import assert from 'node:assert/strict';
import type { ActResult, AgentAct } from '../../../src/handoff/agent-act.ts';
import { makeDeskHub } from '../../../src/handoff/desk/desk-hub.ts';
import type { HandoffRecord } from '../../../src/handoff/record.ts';

const [mara, noa] = [
  { id: 'mara@example.com', name: 'Mara' },
  { id: 'noa@example.com', name: 'Noa' },
];
const handoff = { id: 'h1', agent: mara } as unknown as HandoffRecord;
const start = { kind: 'start', id: 'i1', app: 'payments', agentId: mara.id } as AgentAct;
const file = { name: 'bill.pdf', contentUrl: 'https://files.example.com/1', contentType: 'application/pdf' };

describe('the record at the desk', () => {
  const rows: [act: AgentAct, kept: [type: string, key: string, data: object] | undefined, result?: object][] = [
    [{ kind: 'accept', agent: mara }, ['joined', 'joined new', { agent: mara }]],
    [{ kind: 'come', hub: 'desk', agent: mara }, ['joined', 'joined new', { agent: mara }]],
    [{ kind: 'transfer', agent: noa }, ['joined', 'joined new', { agent: noa }]],
    [
      { kind: 'transfer', agent: noa, from: mara, note: 'pays by 4242 4242 4242 4242' },
      ['joined', 'joined new', { agent: noa, from: mara, note: 'pays by •••• •••• •••• ••••' }],
    ],
    [{ kind: 'release', agent: mara }, ['released', 'released new', { agent: mara }]],
    [{ kind: 'say', id: 'm1', text: 'Hello' }, ['said', 'said m1', { message: { id: 'm1', text: 'Hello' }, agent: mara }]],
    [{ kind: 'say', id: 'm1', files: [file] }, ['said', 'said m1', { message: { id: 'm1', attachments: [file] }, agent: mara }]],
    [start, ['started', 'started i1', { interactionId: 'i1', app: 'payments', agentId: mara.id, agent: mara }]],
    [
      start,
      [
        'started',
        'started i1',
        { interactionId: 'i1', app: 'payments', agentId: mara.id, customerRef: 'c1', phone: '+1•••0102', agent: mara },
      ],
      { done: true, interaction: { id: 'i1', customerRef: 'c1', phone: '+1•••0102' } },
    ],
    [start, ['started', 'started i1', { interactionId: 'i1', app: 'payments', agentId: mara.id, agent: mara }], { refused: 'service' }],
    // The end itself is kept by whoever stores it.
    [{ kind: 'finish' }, undefined],
    [{ kind: 'fail' }, undefined],
    [{ kind: 'typing' }, undefined],
    [{ kind: 'expire' }, undefined],
  ];
  for (const [act, kept, result] of rows)
    it(`has ${kept ? `“${kept[0]}”` : 'nothing'} for ${JSON.stringify({ ...act, ...result }).slice(0, 90)}`, () => {
      const event = makeDeskHub(() => 'new').keeps?.(act, handoff, result as ActResult | undefined);
      assert.deepEqual(event, kept && { type: kept[0], key: kept[1], data: kept[2] });
    });

  it('names nobody where nobody has the chat', () => {
    const event = makeDeskHub().keeps?.({ kind: 'say', id: 'm1', text: 'Hello' }, { id: 'h1' } as unknown as HandoffRecord);
    assert.deepEqual(event?.data, { message: { id: 'm1', text: 'Hello' } });
  });
});

describe('the hub of the desk', () => {
  it('has nobody at it until it is open, and then whoever is there', () => {
    const hub = makeDeskHub();
    const before = hub.isStaffed?.();
    let there = true;
    hub.open(() => there);
    const during = hub.isStaffed?.();
    there = false;
    assert.deepEqual([before, during, hub.isStaffed?.()], [false, true, false]);
  });
});
