import assert from 'node:assert/strict';
import { type Playground, startPlayground } from '../support/playground.ts';
import { readingOf, type TeamsTalk, teamsTalk, wordsOnCard } from '../support/teams-talk.ts';
import { until } from '../support/until.ts';
import { startWhole, type Whole } from '../support/whole.ts';

const inCard = 'application/vnd.microsoft.card.adaptive';

describe('clicks in Microsoft’s Teams emulator', () => {
  let whole: Whole;
  let playground: Playground;
  let talk: TeamsTalk;
  before(async () => {
    whole = await startWhole({ turnRate: { points: 1000, seconds: 1 } });
  });
  after(() => whole.close());
  beforeEach(async () => {
    playground = await startPlayground(whole.bot().port);
    talk = teamsTalk(playground);
  });
  afterEach(() => playground.close());

  /** Walks to the waiting card of a payment that nobody makes. */
  const wait = async () => {
    await talk.say('payments');
    await talk.sees(/phone number/);
    await talk.say('+12025550113');
    await talk.sees(/\S••• \S\./);
    await talk.press(/^Charging pass/);
    return talk.sees(/Waiting for your payment/);
  };
  const personal = () => playground.config.personalChat.id;
  const answerOf = (answer: { type: string; value: unknown }) => [answer.type, wordsOnCard(answer.value)];

  it('are answered in the card, which then says what was chosen and has nothing left to press', async () => {
    await talk.say('payments');
    await talk.sees(/phone number/);
    await talk.say('+12025550110');
    const question = await talk.sees(/\S••• \S\./);
    const answer = await talk.press('Use another number');
    const [kind, text = ''] = answerOf(answer);
    assert.equal(kind, inCard);
    assert.match(text, /^What would you like to pay for\?[\s\S]*Your answer: Use another number$/);
    assert.equal(answer.value.version, '1.5');
    // The message itself says the same, for whoever looks later or on another device.
    const now = await until(() => talk.messages().find(({ id, updates }) => id === question.id && updates > 0), 'the update');
    assert.match(readingOf(now), /^What would you like to pay for\?[\s\S]*Your answer: Use another number$/);
    await talk.sees(/Which number/);
  });

  it('of an older client, which knows Action.Submit alone, have the same effect', async () => {
    await talk.say('payments');
    await talk.sees(/phone number/);
    await talk.say('+12025550110');
    await talk.sees(/\S••• \S\./);
    const { action, on } = talk.button('Use another number') ?? assert.fail();
    await playground.click(personal(), on, action.fallback);
    await talk.sees(/Which number/);
  });

  it('on a card from an earlier step are answered there, and nowhere else', async () => {
    await talk.say('payments');
    await talk.sees(/phone number/);
    await talk.say('+12025550110');
    await talk.sees(/\S••• \S\./);
    const old = talk.button('Use another number') ?? assert.fail();
    await talk.press('Use another number');
    await talk.say('+12025550110');
    await talk.sees(/pay for\?/);
    await talk.say('my charging pass');
    await talk.sees(/on your phone/);
    await talk.press('Change');
    await talk.sees(/pay for\?/);
    await talk.say('my charging pass');
    await talk.sees(/on your phone/);
    const count = talk.messages().length;
    for (const button of [old, { ...old, action: { ...old.action, data: { action: 'made up' } } }]) {
      const answer = await playground.click(personal(), button.on, button.action);
      assert.deepEqual(answerOf(answer), [inCard, 'That button is from an earlier step and no longer does anything.']);
    }
    assert.equal(talk.messages().length, count);
    await talk.press('Not now');
    await talk.sees(/nothing was sent/i);
  });

  it('on the waiting card are answered with the card as it is, and so is the card when it comes into view', async () => {
    const waiting = await wait();
    const answer = await talk.press('Send again');
    assert.equal(answer.type, inCard);
    assert.match(wordsOnCard(answer.value), /Waiting for your payment/);
    const { refresh } = (talk.messages().find(({ id }) => id === waiting.id) ?? assert.fail()).card;
    assert.deepEqual(refresh.userIds, [playground.config.currentUser.id]);
    const count = talk.messages().length;
    const shown = await playground.click(personal(), waiting.id, refresh.action);
    assert.deepEqual(shown.value, answer.value);
    assert.equal(talk.messages().length, count);
    await talk.press('Cancel');
    await talk.saw(/Payment request cancelled/);
    // The card is over, and what it once asked for has no effect.
    const over = await until(
      () => talk.messages().find(({ id, card }) => id === waiting.id && /^Payments Cancelled/.test(wordsOnCard(card).replace(/\s+/g, ' '))),
      'the record',
    );
    assert.equal(over.card.refresh, undefined);
    const after = await playground.click(personal(), waiting.id, refresh.action);
    assert.notEqual(after?.type, inCard);
  });

  it('by somebody else are answered in the card, without its subject', async () => {
    const waiting = await wait();
    const { action, on } = talk.button('Cancel') ?? assert.fail();
    const other = playground.config.users[0] ?? assert.fail();
    const template = await playground.template(personal(), 'userAdded');
    const count = talk.messages().length;
    for (const each of [action, waiting.card.refresh.action])
      await playground.send({
        ...template,
        id: `click-of-another-${each.verb}`,
        type: 'invoke',
        name: 'adaptiveCard/action',
        membersAdded: undefined,
        from: { id: other.id, aadObjectId: other.aadObjectId },
        replyToId: on,
        value: { action: each, trigger: 'manual' },
      });
    const answers = await until(() => {
      const found = playground.exchanged.filter(({ body }) => String(body?.id).startsWith('click-of-another'));
      return found.length === 2 && found;
    }, 'the answers');
    assert.deepEqual(answers.map(({ answer }) => wordsOnCard(answer.value)).sort(), [
      '',
      'Others can read this chat. For your protection, please write to me in a private chat.\nContinue in a private chat',
    ]);
    assert.equal(talk.messages().length, count);
    await talk.press('Cancel');
    await talk.saw(/Payment request cancelled/);
  });

  it('that are doubled count once', async () => {
    await talk.say('payments');
    await talk.sees(/phone number/);
    await talk.say('+12025550110');
    await talk.sees(/\S••• \S\./);
    const { action, on } = talk.button('Use another number') ?? assert.fail();
    const answers = await Promise.all([playground.click(personal(), on, action), playground.click(personal(), on, action)]);
    assert.equal(answers.filter(({ type }) => type === inCard).length, 1);
    await talk.saw(/Which number/);
    assert.equal(talk.messages().filter((message) => /Which number/.test(readingOf(message))).length, 1);
  });

  it('on a form with mistakes show it again, and close the first', async () => {
    await talk.say('sign a document');
    await talk.sees(/phone number/);
    await talk.say('+12025550110');
    await talk.sees(/\S••• \S\./);
    await talk.sees(/Which document/);
    await talk.press(/^Direct debit mandate/);
    const form = await talk.sees(/Fill in the document/);
    const answer = await talk.press('Continue', { 'variable:accountHolder': 'Mei Tanaka', 'variable:monthlyLimit': 'a lot' });
    assert.equal(answer.type, inCard);
    assert.match(wordsOnCard(answer.value), /^Fill in the document[\s\S]*\nYou filled this in\.$/);
    await talk.sees(/Please enter an amount/);
    await until(() => talk.messages().find(({ id, card }) => id === form.id && !card?.actions), 'the first form to be closed');
  });
});
