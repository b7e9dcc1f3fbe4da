import { talkTo } from '../support/talk.ts';
import { startWhole, type Whole } from '../support/whole.ts';

describe('words in the middle of a question', () => {
  let whole: Whole;
  before(async () => {
    whole = await startWhole({ turnRate: { points: 100_000, seconds: 1 } });
  });
  after(() => whole.close());

  /** As far as the first blank of a document. */
  const fillingIn = async () => {
    const talk = await talkTo(whole);
    for (const words of ['sign a document', '+12025550102', 'yes', 'Direct debit mandate']) await talk.say(words);
    await talk.sees(/Fill in the document/);
    return talk;
  };

  for (const value of ['Travel agent', '5 Progress Street', 'No Human Ltd', 'Ms Stop Again', 'Invoice Payments Ltd', 'español'])
    it(`are a value where free words are asked for: “${value}”`, async () => {
      const talk = await fillingIn();
      await talk.say(value);
      await talk.sees(/Next: Last four digits/);
    });

  const commands: [string, RegExp][] = [
    ['agent', /Nobody can join/],
    ['Agent, please!', /Nobody can join/],
    ['I want to talk to a person', /Nobody can join/],
    ['status', /Nothing has been sent yet/],
    ['cancel', /nothing was sent/],
  ];
  for (const [words, answer] of commands)
    it(`are a command there when they are nothing else: “${words}”`, async () => {
      const talk = await fillingIn();
      await talk.say(words);
      await talk.sees(answer);
    });
});
