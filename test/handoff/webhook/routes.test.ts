import assert from 'node:assert/strict';
import { Validator } from '@seriousme/openapi-schema-validator';
import { operations } from '../../../src/handoff/webhook/operations.ts';
import { openWorld, type World } from '../../support/hubs.ts';
import { until } from '../../support/until.ts';

const ulid = '01KAH5Z0V8Q2J9XW3N4M5P6R7S';

describe('the API for platforms', () => {
  let world: World;
  before(async () => {
    world = await openWorld('webhook');
  });
  after(() => world.close());
  const ask = async (method: string, path: string, { body, authorization }: { body?: string; authorization?: string } = {}) => {
    const headers = {
      ...(authorization !== undefined && { authorization }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    const response = await fetch(`http://localhost:${world.whole.bot().port}${path}`, {
      method,
      headers,
      ...(body !== undefined && { body }),
    });
    return { status: response.status, body: (await response.json()) as { code: string; errors?: { path: string }[] } };
  };
  const routes: [string, string][] = [
    ['GET', '/handoff'],
    ['GET', `/handoff/${ulid}`],
    ['GET', `/handoff/${ulid}/events`],
    ...operations.map(({ name }): [string, string] => ['POST', `/handoff/${ulid}/${name}`]),
  ];

  for (const [method, path] of routes) {
    it(`is closed without the platform’s key: ${method} ${path}`, async () => {
      const body = method === 'POST' ? '{}' : undefined;
      const given = [undefined, '', 'Bearer', 'Bearer wrong', `Basic ${Buffer.from('a:b').toString('base64')}`];
      for (const authorization of given) {
        const answer = await ask(method, path, { ...(body && { body }), ...(authorization !== undefined && { authorization }) });
        // Whoever tries often is not even told that.
        assert.ok(['unauthorized', 'too_many_requests'].includes(answer.body.code), String(authorization));
        assert.ok([401, 429].includes(answer.status));
      }
    });
  }

  it('has a valid OpenAPI description with every operation and nothing else', async () => {
    const { body } = await ask('GET', '/handoff/openapi.json');
    const validator = new Validator();
    const { valid, errors } = await validator.validate(structuredClone(body) as never);
    assert.ok(valid, JSON.stringify(errors));
    const { paths, webhooks } = body as unknown as { paths: object; webhooks: object };
    const known = routes.map(([, path]) => path.replace(ulid, '{id}'));
    assert.deepEqual(Object.keys(paths).sort(), known.sort());
    assert.deepEqual(Object.keys(webhooks), [
      'handoff.requested',
      'handoff.waited',
      'handoff.message',
      'handoff.verification',
      'handoff.outcome',
      'handoff.started',
      'handoff.bot',
      'handoff.flow',
      'handoff.ended',
    ]);
  });

  it('names one status for each refusal', async () => {
    const { body } = await ask('GET', '/handoff/openapi.json');
    const { paths } = body as unknown as { paths: Record<string, Record<string, { responses: Record<string, { description: string }> }>> };
    const responses = Object.values(paths).flatMap((path) => Object.values(path).flatMap(({ responses }) => Object.entries(responses)));
    for (const [status, codes] of [
      ['409', ['over', 'not_accepted', 'not_yours', 'taken', 'id_taken']],
      ['410', ['chat_gone']],
      ['422', ['unknown_customer', 'unknown_choice', 'blanks_missing']],
      ['502', ['service']],
    ] as const)
      for (const code of codes) {
        const under = responses.filter(([, { description }]) => description.includes(`: \`${code}\`.`)).map(([one]) => one);
        assert.deepEqual([code, ...new Set(under)], [code, status]);
      }
    const unreachable = responses.filter(([status]) => status === '502');
    assert.equal(unreachable.length, operations.length);
    for (const [, { description }] of unreachable) assert.match(description, /`chat_unreachable`/);
  });

  it('answers 404 for an unknown handoff, whatever its id', async () => {
    for (const id of [ulid, 'x', '%00', '..%2F..', 'a'.repeat(300)])
      assert.deepEqual([id, (await world.platform.get(`/handoff/${id}`)).status], [id, 404]);
  });

  describe('refuses:', () => {
    before(async () => {
      await world.talk.say('agent');
      await until(() => world.events('requested').length === 1, 'the request');
    });
    const start = { id: ulid, app: 'payments', agentId: 'mara@example.com', productId: 'x' };
    const bodies: [string, object, string][] = [
      ['accept', {}, 'agent'],
      ['accept', { agent: { id: '' } }, 'agent.id'],
      ['accept', { agent: { id: 'Mara Ek' } }, 'agent.id'],
      ['accept', { agent: { id: 'm', name: 'x'.repeat(81) } }, 'agent.name'],
      ['accept', { agent: { id: 'm' }, other: 1 }, 'other'],
      ['messages', { text: 'Hello' }, 'id'],
      ['messages', { id: 'a b', text: 'Hello' }, 'id'],
      ['messages', { id: 'm1' }, 'text'],
      ['messages', { id: 'm1', text: ' ' }, 'text'],
      ['messages', { id: 'm1', text: 'x'.repeat(4001) }, 'text'],
      [
        'messages',
        { id: 'm1', attachments: [{ contentType: 'a/b', contentUrl: 'http://x.example.com', name: 'n' }] },
        'attachments.0.contentUrl',
      ],
      [
        'messages',
        { id: 'm1', attachments: [{ contentType: 'a/b', contentUrl: 'javascript:alert(1)', name: 'n' }] },
        'attachments.0.contentUrl',
      ],
      [
        'messages',
        { id: 'm1', attachments: [{ contentType: 'html', contentUrl: 'https://x.example.com', name: 'n' }] },
        'attachments.0.contentType',
      ],
      ['interactions', { ...start, id: 'i1' }, 'id'],
      ['interactions', { ...start, app: 'fax' }, 'app'],
      ['interactions', { ...start, agentId: 'Mara\r\nX: 1' }, 'agentId'],
      ['interactions', { ...start, phoneNumber: '12' }, 'phoneNumber'],
      ['interactions', { ...start, formId: 'x' }, 'formId'],
      ['finish', { wrapUp: 'x'.repeat(81) }, 'wrapUp'],
    ];
    for (const [operation, body, path] of bodies) {
      it(`${operation} with ${JSON.stringify(body).slice(0, 90)}`, async () => {
        const answer = await world.call(operation, body);
        assert.deepEqual([answer.status, answer.body.code], [422, 'invalid_request']);
        assert.ok(
          answer.body.errors.some((error: { path: string }) => error.path === path),
          JSON.stringify(answer.body.errors),
        );
      });
    }

    const request = (name: string) => operations.find((one) => one.name === name)?.request ?? assert.fail(name);
    const file = { contentType: 'application/pdf', contentUrl: 'https://files.example.com/1', name: 'bill.pdf' };
    const limits: [operation: string, what: string, body: (length: number) => object, least: number, most: number][] = [
      ['accept', 'the name of an agent', (length) => ({ agent: { id: 'm', name: 'x'.repeat(length) } }), 1, 80],
      ['messages', 'a text', (length) => ({ id: 'm1', text: 'x'.repeat(length) }), 1, 4000],
      ['messages', 'the attachments', (length) => ({ id: 'm1', attachments: Array.from({ length }, () => file) }), 1, 5],
      ['messages', 'the name of a file', (length) => ({ id: 'm1', attachments: [{ ...file, name: 'x'.repeat(length) }] }), 1, 120],
      ['flows', 'the name of a flow', (length) => ({ id: ulid, agentId: 'm', flow: 'x'.repeat(length) }), 1, 64],
      ['finish', 'a wrap-up code', (length) => ({ wrapUp: 'x'.repeat(length) }), 1, 80],
    ];
    for (const [operation, what, body, least, most] of limits)
      it(`${what} outside ${least} to ${most}`, () => {
        const taken = [least - 1, least, most, most + 1].map((length) => request(operation).safeParse(body(length)).success);
        assert.deepEqual(taken, [false, true, true, false]);
      });

    it('an id of more than 320 characters, and takes one of 320', () => {
      for (const [length, taken] of [
        [320, true],
        [321, false],
      ] as const) {
        const id = 'm'.repeat(length);
        assert.equal(request('accept').safeParse({ agent: { id } }).success, taken, `an agent’s of ${length}`);
        assert.equal(request('messages').safeParse({ id, text: 'Hello' }).success, length <= 64, `a message’s of ${length}`);
        assert.equal(request('interactions').safeParse({ ...start, productId: undefined, app: 'passkeys', agentId: id }).success, taken);
      }
    });

    it('operations in a chat that nobody has accepted', async () => {
      for (const [operation, body] of [
        ['messages', { id: 'm1', text: 'Hello' }],
        ['transfer', { agent: { id: 'noa@example.com' } }],
        ['interactions', start],
      ] as [string, object][])
        assert.deepEqual([operation, (await world.call(operation, body)).body.code], [operation, 'not_accepted']);
    });

    it('an interaction whose id is another chat’s', async () => {
      const other = await openWorldChat(world);
      await world.accept();
      assert.equal((await world.call('interactions', { ...start, id: other })).body.code, 'id_taken');
    });

    it('an id that was used for another customer, product or app', async () => {
      const used = { ...start, id: '01KAH5Z0V8Q2J9XW3N4M5P6R7T', phoneNumber: '+12025550102', productId: 'energy-bill-november' };
      const { body: first } = await world.call('interactions', used);
      assert.equal(first.interaction.id, used.id, JSON.stringify(first));
      const { productId: _, ...passkeys } = { ...used, app: 'passkeys' };
      for (const other of [
        { ...used, phoneNumber: '+12025550113' },
        { ...used, customerRef: 'cust-0113' },
        { ...used, productId: 'fibre-router' },
        passkeys,
      ])
        assert.equal((await world.call('interactions', other)).body.code, 'id_taken', JSON.stringify(other));
      assert.equal((await world.call('interactions', used)).body.interaction.requestId, first.interaction.requestId);
    });

    it('what the chat’s channel refuses, to be tried again', async () => {
      world.channel.next.push((_req, res) => {
        res.statusCode = 500;
        res.end();
      });
      const body = { id: 'later', text: 'Are you there?' };
      const first = await world.call('messages', body);
      assert.deepEqual([first.status, first.body.code], [502, 'chat_unreachable']);
      assert.equal((await world.call('messages', body)).status, 200);
      assert.equal(world.said().at(-1), 'Are you there?');
    });

    it('a chat that is gone, for good', async () => {
      world.channel.next.push((_req, res) => {
        res.statusCode = 404;
        res.end();
      });
      const answer = await world.call('messages', { id: 'never', text: 'Hello?' });
      assert.deepEqual([answer.status, answer.body.code], [410, 'chat_gone']);
    });
  });
});

/** An interaction that somebody else's chat has begun; answers its name. */
const openWorldChat = async ({ whole, channel }: World): Promise<string> => {
  const { channelTalk } = await import('../../support/channel-talk.ts');
  const talk = channelTalk(whole, channel, { conversation: 'conversation-2', user: 'user-2', channelId: 'msteams' });
  for (const words of ['payments', '+12025550113', '1']) await talk.say(words);
  const { DatabaseSync } = await import('node:sqlite');
  const db = new DatabaseSync(`${whole.dataDir}/bot.db`, { readOnly: true });
  try {
    return (db.prepare('select id from interaction').get() as { id: string }).id;
  } finally {
    db.close();
  }
};
