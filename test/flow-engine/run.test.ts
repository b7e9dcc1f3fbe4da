import assert from 'node:assert/strict';
import type { FlowEvent } from '../../src/flows/index.ts';
import type { KeptVersion } from '../../src/flows/versions/flow-versions.ts';
import { startConversation } from '../support/conversation-under-test.ts';
import { cpuTimeOf } from '../support/cpu-time.ts';
import { flowOf, flowsOf } from '../support/flows.ts';

const caller = '+12025550102';

/** A chat in which one flow can be begun by its name, and what happened in it. */
const chatIn = (text: string, others: Readonly<Record<string, string>> = {}, versions = new Map<string, KeptVersion>()) => {
  const events: FlowEvent[] = [];
  const flows = flowsOf({ trial: text, ...others });
  const chat = startConversation({ flows, versions, observe: (event) => void events.push(event) });
  chat.callerNumber = caller;
  const ended = () => events.find((event) => event.ended !== undefined)?.ended;
  /** The outcome of what was sent last comes in. */
  const outcome = (status: 'cancelled' | 'failure' | 'success' | 'timeout', result: object = {}) => {
    const interaction = chat.sent.at(-1) as never as Record<string, unknown>;
    const told = { ...interaction, state: 'decided', outcome: { status, by: 'result', at: chat.now, result: { ...result, status } } };
    Object.assign(chat.sent.at(-1) as object, told);
    return chat.hears({ kind: 'outcome', interaction: told as never });
  };
  return { chat, events, ended, outcome };
};

describe('a flow that runs', () => {
  for (const [app, wanted] of [
    ['passkeys', /No answer in time\. Nov 20.* Let us try a code\./],
    ['one-time-passcode', /The code has expired\. Nov 20.* Let us try a code\./],
  ] as const)
    it(`does not offer to send again what has expired, as it goes on itself: ${app}`, async () => {
      const { chat, outcome } = chatIn(flowOf(`- ${app}:\n  else: next\n- say: Let us try a code.`));
      await chat.say('trial', 'yes', 'yes');
      const said = (await outcome('timeout')).replace(/\s+/g, ' ');
      assert.match(said, wanted);
      assert.doesNotMatch(said, /You can|new one/);
    });

  it('asks, stores the answers, and formats them for the customer’s language', async () => {
    const { chat, ended } = chatIn(
      flowOf(`- ask: text
  as: name
  text: What is your name?
- ask: money
  as: limit
  currency: EUR
  text: How much?
- ask: date
  as: day
  text: From when?
- ask: yes-no
  as: sure
  text: Sure?
- set: { twice: "#{limit * 2}" }
- say: "#{name}, #{limit}, #{twice}, #{day}, #{sure}"`),
    );
    assert.match(await chat.say('trial'), /What is your name\?/);
    // Any words may be a name: this is no wish.
    assert.match(await chat.say('Bill Payment'), /How much\?/);
    assert.match(await chat.say('a lot'), /amount, such as €128\.40/);
    assert.match(await chat.say('€1,200.50'), /From when\?/);
    assert.match(await chat.say('5 December 2026'), /Sure\?/);
    assert.match(await chat.say('yeah'), /Bill Payment, €1,200\.50, 2401, Dec 5, 2026, yes/);
    assert.equal(ended(), 'success');
  });

  for (const pattern of ['^([A-Z0-9]+ ?)+$', '^([A-Za-z0-9]+-?)+$', '^(a|aa)+$'])
    it(`matches an answer with ${pattern} in a time that grows with the answer only`, async () => {
      const { chat } = chatIn(
        flowOf(`- ask: text\n  as: plate\n  text: Plate?\n  check: answer.matches('${pattern}')\n  repair: No plate.`),
      );
      await chat.say('trial');
      const took = await cpuTimeOf(async () => assert.match(await chat.say(`${'aA'.repeat(950)}!`), /No plate\./));
      assert.ok(took < 2000);
    });

  const failing: readonly (readonly [what: string, steps: string])[] = [
    [
      'the check of a question',
      "- ask: text\n  as: day\n  text: When?\n  check: timestamp(answer) > timestamp('2026-01-01T00:00:00Z')\n  repair: Later.",
    ],
    ['the repair of a question', '- ask: number\n  as: n\n  text: How many?\n  repair: "#{1/zero}"'],
    [
      'a choice of a question',
      '- ask: choice\n  as: c\n  text: Which?\n  choices: [ { value: a, title: "#{1/zero}" }, { value: b, title: B } ]',
    ],
    ['the text of a question', '- ask: text\n  as: n\n  text: "#{1/zero}?"'],
    ['a message', '- say: "#{1/zero}"'],
  ];
  for (const [what, steps] of failing)
    it(`ends in failure, with a sentence, if ${what} fails; its author reads where and why`, async () => {
      const { chat, ended, events } = chatIn(flowOf(`- set: { zero: 0 }\n${steps}`));
      const said = [await chat.say('trial'), ended() ? '' : await chat.say('next Friday')].join('\n');
      assert.match(said, /something went wrong on our side, so we have to stop here/);
      assert.equal(ended(), 'failure');
      const warning = events.find((event) => event.warning)?.warning;
      assert.equal(warning?.line, 5);
      assert.match(`${warning?.message}; ${warning?.hint}`, /^(?:1\/zero|timestamp\(.*) failed for a customer; \S/);
      assert.match(await chat.say('help'), /What would you like/);
    });

  it('asks which meaning of an ambiguous answer is right', async () => {
    const { chat } = chatIn(flowOf('- ask: date\n  as: day\n  text: When?\n- say: "It is #{day}"'));
    chat.locale = 'en';
    await chat.say('trial');
    assert.match(
      await chat.say('05/06/2026'),
      /two ways[\s\S]*1\. Jun 5, 2026[\s\S]*2\. May 6, 2026|two ways[\s\S]*1\. May 6, 2026[\s\S]*2\. Jun 5, 2026/,
    );
    assert.match(await chat.say('1'), /It is (?:Jun 5|May 6), 2026/);
  });

  it('asks again with the flow’s own text if an answer does not fit, and otherwise says what can be read', async () => {
    const text =
      '- ask: number\n  as: n\n  text: How many?\n  check: answer >= 2 && answer < 5\n  repair: Two to four.\n- say: "#{n} it is"';
    const { chat } = chatIn(flowOf(text));
    await chat.say('trial');
    assert.match(await chat.say('1'), /^Two to four\./);
    const unread = await chat.say('sorry, I meant many');
    assert.match(unread, /a number/);
    assert.doesNotMatch(unread, /Two to four/);
    assert.match(await chat.say('5'), /^Two to four\./);
    assert.match(await chat.say('2'), /2 it is/);
    const { chat: unchecked } = chatIn(flowOf(text.replace(/ {2}check: .*\n/, '')));
    await unchecked.say('trial');
    assert.match(await unchecked.say('many'), /^Two to four\./);
  });

  it('takes an e-mail address, a number to call, and one of several', async () => {
    const { chat } = chatIn(
      flowOf(
        '- { ask: email, as: mail }\n- { ask: phone, as: tel }\n- ask: choice\n  as: plan\n  text: Which plan?\n  choices: [ { value: s, title: Small }, { value: l, title: { en: Large, es: Grande } } ]\n- say: "#{mail} #{tel} #{plan}"',
      ),
    );
    assert.match(await chat.say('trial'), /e-mail address\?/);
    assert.match(await chat.say('mei'), /does not look like an e-mail/);
    assert.match(await chat.say('mei@example.com'), /phone number\?/);
    assert.match(await chat.say('202 555 0147'), /Which plan\?[\s\S]*1\. Small[\s\S]*2\. Large/);
    assert.match(await chat.say('the large one'), /mei@example\.com \+12025550147 Large/);
  });

  it('accepts commands and other requests at its questions', async () => {
    const { chat, events } = chatIn(flowOf('- ask: number\n  as: n\n  text: How many?'));
    await chat.say('trial');
    assert.match(await chat.say('help'), /How many\?/);
    assert.match(await chat.say('agent'), /How many\?/);
    assert.match(await chat.say('I want to pay my bill'), /M••• T\./);
    await chat.say('cancel', 'trial');
    assert.match(await chat.say('cancel'), /nothing was sent/);
    assert.deepEqual(
      events.flatMap(({ ended }) => ended ?? []),
      ['left', 'left'],
    );
  });

  for (const [at, steps] of [
    ['an app', '- document-signature: { document: Contract }\n  else: [ { say: Too bad } ]'],
    ['a choice', '- choose: document\n  from: documents\n- say: Too bad'],
  ] as const)
    it(`is left for another request at ${at}, which is followed`, async () => {
      const { chat, ended } = chatIn(flowOf(steps));
      await chat.say('trial');
      const said = await chat.say('I want to pay my bill');
      assert.match(said, /\$128\.40/);
      assert.doesNotMatch(said, /Too bad/);
      assert.equal(ended(), 'left');
    });

  it('takes its inputs from the customer’s first words, and asks for none of them', async () => {
    const says = 'says: { en: ["book {count} places on {day}", book places], es: [reservar] }\nneeds: { count: number?, day: date? }';
    const steps =
      '- ask: number\n  as: count\n  text: How many?\n  check: answer > 0\n  repair: One at least.\n- ask: date\n  as: day\n  text: When?\n- say: "#{count} on #{day}"';
    const { chat } = chatIn(flowOf(steps, says));
    assert.match(await chat.say('please book 3 places on 5 December 2026'), /3 on Dec 5, 2026/);
    assert.match(await chat.say('book places, 4 of them'), /When\?/);
    await chat.say('cancel');
    // What was said is asked for all the same where it does not fit.
    assert.match(await chat.say('book 0 places on 5 December 2026'), /How many\?/);
  });

  it('looks up the number in the customer’s first words, and asks for none', async () => {
    const { chat } = chatIn(flowOf('- choose: product\n  from: products', 'says: { en: [settle it] }'));
    chat.callerNumber = undefined;
    await chat.say('settle it for +1 202 555 0147');
    assert.deepEqual(chat.lookups, ['+12025550147']);
  });

  it('is begun by a phrase that is at least as specific as an app’s, and not by a less specific one', async () => {
    const flow = (phrase: string) => flowOf('- say: from the flow', `says: { en: ["${phrase}"], es: [x] }`);
    assert.match(await chatIn(flow('pay my bill in parts')).chat.say('I want to pay my bill in parts'), /from the flow/);
    assert.match(await chatIn(flow('pay my bill')).chat.say('I want to pay my bill'), /from the flow/);
    assert.match(await chatIn(flow('pay')).chat.say('I want to pay my bill'), /M••• T\./);
  });

  it('uses an app’s own dialog, knows its outcome, and asks nothing twice', async () => {
    const { chat, ended, outcome } = chatIn(
      flowOf(
        '- choose: product\n  from: products\n- payments: { product: "#{product}" }\n  as: pay\n  on: { success: next, else: end }\n- when: pay.amount > 100\n  do: [ { say: "Much: #{pay.amount}" } ]\n  else: [ { say: "Little: #{pay.amount}" } ]',
      ),
    );
    assert.match(await chat.say('trial'), /What would you like to pay for/);
    assert.match(await chat.say('1'), /on your phone/);
    assert.match(await chat.say('send'), /Waiting for your payment/);
    assert.match(
      await outcome('success', { app: 'payments', product: 'Bill', amount: 128.4, currency: 'USD', quantity: 1 }),
      /Much: \$128\.40/,
    );
    assert.equal(ended(), 'success');
    assert.deepEqual(chat.lookups, [caller, caller], 'one look-up for what can be chosen, one for the send');
  });

  it('asks once which customer of a number it is about', async () => {
    const { chat } = chatIn(flowOf('- choose: product\n  from: products\n- payments: { product: "#{product}" }\n  else: end'));
    chat.found = {
      ...chat.found,
      customers: [...chat.found.customers, { ...chat.found.customers[0], id: 'cust-0102-noa', name: 'Noa Berg' } as never],
    };
    assert.match(await chat.say('trial'), /N••• B\./);
    await chat.say('2', '1', 'send');
    assert.deepEqual(
      chat.sent.map(({ customerRef }) => customerRef),
      ['cust-0102-noa'],
    );
  });

  it('takes the payment from the request if no result could be read', async () => {
    const { chat, outcome } = chatIn(
      flowOf('- payments: { product: bill }\n  as: pay\n  on: { success: next, else: end }\n- say: "#{pay.product}: #{pay.amount}"'),
    );
    await chat.say('trial', 'send');
    assert.match(await outcome('success'), /Bill: \$128\.40/);
  });

  for (const [status, wanted] of [
    ['failure', 'failure'],
    ['timeout', 'timeout'],
    ['cancelled', 'cancelled'],
  ] as const) {
    it(`takes the branch for ${status}`, async () => {
      const on = '{ success: [ { end: success } ], failure: end, timeout: end, cancelled: end }';
      const { chat, ended, outcome } = chatIn(flowOf(`- payments: { product: bill }\n  on: ${on}`));
      await chat.say('trial', 'send');
      await outcome(status);
      assert.equal(ended(), wanted);
    });
  }

  it('retries as often as the flow says, with the same choices and values, and then continues', async () => {
    const { chat, ended, outcome, events } = chatIn(
      flowOf(
        '- payments: { product: bill }\n  on: { success: end, failure: { retry: 2, then: [ { say: Enough }, { end: failure } ] }, else: end }',
      ),
    );
    await chat.say('trial', 'send');
    for (let tries = 0; tries < 2; tries += 1) {
      assert.match(await outcome('failure'), /Pay \S+ on your phone/);
      await chat.say('send');
    }
    assert.match(await outcome('failure'), /Enough/);
    assert.equal(ended(), 'failure');
    assert.equal(chat.sent.length, 3);
    assert.deepEqual(
      events.flatMap(({ edge }) => edge?.edge ?? []),
      ['failure again', 'failure again', 'failure'],
    );
  });

  it('takes the branch for cancelled if the customer declines the send, and for failure if the service refuses', async () => {
    const flow = flowOf('- payments: { product: bill }\n  on: { success: end, failure: end, timeout: end, cancelled: end }');
    const left = chatIn(flow);
    await left.chat.say('trial', 'cancel');
    assert.equal(left.ended(), 'cancelled');
    const refused = chatIn(flow);
    refused.chat.starts = { state: 'refused', refusal: 'rejected' };
    await refused.chat.say('trial', 'send');
    assert.equal(refused.ended(), 'failure');
  });

  it('runs another flow with inputs, and knows its outputs', async () => {
    const other = flowOf(
      '- when: n > 10\n  do: [ { end: failure } ]\n- set: { sum: "#{n + 1}" }',
      'menu: false\nneeds: { n: number }\ngives: { sum: number }',
      'other',
    );
    const one = (n: number) =>
      chatIn(
        flowOf(
          `- run: other\n  with: { n: ${n} }\n  as: o\n  on: { success: [ { say: "Sum #{o.sum}" } ], failure: [ { say: Too much } ], else: end }`,
        ),
        { other },
      );
    assert.match(await one(4).chat.say('trial'), /Sum 5/);
    assert.match(await one(11).chat.say('trial'), /Too much/);
  });

  for (const [by, app, ending] of [
    ['passkeys, one-time-passcode', 'one-time-passcode', undefined],
    ['passkeys', undefined, 'failure'],
  ] as const)
    it(`leads a customer whom one method cannot reach to ${app ?? 'its own way on'}, where it verifies by ${by}`, async () => {
      const { chat, ended } = chatIn(flowOf(`- verify: { by: [${by}] }\n  else: end`));
      chat.found = { ...chat.found, customers: chat.found.customers.map((one) => ({ ...one, email: 'none' })) };
      await chat.say('trial', 'yes');
      if (app) await chat.say('send');
      assert.deepEqual([chat.sent.at(-1)?.app, ended()], [app, ending]);
    });

  it('brings a person in', async () => {
    const { chat, ended } = chatIn(flowOf('- handoff: { reason: contract }'));
    assert.match(await chat.say('trial'), /Nobody can join/);
    assert.equal(ended(), 'handoff');
  });

  it('ends with an apology if an expression cannot be evaluated', async () => {
    const { chat, ended } = chatIn(flowOf('- set: { one: 1 }\n- set: { a: "#{1 / (one - 1)}" }\n- say: never'));
    assert.match(await chat.say('trial'), /something went wrong on our side, so we have to stop here/);
    assert.equal(ended(), 'failure');
  });

  it('is in the menu after the apps, with its description the first time', async () => {
    const { chat } = chatIn(
      flowOf('- say: from the flow').replace(
        'title: trial',
        'title: { en: Try it, es: Probarlo }\ndescription: { en: A trial., es: Una prueba. }',
      ),
    );
    assert.match(await chat.say('hello'), /5\. Fill in a form[^\n]*\n6\. Try it: A trial\.\n7\. Talk to a person/);
    assert.match(await chat.say('6'), /from the flow/);
  });

  it('finishes in the version that it began with, even if the file has changed', async () => {
    const versions = new Map<string, KeptVersion>();
    const first = chatIn(flowOf('- ask: number\n  as: n\n  text: How many?\n- say: "The old way: #{n}"'), {}, versions);
    await first.chat.say('trial');
    const changed = chatIn(flowOf('- say: The new way'), {}, versions);
    changed.chat.state = first.chat.state;
    assert.match(await changed.chat.say('3'), /The old way: 3/);
    assert.match(await changed.chat.say('trial'), /The new way/);
  });

  it('says so if the version is no longer stored, and the chat continues', async () => {
    const { chat } = chatIn(flowOf('- ask: number\n  as: n\n  text: How many?'));
    await chat.say('trial');
    const other = chatIn(flowOf('- say: x'));
    other.chat.state = chat.state;
    assert.match(await other.chat.say('3'), /something went wrong on our side[\s\S]*What would you like to do/);
  });

  it('gives each message its own key, so that a repeated turn posts nothing twice', async () => {
    const { chat } = chatIn(flowOf('- say: one\n- say: two'));
    await chat.say('trial');
    const keys = chat.said.flatMap(({ text, channelData }) => (text === 'one' || text === 'two' ? [channelData.deliveryKey] : []));
    assert.equal(new Set(keys).size, 2);
  });
});
