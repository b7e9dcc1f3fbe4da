import assert from 'node:assert/strict';
import { type Activity, ConversationState, MemoryStorage, TestAdapter, TurnContext } from 'botbuilder';
import {
  ComponentDialog,
  Dialog,
  type DialogContext,
  DialogSet,
  type DialogTurnResult,
  TextPrompt,
  WaterfallDialog,
} from 'botbuilder-dialogs';
import {
  type CallerOptions,
  type GuestDialogs,
  type GuestFlowOutcome,
  type SettleBillOutcome,
  settleBill,
  type VerifyThenOutcome,
  verifyThen,
} from '../../src/guests/create-dialogs.ts';
import { type DialogStage, stageDialog } from '../../src/testing/index.ts';

const mei = { phoneNumber: '+12025550102' };
const open: DialogStage<unknown>[] = [];
const staged = <Result>(stage: DialogStage<Result>): DialogStage<Result> => {
  open.push(stage);
  return stage;
};

/** A dialog that is not ours: it closes the account of a customer, once they say why. */
class CloseAccount extends ComponentDialog<CallerOptions> {
  constructor() {
    super('close-account');
    this.addDialog(
      new WaterfallDialog<CallerOptions>('steps', [
        (step): Promise<DialogTurnResult> => step.prompt('why', 'Why are you leaving?'),
        (step) => step.endDialog({ why: step.result, whose: step.options.customerRef }),
      ]),
    );
    this.addDialog(new TextPrompt('why'));
  }
}

/** In the place of an app that succeeds each time, and proves who it is as it is told. */
class SaysSo extends Dialog<CallerOptions> {
  readonly #proofs: readonly boolean[];
  readonly #begun: object[];
  constructor(proofs: readonly boolean[], begun: object[]) {
    super('passkeys');
    this.#proofs = proofs;
    this.#begun = begun;
  }
  override async beginDialog(dc: DialogContext, options: CallerOptions = {}): Promise<DialogTurnResult> {
    const verified = this.#proofs[this.#begun.push(options) - 1] ?? false;
    return dc.endDialog({ status: 'success', app: 'passkeys', interactionId: '1', customerRef: 'cust-0102-mei', verified });
  }
}

describe('the recipes for other bots', function () {
  this.timeout(60_000);
  afterEach(async () => {
    for (const stage of open.splice(0)) await stage.close();
  });

  describe('settle a bill', () => {
    const settling = async () =>
      staged(
        await stageDialog<object, SettleBillOutcome>({
          dialog: ({ dialogs }) => settleBill('settle', { dialogs }),
          options: { ...mei, productId: 'energy-bill-november' },
        }),
      );

    it('verifies, takes the payment, and ends with the receipt', async () => {
      const stage = await settling();
      await stage.begin();
      await stage.device('passkeys', 'success');
      assert.equal(stage.result(), undefined);
      await stage.device('payments', 'success');
      const { interactionId, ...receipt } = { interactionId: '', ...stage.result() };
      const product = 'Electricity and gas, November';
      assert.deepEqual(receipt, { paid: true, product, amount: 128.4, currency: 'USD', customerRef: 'cust-0102-mei' });
      assert.match(interactionId, /^\w{26}$/);
    });

    it('takes no payment from somebody who is not verified', async () => {
      const stage = await settling();
      await stage.begin();
      await stage.device('passkeys', 'failure');
      await stage.say('menu');
      const { paid, ...rest } = stage.result() ?? assert.fail('not over');
      assert.equal(paid, false);
      assert.ok('outcome' in rest);
      assert.deepEqual([rest.verified, rest.outcome.app, rest.outcome.status], [false, 'passkeys', 'failure']);
      assert.ok(!stage.messages.some((said) => /Electricity/.test(said)));
    });

    for (const words of ['+12025550110', 'another number'])
      it(`takes no payment from somebody else than who was verified: “${words}”`, async () => {
        const stage = await settling();
        await stage.begin();
        await stage.device('passkeys', 'success');
        await stage.say(words);
        const { paid, ...rest } = stage.result() ?? assert.fail('not over');
        assert.ok(!paid && 'outcome' in rest);
        assert.deepEqual([rest.verified, rest.outcome.app, rest.outcome.status], [true, 'payments', 'left']);
        assert.ok(!stage.messages.some((said) => /S••• H\./.test(said)));
      });

    it('says how a payment ended that did not succeed', async () => {
      const stage = await settling();
      await stage.begin();
      await stage.device('passkeys', 'success');
      await stage.device('payments', 'timeout');
      await stage.say('menu');
      const end = stage.result() ?? assert.fail('not over');
      assert.ok(!end.paid);
      assert.deepEqual([end.verified, end.outcome.app, end.outcome.status], [true, 'payments', 'timeout']);
    });
  });

  describe('verify, then', () => {
    it('begins the bot’s own dialog with the verified customer, and returns its result', async () => {
      const stage = staged(
        await stageDialog<CallerOptions, VerifyThenOutcome<{ why: string }>>({
          dialog: ({ dialogs }) => verifyThen('leave', new CloseAccount(), { dialogs, by: 'one-time-passcode' }),
          options: mei,
        }),
      );
      await stage.begin();
      await stage.device('one-time-passcode', 'success');
      assert.match(stage.messages.at(-1) ?? '', /Why are you leaving/);
      await stage.say('too many cards');
      const whose = 'cust-0102-mei';
      assert.deepEqual(stage.result(), { verified: true, customerRef: whose, result: { why: 'too many cards', whose } });
    });

    it('does not begin it for somebody else', async () => {
      const stage = staged(
        await stageDialog({ dialog: ({ dialogs }) => verifyThen('leave', new CloseAccount(), { dialogs }), options: mei }),
      );
      await stage.begin();
      await stage.device('passkeys', 'cancelled');
      assert.equal((stage.result() as VerifyThenOutcome<unknown>).verified, false);
      assert.ok(!stage.messages.some((said) => /Why are you leaving/.test(said)));
    });

    for (const [proofs, verified] of [
      [[false, true], true],
      [[false, false], false],
    ] as const)
      it(`has a passkey used that was only set up, once, and ${verified ? 'goes on' : 'ends where that proves nothing'}`, async () => {
        const begun: object[] = [];
        const passkeys = new SaysSo(proofs, begun) as unknown as GuestDialogs['passkeys'];
        const dialogs = { passkeys, 'one-time-passcode': passkeys };
        const activity = { type: 'message', channelId: 'test', conversation: { id: 'c' } } as Activity;
        const context = new TurnContext(new TestAdapter(async () => {}), activity);
        const set = new DialogSet(new ConversationState(new MemoryStorage()).createProperty('dialogs'));
        set.add(verifyThen('leave', new CloseAccount(), { dialogs }));
        const dc = await set.createContext(context);
        const { result } = await dc.beginDialog('leave', mei);
        assert.deepEqual(begun, [mei, { ...mei, customerRef: 'cust-0102-mei' }]);
        assert.equal(result === undefined, verified);
        if (!verified) assert.equal((result as VerifyThenOutcome<unknown>).verified, false);
      });
  });

  describe('a flow', () => {
    const settling = async (inputs = {}) =>
      staged(
        await stageDialog<object, GuestFlowOutcome>({
          folders: ['dialogs/flows'],
          dialog: ({ flows }) => flows['settle-bill'] ?? assert.fail('no flow'),
          options: { ...mei, inputs },
        }),
      );

    it('runs as a dialog, with its inputs, and ends with its outputs', async () => {
      const stage = await settling({ product: 'energy-bill-november' });
      await stage.begin();
      await stage.device('passkeys', 'success');
      await stage.device('payments', 'success');
      assert.deepEqual(stage.result(), { status: 'success', flow: 'settle-bill', gives: { paid: 128.4, currency: 'USD' } });
    });

    it('ends as cancelled, and without outputs, when nobody is verified', async () => {
      const stage = await settling();
      await stage.begin();
      await stage.device('passkeys', 'timeout');
      assert.deepEqual(stage.result(), { status: 'cancelled', flow: 'settle-bill', gives: {} });
    });

    it('ends as left when the customer starts over', async () => {
      const stage = await settling();
      await stage.begin();
      await stage.say('start over');
      assert.deepEqual(stage.result(), { status: 'left', flow: 'settle-bill', why: 'restart' });
    });
  });
});
