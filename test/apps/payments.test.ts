import { describeApp } from '../support/conformance.ts';

describeApp({
  app: 'payments',
  wish: 'I want to pay my bill',
  prepare: async (talk) => {
    await talk.sees(/What would you like to pay for\?[\s\S]*1\. Electricity and gas, November/);
    await talk.say('1');
  },
  refusals: async (talk) => {
    await talk.say('99');
    await talk.sees(/did not understand/);
    await talk.say('a pony');
    await talk.sees(/did not understand/);
    await talk.press(/^Charging pass/);
    await talk.sees(/Product: Charging pass[\s\S]*Amount: €59\.90/);
    await talk.press('Change');
    await talk.press(/^Electricity/);
  },
  confirms: /Send this payment request\?[\s\S]*Product: Electricity and gas, November[\s\S]*Amount: \$128\.40/,
  fields: {},
  says: {
    success: /Payment received[\s\S]*Amount: \$128\.40[\s\S]*the receipt is on your device/,
    failure: /Payment not completed/,
    timeout: /No payment in time/,
    cancelled: /Payment request cancelled/,
  },
});
