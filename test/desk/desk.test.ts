import assert from 'node:assert/strict';
import { request as undiciRequest } from 'undici';
import { WebSocket } from 'ws';
import { type DeskAgent, newUlid, openDeskAgent, signInAtDesk } from '../support/desk.ts';
import { mara, noa, openWorld, rulesFile, type World } from '../support/hubs.ts';
import { until } from '../support/until.ts';

const base = (world: World) => `http://localhost:${world.whole.bot().port}`;

describe('the desk', () => {
  let world: World;
  let others: DeskAgent[];
  beforeEach(async () => {
    world = await openWorld('desk');
    others = [];
  });
  afterEach(async () => {
    for (const other of others) await other.disconnect();
    await world.close();
  });
  const row = () => world.desk().rows()[0];
  const says = async (...words: string[]) => {
    for (const text of words) await world.talk.say(text);
  };
  const ask = async (...before: string[]) => {
    await says(...before, 'agent');
    const { id } = await until(row, 'the conversation in the list');
    world.desk().watch(id);
    await until(() => world.desk().events(id).length > 0, 'what was said');
    return id;
  };
  const join = async (...before: string[]) => {
    const id = await ask(...before);
    assert.deepEqual((await world.desk().act(id, { kind: 'accept' })).refused, undefined);
    return id;
  };
  const heard = (id: string, agent = world.desk()) =>
    agent.events(id).flatMap((event) => (event.type === 'message' ? [event.message.text] : []));
  const verify = async () => {
    await says('hello', 'passkeys', '+12025550110', 'yes');
    await until(() => world.talk.replies().some(({ channelData }) => channelData?.interaction?.status === 'success'), 'the outcome');
  };
  /** A link for somebody else, as a supervisor makes it. */
  const invited = async (role: 'agent' | 'supervisor' = 'agent', who: { id: string; name: string } = noa) => {
    const supervisor =
      others.find(({ frames }) => frames.some((frame) => frame.type === 'welcome' && frame.me.role === 'supervisor')) ?? world.desk();
    const { value } = await supervisor.ask({ type: 'invite' });
    const cookie = await signInAtDesk(new URL(String(value), base(world)).href, { ...who, role });
    const agent = await openDeskAgent(() => base(world), cookie);
    others.push(agent);
    return agent;
  };

  describe('shows', () => {
    it('who waits, since when, why, in which language, and that nobody is verified', async () => {
      await ask('payments');
      const { badge, createdAt, dueAt = 0, id: _, ...rest } = row() ?? assert.fail();
      assert.deepEqual(rest, { state: 'requested', reason: 'asked', app: 'payments', language: 'en' });
      assert.deepEqual([badge, dueAt - createdAt], [{ state: 'none' }, 10 * 60_000]);
    });

    it('how and until when a customer is verified, and their name only then', async () => {
      await verify();
      const id = await ask();
      const { badge } = row() ?? assert.fail();
      assert.ok(badge.state === 'verified' && badge.method === 'passkeys' && badge.until - badge.at === 15 * 60_000, JSON.stringify(badge));
      const panel = await until(() => world.desk().panel(id), 'the panel');
      assert.deepEqual(panel.customer, { name: 'Samira Haddad', phone: '+12025550110', ref: 'cust-0110-samira' });
      assert.deepEqual(
        panel.timeline.map(({ app, status }) => [app, status]),
        [['passkeys', 'success']],
      );
    });

    for (const [what, activity] of [
      ['somebody joins the chat', { type: 'conversationUpdate', membersAdded: [{ id: 'user-2' }] }],
      ['the chat is gone on with elsewhere', { type: 'event', name: 'chat.resumed' }],
    ] as const) {
      it(`that nobody is verified any more as soon as ${what}`, async () => {
        await verify();
        const id = await join();
        assert.equal(row()?.badge.state, 'verified');
        await world.talk.post(activity);
        await until(() => row()?.badge.state === 'expired' && world.desk().panel(id)?.badge.state === 'expired', 'the badge', 5_000);
        assert.equal(world.desk().panel(id)?.customer?.ref, undefined);
      });
    }

    it('that nobody is verified once a conversation is over, and its customer masked again', async () => {
      await verify();
      const id = await join();
      await until(() => world.desk().panel(id)?.badge.state === 'verified', 'the badge');
      await world.desk().act(id, { kind: 'finish', wrapUp: 'solved' });
      await until(() => world.desk().panel(id)?.badge.state === 'expired', 'the badge', 5_000);
      assert.deepEqual(world.desk().panel(id)?.customer, { name: 'S••• H.', phone: '+1•••0110' });
      assert.equal((await world.desk().ask({ type: 'options', id, app: 'payments' })).refused, 'over');
    });

    it('a customer whom nobody has verified masked, whatever was sent to them', async () => {
      const id = await ask('payments', '+12025550102', '1');
      const panel = await until(() => world.desk().panel(id), 'the panel');
      assert.match(panel.customer?.name ?? '', /^\S•••/);
      assert.deepEqual([panel.customer?.phone, panel.customer?.ref], ['+1•••0102', undefined]);
      // What the customer typed is theirs to say; nothing else says it.
      const shown = world.desk().frames.filter(({ type }) => type !== 'happened');
      assert.doesNotMatch(JSON.stringify(shown), /2025550102|cust-0102/);
    });

    it('what the customer writes while they wait, and what the bot answers, without what fills in a document', async () => {
      const id = await ask();
      await says('my bill is wrong', 'my code is 483 920', 'document signature', '+12025550102', '1', 'Canary Holder');
      const lines = () =>
        world
          .desk()
          .events(id)
          .flatMap((event) => (event.type === 'waited' ? event.lines : []));
      const typed = () => lines().flatMap(({ from, text }) => (from === 'customer' ? [text] : []));
      await until(() => typed().length === 6, 'what was said');
      assert.deepEqual(typed(), ['my bill is wrong', 'my code is ••••••', 'document signature', '+12025550102', '1', '••••••']);
      assert.ok(lines().some(({ from, text }) => from === 'bot' && /phone number/.test(text)));
      await world.desk().act(id, { kind: 'accept' });
      await says('now I write to you');
      await until(() => heard(id).includes('now I write to you'), 'the message');
      assert.equal(typed().length, 6, 'once somebody is there, it is a message');
    });

    it('that a verification failed', async () => {
      await says('hello', 'passkeys', '+12025550111', 'yes');
      await until(() => world.said().some((said) => /could not|not confirm|did not/i.test(said)), 'the failure');
      await ask();
      const { badge } = row() ?? assert.fail();
      assert.ok(badge.state === 'failed', badge.state);
      const { at, ...rest } = badge;
      assert.deepEqual([rest, typeof at], [{ state: 'failed', tries: 1, phone: '+1•••0111' }, 'number']);
    });

    it('the steps on the customer’s device while they happen, and the outcome', async () => {
      const id = await join();
      const started = await world.desk().act(id, {
        ...{ kind: 'start', id: newUlid(), app: 'payments', phoneNumber: '+12025550110', chosen: 'ev-charging-pass' },
      });
      assert.equal(started.refused, undefined);
      await until(() => world.desk().panel(id)?.timeline[0]?.status === 'success', 'the outcome in the panel');
      await until(
        () =>
          world
            .desk()
            .events(id)
            .some((event) => event.type === 'outcome' && event.status === 'success'),
        'the outcome',
      );
      assert.equal(world.desk().panel(id)?.timeline[0]?.agent, mara.id);
      assert.match(world.said().join('\n'), /Mara has started this for you/);
    });

    it('what can be sent to the customer, with what a document asks for', async () => {
      const id = await join('payments', '+12025550102');
      const { value } = await world.desk().ask({ type: 'options', id, app: 'document-signature', phoneNumber: '+12025550102' });
      const { choices, customers } = value as { choices: { title: string; blanks: object[] }[]; customers: { name: string }[] };
      assert.ok(choices.length >= 3 && choices.some(({ blanks }) => blanks.length > 0));
      assert.match(customers[0]?.name ?? '', /•••/);
      const unknown = await world.desk().ask({ type: 'options', id, app: 'payments', phoneNumber: '+12025550199' });
      assert.equal(unknown.refused, 'unknown_customer');
    });

    it('a message that was left when nobody was there as a conversation', async () => {
      await world.close();
      world = await openWorld('desk', { HANDOFF_FILE: rulesFile('hours: { timeZone: Europe/Madrid, days: {} }\n') });
      await says('agent', 'leave a message', 'My meter number is wrong');
      const { id, dueAt, reason } = await until(row, 'the message');
      assert.deepEqual([reason, dueAt], ['message', undefined]);
      world.desk().watch(id);
      await until(
        () =>
          world
            .desk()
            .events(id)
            .some((event) => event.type === 'requested' && event.note === 'My meter number is wrong'),
        'its words',
      );
    });
  });

  it('loads at most 120 KB in the browser, libraries included', async () => {
    const { cookie } = world.desk();
    const page = await (await fetch(`${base(world)}/desk`, { headers: { cookie } })).text();
    const paths = new Set([...page.matchAll(/"(\/assets\/[^"]+\.(?:js|css))"/g)].map(([, path = '']) => path));
    assert.ok(paths.size >= 20, `${paths.size} files`);
    let bytes = 0;
    for (const path of paths) {
      const { body, headers } = await undiciRequest(`${base(world)}${path}`, { headers: { 'accept-encoding': 'br' } });
      assert.equal(headers['content-encoding'], 'br', path);
      bytes += (await body.arrayBuffer()).byteLength;
    }
    assert.ok(bytes <= 120_000, `${bytes} bytes`);
    assert.ok(bytes > 20_000, `${bytes} bytes: libraries are missing`);
  });

  describe('keeps', () => {
    it('the talk both ways in order, each message once, over a connection that is cut again and again', async () => {
      const id = await join();
      const words = Array.from({ length: 9 }, (_, index) => `sentence ${index}`);
      for (const [index, text] of words.entries()) {
        const say = { kind: 'say', id: `m${index}`, text };
        await world.desk().act(id, say);
        await world.talk.say(text);
        if (index % 3 !== 2) continue;
        await world.desk().disconnect();
        await world.talk.say(`away ${index}`);
        await world.desk().connect();
        // The answer may have been lost: the page asks again, under the same name.
        assert.equal((await world.desk().act(id, say)).refused, undefined);
      }
      const all = words.flatMap((text, index) => (index % 3 === 2 ? [text, `away ${index}`] : [text]));
      await until(() => heard(id).length === all.length, 'everything');
      assert.deepEqual(heard(id), all);
      assert.deepEqual(
        world.said().filter((said) => said.startsWith('sentence')),
        words,
      );
      const numbers = world
        .desk()
        .events(id)
        .map(({ number }) => number);
      assert.deepEqual(
        numbers,
        numbers.toSorted((one, other) => one - other),
      );
      assert.equal(
        world
          .desk()
          .events(id)
          .filter(({ type }) => type === 'said').length,
        words.length,
      );
    });

    it('everything across a restart of the bot, including who is signed in', async () => {
      const id = await join();
      await world.desk().act(id, { kind: 'say', id: 'm1', text: 'Hello' });
      await world.desk().disconnect();
      await world.whole.stopBot();
      await world.startBot();
      await world.talk.say('still there?');
      await until(() => heard(id).includes('still there?'), 'the customer');
      await world.desk().act(id, { kind: 'say', id: 'm1', text: 'Hello' });
      assert.equal(world.said().filter((said) => said === 'Hello').length, 1);
    });

    it('codes, card numbers and the contents of documents from everybody at the desk', async () => {
      const id = await join('hello', 'document signature', '+12025550102', '1', 'Canary Holder');
      await says('my code is 483 920', '4111 1111 1111 1111', 'now 271828');
      await world.desk().act(id, { kind: 'start', id: newUlid(), app: 'one-time-passcode', phoneNumber: '+12025550110' });
      await says('it is 123456');
      await until(
        () =>
          world
            .desk()
            .events(id)
            .some((event) => event.type === 'outcome'),
        'the outcome',
      );
      await until(() => heard(id).length >= 2, 'what may be heard');
      assert.doesNotMatch(JSON.stringify([world.desk().frames, world.whole.lines]), /Canary|483.?920|4111.?1111|271828|123456/);
    });

    it('names and words of customers as they are, for the page to show as text', async () => {
      const id = await join();
      await says('<img src=x onerror=alert(1)>');
      await world.talk.post({ attachments: [{ contentType: 'text/html', contentUrl: 'javascript:alert(1)', name: '<b>x' }] });
      await world.talk.post({
        attachments: [{ contentType: 'image/png', contentUrl: 'https://files.example.com/a.png', name: '"><script>' }],
      });
      await until(
        () =>
          world
            .desk()
            .events(id)
            .filter(({ type }) => type === 'message').length === 2,
        'both',
      );
      const [text, file] = world
        .desk()
        .events(id)
        .flatMap((event) => (event.type === 'message' ? [event.message] : []));
      assert.equal(text?.text, '<img src=x onerror=alert(1)>');
      assert.deepEqual(file?.files, [{ name: 'files.example.com: "><script>', url: 'https://files.example.com/a.png' }]);
    });
  });

  describe('lets', () => {
    it('only the owner of a conversation write in it, and the next agent only once it is theirs', async () => {
      await world.close();
      world = await openWorld('desk', {}, {}, 'supervisor');
      const id = await join();
      const other = await invited();
      other.watch(id);
      for (const act of [
        { kind: 'say', id: 'm1', text: 'I am not on' },
        { kind: 'finish', wrapUp: 'solved' },
        { kind: 'return' },
        { kind: 'start', id: newUlid(), app: 'passkeys', phoneNumber: '+12025550110' },
        { kind: 'transfer', to: other.me().id },
      ])
        assert.equal((await other.act(id, act)).refused, 'not_yours', act.kind);
      assert.equal((await other.ask({ type: 'options', id, app: 'payments', phoneNumber: '+12025550110' })).refused, 'not_yours');
      assert.equal((await other.act(id, { kind: 'accept' })).refused, 'taken');
      assert.equal((await world.desk().act(id, { kind: 'transfer', to: 'nobody@example.com' })).refused, 'nobody');
      assert.equal((await world.desk().act(id, { kind: 'transfer', to: other.me().id })).refused, undefined);
      assert.match(world.said().at(-1) ?? '', /Noa has taken over this chat/);
      assert.equal((await other.act(id, { kind: 'say', id: 'm1', text: 'Now I am' })).refused, undefined);
      assert.equal((await world.desk().act(id, { kind: 'take' })).refused, undefined);
      assert.match(world.said().at(-1) ?? '', /Mara has taken over this chat/);
      assert.equal((await other.act(id, { kind: 'say', id: 'm2', text: 'No more' })).refused, 'not_yours');
      await until(() => other.rows()[0]?.agent?.id === world.desk().me().id, 'the owner in the list');
    });

    it('an agent add a note for the colleague to whom they transfer a conversation', async () => {
      await world.close();
      world = await openWorld('desk', {}, {}, 'supervisor');
      const id = await join();
      const other = await invited();
      other.watch(id);
      const note = 'Wants a refund, her card was 4111 1111 1111 1111';
      assert.equal((await world.desk().act(id, { kind: 'transfer', to: other.me().id, note })).refused, undefined);
      const joined = await until(() => other.events(id).filter(({ type }) => type === 'joined')[1], 'the new owner');
      assert.deepEqual(
        { ...joined, number: 0, at: 0 },
        {
          ...{ number: 0, at: 0, type: 'joined', agent: 'Noa', from: 'Mara' },
          note: 'Wants a refund, her card was •••• •••• •••• ••••',
        },
      );
      assert.doesNotMatch(world.said().join(' '), /refund/);
    });

    it('an agent finish a conversation with a wrap-up code, or return it to the bot', async () => {
      const id = await join();
      assert.equal((await world.desk().act(id, { kind: 'finish', wrapUp: 'solved' })).refused, undefined);
      await until(() => world.desk().rows().length === 0, 'the list without it');
      const ended = world.desk().events(id).at(-1);
      assert.deepEqual([ended?.type, ended?.type === 'ended' && ended.wrapUp], ['ended', 'solved']);
      assert.equal((await world.desk().act(id, { kind: 'say', id: 'm9', text: 'Hello?' })).refused, 'over');
      const again = await join();
      await world.desk().act(again, { kind: 'return' });
      assert.match(world.said().at(-1) ?? '', /I am here again/);
    });

    it('only supervisors see the desk’s figures, the access log and who is signed in', async () => {
      await world.close();
      world = await openWorld('desk', {}, {}, 'supervisor');
      const agent = await invited();
      const id = await join();
      await world.desk().act(id, { kind: 'finish', wrapUp: 'solved' });
      const questions = [
        { type: 'overview' },
        { type: 'accesses' },
        { type: 'sessions' },
        { type: 'end-session', session: 'x' },
        { type: 'invite' },
      ];
      for (const question of questions) {
        assert.equal((await agent.ask(question)).refused, 'forbidden', question.type);
        assert.equal((await world.desk().ask(question)).refused, undefined, question.type);
      }
      const overview = (await world.desk().ask({ type: 'overview' })).value as { conversations: number; wrapUps: object[] };
      assert.deepEqual([overview.conversations, overview.wrapUps], [1, [{ code: 'solved', count: 1 }]]);
      const accesses = (await world.desk().ask({ type: 'accesses' })).value as { action: string; person: string; subject: string }[];
      const done = accesses.map(({ action, person }) => `${person}: ${action}`);
      for (const line of [
        `Mara (mara@example.com, ${world.desk().me().id}): open`,
        `Mara (mara@example.com, ${world.desk().me().id}): accept`,
        // Nobody vouches for the address that somebody with an invitation enters.
        `Noa (${agent.me().id}): refused`,
        `Mara (mara@example.com, ${world.desk().me().id}): sign-in`,
      ])
        assert.ok(done.includes(line), `${line} in ${done.join('; ')}`);
      assert.ok(accesses.some(({ action, subject }) => action === 'open' && subject === id));
    });

    it('a supervisor end a colleague’s session at once', async () => {
      await world.close();
      world = await openWorld('desk', {}, {}, 'supervisor');
      const agent = await invited();
      const open = (await world.desk().ask({ type: 'sessions' })).value as { id: string; subject: string }[];
      const { id = '' } = open.find(({ subject }) => subject === agent.me().id) ?? {};
      await world.desk().ask({ type: 'end-session', session: id });
      agent.send({ type: 'away', away: true });
      await until(() => agent.closed() === 4401, 'the end of the connection');
      const page = await fetch(`${base(world)}/desk`, { headers: { cookie: agent.cookie } });
      assert.equal(page.status, 401);
    });

    it('a second window pause the first', async () => {
      const agent = await openDeskAgent(() => base(world), world.desk().cookie);
      others.push(agent);
      await until(() => world.desk().closed() === 4409, 'the end of the first');
    });
  });

  describe('is offered', () => {
    it('only while an agent is there; otherwise a message can be left', async () => {
      world.desk().send({ type: 'away', away: true });
      await until(
        () => world.desk().frames.some((frame) => frame.type === 'colleagues' && frame.colleagues.every(({ away }) => away)),
        'nobody there',
      );
      await says('agent');
      assert.match(world.said().join('\n'), /nobody can join this chat right now[\s\S]*leave a message/i);
      assert.equal(world.desk().rows().length, 0);
      world.desk().send({ type: 'away', away: false });
      await until(() => world.desk().frames.findLast((frame) => frame.type === 'colleagues')?.type === 'colleagues', 'somebody there');
      await until(async () => {
        await says('agent');
        return world.desk().rows().length > 0;
      }, 'the request');
    });
  });
});

describe('the way to the desk', () => {
  let world: World;
  before(async () => {
    world = await openWorld('desk');
  });
  after(() => world.close());

  it('is a link that works once', async () => {
    const link = world.whole.bot().links.desk ?? '';
    for (const init of [{}, { method: 'POST', body: new URLSearchParams({ name: 'X', email: 'x@example.com' }) }])
      assert.equal((await fetch(link, { ...init, redirect: 'manual' })).status, 410);
  });

  it('is closed to anonymous visitors, other sites, and people who only claim a name', async () => {
    const port = world.whole.bot().port;
    const { cookie } = world.desk();
    const rows: [string, string, Record<string, string>, number][] = [
      ['nobody', '/desk', {}, 401],
      ['a made-up cookie', '/desk', { cookie: 'desk=abcdefghijklmnopqrstuvwxyz012345' }, 401],
      ['a proxy', '/desk', { cookie, 'x-forwarded-for': '203.0.113.9' }, 421],
      ['another name of this machine', '/desk', { cookie, host: 'desk.example.com' }, 421],
      ['a made-up link', '/desk/sign-in/abcdefghijklmnopqrstuvwxyz012345', {}, 410],
      ['somebody signed in', '/desk', { cookie }, 200],
    ];
    for (const [who, path, headers, status] of rows) {
      assert.equal(await request(port, path, headers), status, who);
    }
  });

  const upgrades: [string, (cookie: string, origin: string) => Record<string, string>, string][] = [
    ['nobody', (_, origin) => ({ origin }), '401'],
    ['another site', (cookie) => ({ cookie, origin: 'https://evil.example' }), '403'],
    ['a page without an origin', (cookie) => ({ cookie }), '403'],
    ['a sandboxed page', (cookie) => ({ cookie, origin: 'null' }), '403'],
    ['a proxy', (cookie, origin) => ({ cookie, origin, 'x-forwarded-for': '203.0.113.9' }), '403'],
  ];
  for (const [who, headers, status] of upgrades) {
    it(`opens no socket for ${who}`, async () => {
      const origin = `http://localhost:${world.whole.bot().port}`;
      const socket = new WebSocket(`${origin.replace('http', 'ws')}/desk/socket`, { headers: headers(world.desk().cookie, origin) });
      const fault = await new Promise<Error>((resolve, reject) =>
        socket.once('error', resolve).once('open', () => reject(new Error('it opened'))),
      );
      assert.match(fault.message, new RegExp(status));
    });
  }

  const frames: [string, string | Buffer][] = [
    ['no JSON', '{'],
    ['an unknown type', '{"type":"everything"}'],
    ['more than is known', '{"type":"away","away":true,"role":"supervisor"}'],
    ['another agent’s name', `{"type":"act","ref":"a","id":"01KAH5Z0V8Q2J9XW3N4M5P6R7S","act":{"kind":"accept","agent":{"id":"x"}}}`],
    ['bytes', Buffer.from([1, 2, 3])],
  ];
  for (const [what, frame] of frames) {
    it(`ends with ${what}`, async () => {
      const origin = `http://localhost:${world.whole.bot().port}`;
      const socket = new WebSocket(`${origin.replace('http', 'ws')}/desk/socket`, { headers: { cookie: world.desk().cookie, origin } });
      await new Promise((resolve) => socket.once('open', resolve));
      const closed = new Promise<number>((resolve) => socket.once('close', resolve));
      socket.send(frame);
      assert.equal(await closed, 4400);
    });
  }
});

const request = async (port: number, path: string, headers: Record<string, string>): Promise<number> => {
  const { request: ask } = await import('node:http');
  return new Promise((resolve, reject) => {
    ask({ port, host: '127.0.0.1', path, headers: { host: `localhost:${port}`, ...headers } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    })
      .once('error', reject)
      .end();
  });
};
