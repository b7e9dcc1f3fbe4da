import assert from 'node:assert/strict';
import { decodeJwt } from 'jose';
import { makeHandoffStore } from '../../src/handoff/index.ts';
import { newUlid } from '../../src/platform/secrets/new-id.ts';
import { flowOf } from '../support/flows.ts';
import { until } from '../support/until.ts';
import { openVerifiedWorld, type Phone, people, type VerifiedWorld, type VerifiedWorldOptions } from '../support/verified-world.ts';

const [samira, samiraToo, omar]: [Phone, Phone, Phone] = ['+12025550110', '+12025550111', '+12025550113'];
const minute = 60_000;

describe('whose verification it is', () => {
  let world: VerifiedWorld;
  const open = async (options?: VerifiedWorldOptions) => {
    world = await openVerifiedWorld(options);
  };
  afterEach(() => world.close());
  const last = () => world.sent.at(-1) ?? assert.fail('nothing was sent');
  /** The customer of a number is verified, by the bot. */
  const verify = async (phone: Phone) => {
    await world.say('passkeys', phone, 'yes');
    await world.ends(last(), 'success');
  };
  const join = async () => {
    await world.say('agent');
    assert.equal((await world.act('mara', { kind: 'accept' })).refused, undefined);
  };
  const start = (phone: Phone, app: 'one-time-passcode' | 'passkeys' | 'payments' = 'payments', more: object = {}) =>
    world.act('mara', {
      ...{ kind: 'start', id: newUlid(), app, phoneNumber: phone, customerRef: people[phone].id, forAnother: true },
      ...(app === 'payments' && { chosen: 'bill' }),
      ...more,
    });
  const badge = async () => (await world.row())?.badge;
  const happened = async (type: string) => (await world.events()).filter((event) => event.type === type);

  describe('at the desk:', () => {
    beforeEach(() => open());

    it('is asked before something goes to somebody else than the verified customer', async () => {
      await verify(samira);
      await join();
      const id = newUlid();
      assert.equal((await start(omar, 'payments', { id, forAnother: false })).refused, 'other_customer');
      assert.equal(world.sent.length, 1);
      assert.equal((await badge())?.state, 'verified');
      assert.equal((await start(samira, 'payments', { forAnother: false })).refused, undefined);
      assert.equal((await start(omar, 'payments', { id })).refused, undefined);
      assert.equal(last().customerRef, people[omar].id);
    });

    it('ends with what is started for somebody else, and the badge says so of the right person', async () => {
      await verify(samira);
      await join();
      await start(omar);
      const { state, phone } = (await badge()) ?? assert.fail();
      assert.deepEqual([state, phone], ['expired', '+1•••0110']);
      const panel = (await world.panel()) ?? assert.fail();
      assert.deepEqual([panel.badge.state, panel.customer], ['expired', { name: 'S••• H.', phone: '+1•••0110' }]);
      assert.deepEqual(
        panel.timeline.map(({ app, whom }) => [app, whom]),
        [
          ['payments', 'O••• G. +1•••0113'],
          ['passkeys', undefined],
        ],
      );
    });

    it('is not that of somebody to whom something was sent, in the talk either', async () => {
      await verify(samira);
      await join();
      await start(omar);
      await world.ends(last(), 'success');
      const [started] = await happened('started');
      const [outcome] = await happened('outcome');
      assert.deepEqual(
        [started, outcome].map((event) => event && 'whom' in event && event.whom),
        ['O••• G. +1•••0113', 'O••• G. +1•••0113'],
      );
    });

    it('is still of the same person when it has ended, until somebody else is verified', async () => {
      await verify(samira);
      await join();
      await start(omar, 'passkeys');
      await world.ends(last(), 'timeout');
      world.now += 16 * minute;
      const panel = (await world.panel()) ?? assert.fail();
      assert.deepEqual([panel.badge.state, panel.customer?.phone], ['expired', '+1•••0110']);
      await start(omar, 'passkeys');
      await world.ends(last(), 'success');
      const now = (await world.panel()) ?? assert.fail();
      assert.deepEqual([now.badge.state, now.customer], ['verified', { name: 'Omar Garcia', phone: omar, ref: people[omar].id }]);
    });

    it('is in the list with the number that was verified, not with the one that was given first', async () => {
      await world.say('payments', omar, 'yes');
      await join();
      assert.deepEqual(await badge(), { state: 'none', phone: '+1•••0113' });
      await start(samira, 'passkeys');
      await world.ends(last(), 'success');
      assert.deepEqual([(await badge())?.state, (await badge())?.phone], ['verified', '+1•••0110']);
      const [outcome] = await happened('outcome');
      assert.deepEqual(outcome && 'another' in outcome && outcome.another, { who: 'S••• H. +1•••0110', before: 'O••• G. +1•••0113' });
      const { timeline } = (await world.panel()) ?? assert.fail();
      assert.deepEqual(timeline.map(({ app, whom }) => [app, whom]).at(-1), ['payments', 'O••• G. +1•••0113']);
    });

    for (const kind of ['app', 'flow'] as const)
      it(`is of the number that was verified last, to which an agent’s ${kind} goes`, async () => {
        if (kind === 'flow') {
          await world.close();
          await open({ flows: { trial: flowOf('- payments: { product: Bill }\n  else: end') } });
        }
        await verify(samira);
        await join();
        await start(samiraToo, 'one-time-passcode');
        await world.ends(last(), 'success');
        const { refused } =
          kind === 'app'
            ? await start(samira, 'payments', { phoneNumber: undefined, customerRef: undefined })
            : await world.act('mara', { kind: 'flow', id: newUlid(), flow: 'trial' });
        if (kind === 'flow') await world.say('yes');
        assert.deepEqual([refused, last().app, last().phoneNumber], [undefined, 'payments', samiraToo]);
      });

    it('is with each message the one of then', async () => {
      await verify(samira);
      await join();
      await world.say('hello');
      await start(omar, 'passkeys');
      await world.ends(last(), 'success');
      await world.say('hello again');
      const said = (await happened('message')).map((event) => event.type === 'message' && [event.verified, event.phone]);
      assert.deepEqual(said, [
        [true, '+1•••0110'],
        [true, '+1•••0113'],
      ]);
    });

    const ends: [string, () => Promise<unknown>][] = [
      ['a new member', () => world.happens({ type: 'conversationUpdate', membersAdded: [{ id: 'user-2' }] as never })],
      ['going on elsewhere', () => world.happens({ type: 'event', name: 'chat.resumed' })],
      ['goodbye', () => world.say('goodbye')],
      ['something for somebody else', () => start(omar)],
    ];
    for (const [how, end] of ends)
      it(`ends in the list at once by ${how}`, async () => {
        await verify(samira);
        await join();
        assert.equal((await badge())?.state, 'verified');
        await end();
        assert.deepEqual([(await badge())?.state, (await badge())?.phone], ['expired', '+1•••0110']);
      });

    it('names the agents of earlier conversations of the chat', async () => {
      await join();
      await world.act('mara', { kind: 'say', id: 'm1', text: 'It is done.' });
      await world.act('mara', { kind: 'finish', wrapUp: 'solved' });
      await world.say('agent');
      const [asked] = await happened('requested');
      const lines = asked?.type === 'requested' ? asked.lines : [];
      assert.deepEqual(
        lines.flatMap(({ agent, from, text }) => (from === 'agent' ? [[agent, text]] : [])),
        [['Mara', 'It is done.']],
      );
    });
  });

  describe('an agent’s act', () => {
    beforeEach(() => open());
    const acts: [string, () => object][] = [
      ['say', () => ({ kind: 'say', id: 'm1', text: 'typed by Mara' })],
      ['start', () => ({ kind: 'start', id: newUlid(), app: 'payments', phoneNumber: samira, chosen: 'bill' })],
      ['finish', () => ({ kind: 'finish', wrapUp: 'solved' })],
      ['return', () => ({ kind: 'return' })],
      ['stop', () => ({ kind: 'stop' })],
    ];
    for (const [kind, what] of acts)
      it(`is not done in the name of a colleague who took the chat meanwhile: ${kind}`, async () => {
        await join();
        const replies: unknown[] = [];
        await world.duringATurn(
          () => world.act('noa', { kind: 'take' }),
          async () => replies.push(await world.act('mara', what())),
        );
        assert.deepEqual(replies, [{ refused: 'not_yours' }]);
        assert.deepEqual([(await world.row())?.agent?.name, (await world.row())?.state], ['Noa', 'accepted']);
        assert.deepEqual([world.sent.length, world.said.filter((said) => /typed by Mara|has left|Noa has started/.test(said))], [0, []]);
      });
  });

  describe('in a proof', () => {
    beforeEach(() => open({ hub: 'webhook' }));
    const events = async () => world.storage.of(makeHandoffStore).events((await world.handoffId()) ?? '', 0, 100);
    /** The proofs that a platform gets now for the events so far. */
    const proofs = async () => {
      const handoff = (await world.storage.of(makeHandoffStore).get((await world.handoffId()) ?? '')) ?? assert.fail();
      const told = (await events()).map(({ data }) => (data as { verification?: never }).verification);
      return (await Promise.all(told.map((one) => world.engine.prove(handoff, one))))
        .flatMap((token) => token ?? [])
        .map((token) => decodeJwt(token));
    };

    it('names the handoff, and the conversation as the event does', async () => {
      await verify(samira);
      await world.say('agent');
      const post = await until(() => world.posts[0], 'the event');
      const claims = decodeJwt(post.data.assertion);
      assert.deepEqual(
        [claims.sub, claims.cs_handoff, claims.cs_conversation],
        [people[samira].id, post.data.handoff.id, post.data.handoff.conversation],
      );
      assert.deepEqual([post.data.context.cs_handoff, post.data.context.cs_conversation], [claims.cs_handoff, claims.cs_conversation]);
    });

    const ends: [string, () => Promise<unknown>][] = [
      ['a new member', () => world.happens({ type: 'conversationUpdate', membersAdded: [{ id: 'user-2' }] as never })],
      ['goodbye', () => world.say('goodbye')],
      ['finishing', () => world.act('mara', { kind: 'finish', wrapUp: 'solved' })],
      ['returning', () => world.act('mara', { kind: 'return' })],
      ['something for somebody else', () => start(omar)],
    ];
    for (const [how, end] of ends)
      it(`is made no more after ${how}, for an event from before either`, async () => {
        await verify(samira);
        await join();
        assert.equal((await proofs()).length, 1);
        await end();
        assert.deepEqual(await proofs(), []);
      });

    it('is reported when it ends, with the person', async () => {
      await verify(samira);
      await join();
      await start(omar, 'passkeys');
      await world.ends(last(), 'timeout');
      const told = await until(() => world.posts.some(({ type }) => type === 'handoff.outcome') && world.posts, 'the outcome');
      const states = told.flatMap(({ type, data }) =>
        data.verification ? [[type, data.verification.state, data.verification.phone]] : [],
      );
      assert.deepEqual(states, [
        ['handoff.requested', 'verified', '+1•••0110'],
        ['handoff.verification', 'expired', '+1•••0110'],
        ['handoff.outcome', 'expired', '+1•••0110'],
      ]);
      const { outcome } = told.at(-1)?.data ?? {};
      assert.deepEqual([outcome.customerRef, outcome.phone], [people[omar].id, '+1•••0113']);
    });
  });

  describe('in a flow:', () => {
    const flow = (failure: string) =>
      flowOf(
        `- verify: { by: [passkeys], fresh: 10m }
  else: stopped
- ask: text
  as: why
  text: Why?
- payments: { product: Bill }
  on: { success: next, failure: ${failure}, timeout: again, cancelled: stopped }
- say: It is paid.
- end: success`,
        `parts:
  stopped:
    - say: It is stopped.
    - end: failure
  again:
    - verify: { by: [passkeys], fresh: 10m }
      else: stopped
    - payments: { product: Bill }
      else: stopped
    - say: It is paid after all.
    - end: success`,
      );
    const ended = () => world.flowEvents.flatMap((event) => event.ended ?? []);
    const begin = async (failure = 'next') => {
      await open({ flows: { trial: flow(failure) } });
      await world.say('trial', samira, 'yes');
      await world.ends(last(), 'success');
      assert.match(world.said.at(-1) ?? '', /Why\?/);
    };

    it('counts for the customer who was verified, until its end', async () => {
      await begin();
      await world.say('because', 'yes');
      world.now += 20 * minute;
      await world.ends(last(), 'success');
      assert.deepEqual(ended(), ['success']);
    });

    it('is not finished by another, whose number was typed later: nothing is sent to them', async () => {
      await begin();
      await world.say('because', omar);
      assert.deepEqual(
        world.sent.map(({ customerRef }) => customerRef),
        [people[samira].id],
      );
      assert.match(world.said.join('\n'), /for the customer who was verified/);
      // The flow says that a failure leads on, but it is no success.
      assert.deepEqual(ended(), ['failure']);
    });

    for (const [how, happens] of [
      ['somebody has joined', { type: 'conversationUpdate', membersAdded: [{ id: 'user-2' }] }],
      ['it is gone on with elsewhere', { type: 'event', name: 'chat.resumed' }],
    ] as const) {
      it(`does not count any more once ${how}`, async () => {
        await begin();
        await world.happens(happens as never);
        await world.say('because');
        assert.equal(world.sent.length, 1);
        assert.deepEqual(ended(), ['failure']);
      });

      it(`does not count any more once ${how} while the last step is under way`, async () => {
        await begin();
        await world.say('because', 'yes');
        await world.happens(happens as never);
        await world.ends(last(), 'success');
        assert.deepEqual(ended(), ['failure']);
      });
    }

    it('may be asked for again, of whoever is there then', async () => {
      await begin('again');
      await world.say('because', omar);
      assert.deepEqual(ended(), []);
      await world.say(omar, 'yes');
      assert.deepEqual([last().app, last().customerRef], ['passkeys', people[omar].id]);
      await world.ends(last(), 'success');
      await world.say('yes');
      assert.deepEqual([last().app, last().customerRef], ['payments', people[omar].id]);
      await world.ends(last(), 'success');
      assert.match(world.said.join('\n'), /It is paid after all/);
      assert.deepEqual(ended(), ['success']);
    });
  });
});
