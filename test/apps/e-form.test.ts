import { describeApp } from '../support/conformance.ts';

describeApp({
  app: 'e-form',
  wish: 'I want to fill in a form',
  prepare: async (talk) => {
    await talk.sees(/Which form would you like to fill in\?/);
    await talk.say('I have some feedback');
  },
  asks: 'Text me the link',
  presses: [['Feedback', /As soon as you choose, the link for M••• T\. goes to \+1•••0102\./]],
  confirms: /Fill in this form on your phone[\s\S]*Form: Feedback/,
  fields: { 'a.rating': 'very-good', 'a.comment': 'All well' },
  says: {
    success: /Form received[\s\S]*Form: Feedback/,
    failure: /Form not received/,
    timeout: /No answers in time/,
    cancelled: /Form cancelled/,
  },
});
