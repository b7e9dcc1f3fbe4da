import assert from 'node:assert/strict';
import { WebSocket } from 'ws';
import { pageFrame } from '../../src/desk/sockets/protocol.ts';
import { channelTalk } from '../support/channel-talk.ts';
import { type Colleague, type DeskAgent, newUlid, openDeskAgent, signInAtDesk } from '../support/desk.ts';
import { deskRoutes } from '../support/desk-routes.ts';
import { noa, openWorld, type World } from '../support/hubs.ts';
import { until } from '../support/until.ts';

// Who may do what at the desk, as tables. What the server knows is read from the server: a route, a frame or an act
// without a row fails.

type Kind = 'agent' | 'supervisor';
const eva: Colleague = { id: 'eva@example.com', name: 'Eva', role: 'supervisor' };

/** Routes, and their answers to: nobody, a session that has ended, an agent, a supervisor. */
const routes: Readonly<Record<string, readonly [nobody: number, ended: number, agent: number, supervisor: number]>> = {
  'GET /desk': [401, 401, 200, 200],
  'POST /desk/sign-out': [401, 401, 303, 303],
  'GET /desk/sign-in/:token': [410, 410, 410, 410],
  'POST /desk/sign-in/:token': [410, 410, 410, 410],
};
/** Where people sign in elsewhere (test/desk/pages/sign-in.test.ts). */
const openIdRoutes = ['GET /desk', 'GET /desk/sign-in/callback', 'POST /desk/sign-in', 'POST /desk/sign-out'];

/** Frames about no conversation, and whether they are answered to an agent. A supervisor may have them all. */
const frames: Readonly<Record<string, { readonly frame?: object; readonly agent: 'done' | 'forbidden' | 'silent' | 'unknown' }>> = {
  leave: { frame: { id: newUlid() }, agent: 'silent' },
  away: { frame: { away: false }, agent: 'silent' },
  running: { frame: { on: true }, agent: 'silent' },
  flows: { frame: { language: 'en' }, agent: 'done' },
  // What another platform knows by a name is there for its own panel.
  find: { frame: { place: '1' }, agent: 'unknown' },
  overview: { agent: 'forbidden' },
  accesses: { agent: 'forbidden' },
  sessions: { agent: 'forbidden' },
  'end-session': { frame: { session: 'none' }, agent: 'forbidden' },
  invite: { agent: 'forbidden' },
};

type Owner = 'mine' | 'another’s' | 'nobody’s';
const owners = ['mine', 'another’s', 'nobody’s'] as const;
/** Acts, and what becomes of them in a conversation that is mine, another's, and nobody's: for either role. */
const acts: Readonly<Record<string, { readonly act?: () => object; readonly results: readonly [string, string, string] }>> = {
  accept: { results: ['done', 'taken', 'done'] },
  decline: { results: ['taken', 'taken', 'done'] },
  take: { results: ['done', 'done', 'done'] },
  say: { act: () => ({ id: newUlid(), text: 'Hello' }), results: ['done', 'not_yours', 'not_yours'] },
  transfer: { act: () => ({ to: noaAtDesk?.me().id ?? 'nobody' }), results: ['done', 'not_yours', 'not_yours'] },
  return: { results: ['done', 'not_yours', 'not_yours'] },
  finish: { act: () => ({ wrapUp: 'solved' }), results: ['done', 'not_yours', 'not_yours'] },
  flow: { act: () => ({ id: newUlid(), flow: 'settle-bill' }), results: ['done', 'not_yours', 'not_yours'] },
  stop: { results: ['done', 'not_yours', 'not_yours'] },
  cancel: { act: () => ({ id: newUlid() }), results: ['unknown_choice', 'not_yours', 'not_yours'] },
  start: {
    act: () => ({ id: newUlid(), app: 'passkeys', phoneNumber: '+12025550102' }),
    results: ['done', 'not_yours', 'not_yours'],
  },
};

/** Frames about a conversation: answered, or seen by what they bring. */
const looks: Readonly<Record<string, readonly [string, string, string]>> = {
  options: ['done', 'not_yours', 'not_yours'],
  typing: ['shown', 'not shown', 'not shown'],
  // Everybody at the desk may look on, and every look is recorded.
  watch: ['shown', 'shown', 'shown'],
};
/** Into a chat of the bot's anybody may come; who has come keeps it. */
const others = ['act', 'come'];

let noaAtDesk: DeskAgent;

describe('who may do what at the desk', function () {
  this.timeout(120_000);
  let world: World;
  let people: Readonly<Record<Kind, DeskAgent>>;
  const open: DeskAgent[] = [];
  const base = () => `http://localhost:${world.whole.bot().port}`;
  const invited = async (who: Colleague) => {
    const { value } = await people.supervisor.ask({ type: 'invite' });
    const agent = await openDeskAgent(base, await signInAtDesk(new URL(String(value), base()).href, who));
    open.push(agent);
    return agent;
  };
  /** Somebody whose session was ended while their page is open. */
  const ended = async () => {
    const agent = await invited({ id: `${newUlid()}@example.com`, name: 'Gone' });
    const { value } = await people.supervisor.ask({ type: 'sessions' });
    const session = (value as { id: string; person: string }[]).find(({ person }) => person === 'Gone')?.id;
    await people.supervisor.ask({ type: 'end-session', session });
    return agent;
  };
  before(async () => {
    world = await openWorld('desk', {}, {}, 'supervisor');
    people = { supervisor: world.desk(), agent: world.desk() };
    people = { supervisor: world.desk(), agent: await invited({ id: 'ivo@example.com', name: 'Ivo' }) };
    noaAtDesk = await invited(noa);
  });
  after(async () => {
    for (const agent of open) await agent.disconnect();
    await world.close();
  });

  let chats = 0;
  /** A conversation with an owner, and what its customer has received. */
  const conversation = async (who: DeskAgent, owner: Owner) => {
    chats += 1;
    const name = `chat-${chats}`;
    const talk = channelTalk(world.whole, world.channel, { conversation: name, user: `user-${chats}`, channelId: 'emulator' });
    const known = new Set(
      world
        .desk()
        .rows()
        .map(({ id }) => id),
    );
    await talk.say('agent');
    const { id } = await until(
      () =>
        world
          .desk()
          .rows()
          .find((row) => !known.has(row.id)),
      'the conversation',
    );
    if (owner !== 'nobody’s') assert.equal((await (owner === 'mine' ? who : noaAtDesk).act(id, { kind: 'accept' })).refused, undefined);
    return { id, typed: () => talk.replies().filter(({ type }) => type === 'typing').length };
  };

  it('has a row for every route, frame and act', async () => {
    assert.deepEqual((await deskRoutes('link')).sort(), Object.keys(routes).sort());
    assert.deepEqual((await deskRoutes('openid')).sort(), [...openIdRoutes].sort());
    const types = pageFrame.options.map(({ shape }) => shape.type.value);
    assert.deepEqual([...types].sort(), [...Object.keys(frames), ...Object.keys(looks), ...others].sort());
    const act = pageFrame.options.find(({ shape }) => shape.type.value === 'act')?.shape as {
      act: { options: { shape: { kind: { value: string } } }[] };
    };
    assert.deepEqual(act.act.options.map(({ shape }) => shape.kind.value).sort(), Object.keys(acts).sort());
  });

  for (const [route, statuses] of Object.entries(routes)) {
    it(`${route}: ${statuses.join(', ')}`, async () => {
      const [method = '', path = ''] = route.split(' ');
      const gone = await ended();
      const asks = [undefined, gone, await invited({ id: 'short@example.com', name: 'Short' }), await invited(eva)];
      const got: number[] = [];
      for (const who of asks) {
        const headers = { ...(who && { cookie: who.cookie }), origin: base() };
        const answer = await fetch(new URL(path.replace(':token', 'a'.repeat(32)), base()), {
          ...{ method, headers, redirect: 'manual' },
          ...(method === 'POST' && { body: new URLSearchParams({ name: 'X', email: 'x@example.com' }) }),
        });
        got.push(answer.status);
      }
      assert.deepEqual(got, statuses);
    });
  }

  it('POST from another site: refused for everybody', async () => {
    for (const who of [undefined, people.agent, people.supervisor]) {
      const headers = { ...(who && { cookie: who.cookie }), origin: 'https://evil.example' };
      for (const path of ['/desk/sign-out', `/desk/sign-in/${'a'.repeat(32)}`])
        assert.equal((await fetch(new URL(path, base()), { method: 'POST', headers, redirect: 'manual' })).status, 403, path);
    }
  });

  for (const role of ['agent', 'supervisor'] as const) {
    for (const [type, { agent, frame }] of Object.entries(frames)) {
      const expected = role === 'supervisor' && agent === 'forbidden' ? 'done' : agent;
      it(`${type}, by ${role}: ${expected}`, async () => {
        const who = people[role];
        if (expected === 'silent') who.send({ type, ...frame });
        else assert.equal((await who.ask({ type, ...frame })).refused ?? 'done', expected);
        assert.equal((await who.ask({ type: 'flows', language: 'en' })).refused, undefined, 'they are there still');
      });
    }

    for (const [kind, { act, results }] of Object.entries(acts)) {
      for (const [index, owner] of owners.entries()) {
        it(`${kind} in a conversation that is ${owner}, by ${role}: ${results[index]}`, async () => {
          const { id } = await conversation(people[role], owner);
          assert.equal((await people[role].act(id, { kind, ...act?.() })).refused ?? 'done', results[index]);
        });
      }
    }

    for (const [index, owner] of owners.entries()) {
      it(`options, typing and watch of a conversation that is ${owner}, by ${role}`, async () => {
        const who = people[role];
        const { id, typed } = await conversation(who, owner);
        const asked = await who.ask({ type: 'options', id, app: 'payments', phoneNumber: '+12025550102' });
        assert.equal(asked.refused ?? 'done', looks.options?.[index]);
        const before = typed();
        who.send({ type: 'typing', id });
        who.watch(id);
        await until(() => who.events(id).length > 0, 'what was said');
        assert.equal(typed() - before === 1 ? 'shown' : 'not shown', looks.typing?.[index]);
      });
    }
  }

  const every = [
    ...Object.entries(frames).map(([type, { frame }]) => ({ type, ...frame })),
    ...Object.entries(acts).map(([kind, { act }]) => ({ type: 'act', id: newUlid(), act: { kind, ...act?.() } })),
    ...Object.keys(looks).map((type) => ({
      type,
      id: newUlid(),
      ...(type === 'options' && { app: 'payments' }),
      ...(type === 'watch' && { after: 0 }),
    })),
    { type: 'come', id: 'a'.repeat(22) },
  ];
  for (const frame of every) {
    it(`nothing over a session that has ended: ${frame.type} ${'act' in frame ? (frame.act as { kind: string }).kind : ''}`, async () => {
      const gone = await ended();
      const before = gone.frames.length;
      gone.send({ ...frame, ...(!['watch', 'leave', 'away', 'running', 'typing'].includes(frame.type) && { ref: 'last' }) });
      await until(() => gone.closed() !== undefined, 'the end of the connection');
      assert.equal(gone.closed(), 4401);
      const heard = gone.frames.slice(before).filter(({ type }) => !['colleagues', 'rows', 'tick'].includes(type));
      assert.deepEqual(heard, []);
    });
  }

  it('opens no socket without a session, nor for one that has ended', async () => {
    for (const cookie of [undefined, (await ended()).cookie]) {
      const socket = new WebSocket(`${base().replace('http', 'ws')}/desk/socket`, {
        headers: { origin: base(), ...(cookie && { cookie }) },
      });
      const fault = await new Promise<Error>((resolve) => socket.once('error', resolve));
      assert.match(fault.message, /401/);
    }
  });

  it('logs who was refused what', async () => {
    await people.agent.ask({ type: 'overview' });
    const { value } = await people.supervisor.ask({ type: 'accesses' });
    const [last] = value as { action: string; person: string; subject: string }[];
    assert.deepEqual([last?.action, last?.subject, last?.person], ['refused', 'overview', `Ivo (${people.agent.me().id})`]);
  });
});
