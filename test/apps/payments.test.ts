import { describeApp } from '../support/conformance.ts';

describeApp({
  app: 'payments',
  wish: 'I want to pay my bill',
  prepare: async (talk) => {
    await talk.sees(/What would you like to pay for\?[\s\S]*1\. Electricity and gas, November/);
    await talk.say('the one for electricity');
  },
  asks: 'Text me the link',
  presses: [
    [/^Electricity/, /As soon as you choose, the link for M••• T\. goes to \+1•••0102\.[\s\S]*Electricity and gas, November.*\$128\.40/],
  ],
  refusals: async (talk) => {
    await talk.say('99');
    await talk.sees(/did not understand/);
    await talk.say('a pony');
    await talk.sees(/did not understand/);
    await talk.say('I think I need a charging pass');
    await talk.sees(/Pay €59\.90 on your phone[\s\S]*Product: Charging pass/);
    await talk.press('Change');
    await talk.say('the one for electricity');
  },
  confirms: /Pay \$128\.40 on your phone[\s\S]*For: \S+ \S\.[\s\S]*Product: Electricity and gas, November/,
  fields: {},
  says: {
    success: /Payment received[\s\S]*Amount: \$128\.40[\s\S]*Your receipt is on the payment page/,
    failure: /Payment not completed/,
    timeout: /No payment in time/,
    cancelled: /Payment request cancelled/,
  },
});
