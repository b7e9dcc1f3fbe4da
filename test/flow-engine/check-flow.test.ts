import assert from 'node:assert/strict';
import { faultLine } from '../../src/flows/index.ts';
import { loadFlows } from '../../src/flows/load-flows.ts';
import { faultsOf, flowOf } from '../support/flows.ts';

const pay = (on: string) => `- payments: { product: p }\n  as: pay\n  on: ${on}`;
const choice = '- ask: choice\n  as: t\n  text: T?\n  choices: [ { value: green, title: G }, { value: night, title: N } ]';
const whole = '{ success: next, else: end }';

/** Flows, and the one fault that each has; or none. */
const table: readonly (readonly [what: string, text: string, fault: RegExp | undefined])[] = [
  ['all four outcomes', flowOf(pay('{ success: next, failure: end, timeout: end, cancelled: end }')), undefined],
  [
    'three outcomes',
    flowOf(pay('{ success: next, failure: end, cancelled: end }')),
    /:6:5: payments says nothing of timeout; name all four/,
  ],
  ['three outcomes and else', flowOf(pay('{ failure: end, success: next, else: end }')), undefined],
  ['no outcome at all', flowOf('- passkeys:'), /:4:5: passkeys says nothing of success, failure, timeout, and cancelled/],
  ['else alone: success goes on', flowOf('- passkeys:\n  else: end\n- say: hello'), undefined],
  ['an else twice', flowOf(`${pay(whole)}\n  else: end`), /:7:5: there is an else under on already/],
  ['the amount of a payment that succeeded', flowOf(`${pay(whole)}\n- say: "#{pay.amount}"`), undefined],
  [
    'the amount of one that failed',
    flowOf(pay('{ success: next, else: [ { say: "#{pay.amount}" }, { end: failure } ] }')),
    /:6:48: pay\.amount is not known here; only pay\.status/,
  ],
  [
    'the amount of a signature',
    flowOf('- document-signature: { document: d }\n  as: s\n  else: end\n- say: "#{s.amount}"'),
    /:7:15: s\.amount is not known here; s has status, title/,
  ],
  [
    'a field that is mistyped beside one that is not',
    flowOf(`${pay(whole)}\n- when: pay.amount > 1 && pay.amuont > 2\n  do: [ { say: x } ]`),
    /:7:\d+: pay\.amuont is not known here; did you mean amount\?$/,
  ],
  ['how it ended, whichever way', flowOf(`${pay('{ success: next, else: next }')}\n- say: "#{pay.status}"`), undefined],
  [
    'the amount, where it may have failed',
    flowOf(`${pay('{ success: next, else: next }')}\n- say: "#{pay.amount}"`),
    /:7:17: pay\.amount is not known here/,
  ],
  ['a name that is nowhere', flowOf('- ask: email\n  as: mail\n- say: "To #{mial}"'), /:6:16: mial is not known; did you mean mail\?/],
  ['an input that may be left out', flowOf('- say: "#{n}"', 'needs: { n: text? }'), /:5:13: n is not known on every way here; ask for it/],
  ['the same once it was asked for', flowOf('- ask: text\n  as: n\n  text: N?\n- say: "#{n}"', 'needs: { n: text? }'), undefined],
  ['an amount as a condition', flowOf(`${pay(whole)}\n- when: pay.amount * 2 > 500\n  do: [ { say: x } ]`), undefined],
  [
    'a text plus an amount',
    flowOf(`${pay(whole)}\n- when: pay.product + pay.amount > 5\n  do: [ { say: x } ]`),
    /:7:11: these do not go together: text \+ number/,
  ],
  [
    'a time compared with a text',
    flowOf('- when: timestamp(d) > d\n  do: [ { say: x } ]', 'needs: { d: date }'),
    /:5:\d+: these do not go together: timestamp > text$/,
  ],
  [
    'a condition that is a text',
    flowOf(`${pay(whole)}\n- when: pay.product\n  do: [ { say: x } ]`),
    /it must be true or false, and comes to text/,
  ],
  [
    'a pattern that is none',
    flowOf('- ask: text\n  as: plate\n  text: P?\n  repair: No.\n  check: \'answer.matches("^[A-Z")\''),
    /:8:2\d: “\^\[A-Z” is not a pattern: missing closing \]: "\[A-Z"; patterns are those of RE2/,
  ],
  [
    'a pattern with a back-reference, inside a list',
    flowOf("- ask: text\n  as: n\n  text: N?\n  repair: No.\n  check: \"['a'].exists(x, answer.matches('(a)\\\\\\\\1'))\""),
    /:8:\d+: “\(a\)\\1” is not a pattern: invalid escape sequence: "\\1"/,
  ],
  [
    'a pattern that a customer could type',
    flowOf('- ask: text\n  as: n\n  text: N?\n  repair: No.\n  check: "answer.matches(answer)"'),
    /:8:\d+: the pattern of matches must be written out in quotes; write it in its place, such as answer\.matches/,
  ],
  [
    'a pattern that is put together',
    flowOf("- ask: text\n  as: n\n  text: N?\n  repair: No.\n  check: \"answer.matches('a' + 'b')\""),
    /the pattern of matches must be written out in quotes/,
  ],
  [
    'a pattern that backtracks elsewhere',
    flowOf('- ask: text\n  as: n\n  text: N?\n  repair: No.\n  check: "answer.matches(\'^(a+)+$\')"'),
    undefined,
  ],
  ['an expression that is none', flowOf('- when: 1 +\n  do: [ { say: x } ]'), /:4:\d+: Unexpected token/],
  ['an expression that is not closed', flowOf('- say: "a #{b"'), /:4:10: a \$\{ is not closed; close it with }/],
  ['braces within a text of an expression', flowOf(`- say: "#{'}' + '{'}"`), undefined],
  ['all that was kept, as words', flowOf(`${pay(whole)}\n- say: "#{pay}"`), /comes to several values: name one, such as pay\.status/],
  [
    'a part that is not there',
    flowOf('- passkeys:\n  else: persn\n- go: person', 'parts: { person: [ { end: failure } ] }'),
    /:6:11: there is no part persn; did you mean person\?/,
  ],
  [
    'a part that comes to no end',
    flowOf('- go: p', 'parts: { p: [ { say: x } ] }'),
    /:3:15: part p comes to no end; finish it with end, handoff or go/,
  ],
  ['parts in a circle', flowOf('- go: a', 'parts: { a: [ { go: b } ], b: [ { go: a } ] }'), /:3:10: part a leads back to itself/],
  ['a part that nothing leads to', flowOf('- say: x', 'parts: { p: [ { end: success } ] }'), /:3:10: warning: nothing leads to part p/],
  ['steps after the end', flowOf('- end: success\n- say: x'), /:5:5: nothing leads here/],
  [
    'steps after a choice of ends',
    flowOf('- when: 1 > 0\n  do: [ { end: success } ]\n  else: [ { end: failure } ]\n- say: x'),
    /:7:5: nothing leads here/,
  ],
  [
    'what only one of two ways knows',
    flowOf('- when: 1 > 0\n  do: [ { set: { a: 1 } } ]\n- say: "#{a}"'),
    /:6:13: a is not known on every way here/,
  ],
  ['what both ways know', flowOf('- when: 1 > 0\n  do: [ { set: { a: 1 } } ]\n  else: [ { set: { a: 2 } } ]\n- say: "#{a}"'), undefined],
  ['a name that is two things', flowOf('- set: { a: 1 }\n- set: { a: x }'), /:5:15: a is number elsewhere, and text here/],
  [
    'a name that has the type of an answer elsewhere',
    flowOf('- ask: date\n  as: day\n  text: When?\n- set: { it: "#{day}" }\n- set: { it: 5 }'),
    /:8:16: it is date elsewhere, and number here$/,
  ],
  ['a name that means something else', flowOf('- set: { answer: 1 }'), /answer means something else in expressions/],
  ['a name that every object has', flowOf('- set: { constructor: 1 }'), /constructor means something else in expressions/],
  ['an input that every object has', flowOf('- say: x', 'needs: { toString: text? }'), /toString means something else in expressions/],
  [
    'an output that a success does not know',
    flowOf('- say: x', 'gives: { paid: yes-no }'),
    /:5:5: the flow succeeds here, and paid is not known on every way/,
  ],
  ['an output that may be missing', flowOf('- say: x', 'gives: { paid: "yes-no?" }'), undefined],
  ['an output of a failure', flowOf('- end: failure', 'gives: { paid: yes-no }'), undefined],
  ['another try of what succeeded', flowOf(pay('{ success: { retry: 1, then: end }, else: end }')), /what succeeded is not tried again/],
  ['a question without words', flowOf('- ask: number\n  as: n'), /:4:10: to ask for number, text must say what is asked/],
  ['an answer checked without a word on it', flowOf('- ask: number\n  as: n\n  text: N?\n  check: answer > 0'), /repair must say/],
  ['an answer checked', flowOf('- ask: number\n  as: n\n  text: N?\n  check: answer > 0\n  repair: More.'), undefined],
  ['money of no currency', flowOf('- ask: money\n  as: n\n  text: N?'), /to ask for money, currency must say which/],
  ['a choice of nothing', flowOf('- ask: choice\n  as: n\n  text: N?'), /to ask for a choice, choices must be there/],
  [
    'a text in one of two languages',
    flowOf('- say: { en: Hello }\n- say: { en: Bye, es: Adiós }'),
    /:4:5: warning: there is no text in es$/m,
  ],
  ['a flow in one language', flowOf('- say: { en: Hello }'), undefined],
  ['a text in a language that nobody speaks here', flowOf('- say: { pt: Olá }'), /:4:5: there is no text in en, de, es, fr, ar, ja/],
  [
    'a phrase with what is no input',
    flowOf('- say: x', 'says: { en: ["pay {bil}"] }\nneeds: { bill: text? }'),
    /:3:14: \{bil\} is no input of this flow; did you mean bill\?/,
  ],
  ...(['{due}', '{{ due }}', '$due', '$(due)', '{wrong}'] as const).map(
    (bare) =>
      [
        `a value inserted as other languages do: ${bare}`,
        flowOf(`- say: "You pay ${bare} now."`, 'needs: { due: money }'),
        /:5:19: warning: customers read “.+” as it stands; to insert it, write \$\{(?:due|wrong)\}$/,
      ] as const,
  ),
  [
    'braces and dollars that are none',
    flowOf('- say: "US$100, $ 5 (#{due}), $USD {1} {} \\u0024euro"', 'needs: { due: money }'),
    undefined,
  ],
  [
    'a phrase without a required input',
    flowOf('- say: x', 'says: { en: ["overdue bill"] }\nneeds: { bill: text }'),
    /:3:14: warning: “overdue bill” never begins this flow, because it cannot give bill; write \{bill\} where it is said, or make it optional$/,
  ],
  [
    'a phrase that has to say yes or no',
    flowOf('- say: x', 'says: { en: ["pay {all}"] }\nneeds: { all: yes-no? }'),
    /:3:14: warning: “pay \{all\}” never begins this flow, because it cannot give all; no phrase can say yes or no$/,
  ],
  [
    'a phrase beside which a required number is found',
    flowOf('- say: x', 'says: { en: ["pay in parts", "to {day}"] }\nneeds: { n: number, day: date? }'),
    undefined,
  ],
  ['one sign where two are meant', flowOf(`- when: n = 4\n  do: [ { say: x } ]`, 'needs: { n: number }'), /:5:13: to compare, write ==$/],
  [
    'a status that is none',
    flowOf(`${pay('{ else: next }')}\n- when: pay.status == 'succes'\n  do: [ { say: x } ]`),
    /:7:11: pay\.status is never “succes”; did you mean success\?/,
  ],
  ['a choice that is none', flowOf(`${choice}\n- when: t != 'gren'\n  do: [ { say: x } ]`), /t is never “gren”; did you mean green\?/],
  [
    'a choice that is none, in the middle of a text',
    flowOf(`${choice}\n- say: "Night: #{t == 'nigth'}"`),
    /:8:20: t is never “nigth”; did you mean night\?/,
  ],
  ['a choice that is one', flowOf(`${choice}\n- when: t == "green" && t != 'night'\n  do: [ { say: x } ]`), undefined],
  ['whether an input is there', flowOf('- when: has(n) && n > 4\n  do: [ { say: "#{n}" } ]', 'needs: { n: number? }'), undefined],
  [
    'an input where it is not there',
    flowOf('- when: "!has(n)"\n  do: [ { say: "#{n}" } ]', 'needs: { n: number? }'),
    /:6:\d+: n is not known on every way here; ask for it, choose it or set it before, or test it: has\(n\)/,
  ],
  [
    'what is not there at all',
    flowOf('- when: has(nn)\n  do: [ { say: x } ]', 'needs: { nnn: number? }'),
    /:5:\d+: nn is not known; did you mean nnn\?/,
  ],
  ['null', flowOf('- when: n != null\n  do: [ { say: x } ]', 'needs: { n: text }'), /; to test whether it is there, write has\(n\)/],
  ['a choice that is there twice', flowOf(choice.replace('night', 'green')), /:7:\d+: green is there twice$/],
  ['a currency where no money is', flowOf('- ask: number\n  as: n\n  text: N?\n  currency: EUR'), /:7:15: currency belongs to money$/],
  ['choices where no choice is', flowOf(choice.replace('ask: choice', 'ask: text')), /:7:\d+: choices belong to a choice$/],
  [
    'a check that is no condition',
    flowOf('- ask: number\n  as: n\n  text: N?\n  check: answer + 1\n  repair: No.'),
    /:7:12: it must be true or false, and comes to number$/,
  ],
  ['an address or a number to call, which the bot has words for', flowOf('- { ask: email, as: m }\n- { ask: phone, as: p }'), undefined],
  ['steps after a way elsewhere', flowOf('- go: p\n- say: x', 'parts: { p: [ { end: success } ] }'), /:6:5: nothing leads here/],
  ['steps after a person has come', flowOf('- handoff: { reason: x }\n- say: x'), /:5:5: nothing leads here/],
  [
    'parts that only the end of retries, a branch and another part lead to, in any order',
    flowOf(
      '- when: 1 > 0\n  do: [ { go: c } ]\n- passkeys:\n  on: { failure: { retry: 1, then: b }, else: end }',
      'parts: { a: [ { end: success } ], b: [ { go: a } ], c: [ { end: failure } ] }',
    ),
    undefined,
  ],
  [
    'what only one of two ways to a part knows',
    flowOf('- when: 1 > 0\n  do: [ { set: { n: 1 } }, { go: p } ]\n- go: p', 'parts: { p: [ { say: "#{n}" }, { end: success } ] }'),
    /:3:\d+: n is not known on every way here/,
  ],
  [
    'what a part knows that is written later, and leads to it by a way and by an outcome',
    flowOf(
      '- go: b',
      'parts: { a: [ { say: "#{n}" }, { go: c } ], c: [ { say: "#{n}" }, { end: success } ], b: [ { set: { n: 1 } }, { passkeys: , on: { success: a, else: c } } ] }',
    ),
    undefined,
  ],
  ['an unknown name in what is sent', flowOf('- payments: { product: "#{nope}" }\n  else: end'), /:4:\d+: nope is not known$/],
  [
    'an unknown name in a document',
    flowOf('- document-signature: { document: d, variables: { a: "#{nope}" } }\n  else: end'),
    /:4:\d+: nope is not known$/,
  ],
  ['an unknown name in the title', flowOf('- say: x').replace('title: trial', `title: "\${nope}"`), /:2:\d+: nope is not known$/],
  ['an unknown name in the description', flowOf('- say: x', 'description: "#{nope}"'), /:3:\d+: nope is not known$/],
  [
    'phrases in a language that nobody speaks here',
    flowOf('- say: x', 'says: { en: [a], pt: [b] }'),
    /:3:18: warning: pt is no language that the bot speaks$/,
  ],
  [
    'no phrases in a language of the texts',
    flowOf('- say: { en: a, es: b }', 'says: { en: [c] }'),
    /:3:1: warning: says has no phrases in es$/,
  ],
  ['a flow that is not there', flowOf('- run: other\n  else: end'), /:4:10: there is no flow other/],
];

describe('checking a flow', () => {
  for (const [what, text, wanted] of table) {
    it(`${wanted === undefined ? 'takes' : 'tells'} ${what}`, () => {
      const faults = faultsOf(text);
      if (wanted === undefined) assert.deepEqual(faults, []);
      else {
        assert.equal(faults.length, 1, faults.join('\n'));
        assert.match(faults[0] ?? '', wanted);
      }
    });
  }

  const both = (one: string, other: string) =>
    loadFlows([
      { file: 'one.yaml', text: one },
      { file: 'other.yaml', text: other },
    ]).faults.map(faultLine);

  it('reports two flows with one phrase, however it is written', () => {
    const says = (phrase: string) => `says: { en: ["${phrase}"] }`;
    assert.deepEqual(both(flowOf('- say: x', says('Pay, my bill'), 'one'), flowOf('- say: x', says('pay my bill!!'), 'other')), [
      'one.yaml:3:14: “Pay, my bill” begins other too',
      'other.yaml:3:14: “pay my bill!!” begins one too',
    ]);
  });

  it('reports flows that run each other', () => {
    const faults = both(flowOf('- run: other\n  else: end', '', 'one'), flowOf('- run: one\n  else: end', '', 'other'));
    assert.deepEqual(faults, [
      'one.yaml:4:10: other leads back to one; every way must come to an end',
      'other.yaml:4:10: one leads back to other; every way must come to an end',
    ]);
  });

  it('checks the inputs of a flow that is run, and knows its outputs', () => {
    const other = flowOf('- set: { sum: "#{amount + 1}" }', 'needs: { amount: number, why: text? }\ngives: { sum: number }', 'other');
    const faults = (given: string) =>
      both(flowOf(`- run: other\n  with: ${given}\n  as: o\n  else: end\n- say: "#{o.sum}"`, '', 'one'), other);
    assert.deepEqual(faults('{ amount: 4 }'), []);
    assert.deepEqual(faults('{ amount: 4, constructor: x }'), ['one.yaml:5:24: constructor is no input of other']);
    assert.deepEqual(faults('{ amount: four }'), ['one.yaml:5:21: amount must be number, and is text']);
    assert.deepEqual(faults('{ amuont: 4 }'), [
      'one.yaml:4:10: other needs amount; give it under with',
      'one.yaml:5:13: amuont is no input of other; did you mean amount?',
    ]);
    const failed = flowOf(
      '- run: other\n  with: { amount: 4 }\n  as: o\n  on: { success: next, else: [ { say: "#{o.sum}" }, { end: failure } ] }',
      '',
      'one',
    );
    assert.match(both(failed, other).join(), /^one\.yaml:7:\d+: o\.sum is not known here; only o\.status is known whichever way it ended$/);
  });

  it('gives the same version to the same content, and another to a change in a flow that it runs', () => {
    const version = (other: string) =>
      loadFlows([
        { file: 'one.yaml', text: flowOf('- run: other\n  else: end', '', 'one') },
        { file: 'other.yaml', text: flowOf(other, '', 'other') },
      ]).flows.get('one')?.version;
    assert.equal(version('- say: x'), version('- say: x'));
    assert.notEqual(version('- say: x'), version('- say: y'));
  });
});
