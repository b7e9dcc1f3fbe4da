// The one waterfall that all apps share: who, which customer, what, confirm and send, wait, outcome.
import type { AppId } from '../src/contract/index.ts';
import type { Escalation } from '../src/handoff/index.ts';
import type { Interaction } from '../src/interactions/index.ts';
import { changeCustomer, endVerification } from '../src/verification/index.ts';
import { say } from './activities.ts';
import {
  type AppDialog,
  type AppEnding,
  type AppOptions,
  destinationOf,
  type Gathered,
  goneIn,
  isGone,
  isOld,
  knownOptions,
  planOf,
  reopened,
  settled,
  type Values,
} from './app-dialog.ts';
import { type CustomerAnswer, customerQuestions, initialsQuestion, phoneQuestion } from './caller.ts';
import { interruption } from './interruption.ts';
import { forgetCaller, lookupSteps } from './lookup.ts';
import { againQuestion, type ConfirmAnswer, type ConfirmOptions, confirmQuestion, insteadQuestion, troubleQuestion } from './offer.ts';
import { deliverOutcome, passOver } from './outcome.ts';
import { isOn } from './person.ts';
import { makeQuestion } from './question.ts';
import {
  ComponentDialog,
  type DialogContext,
  type DialogTurnResult,
  DialogTurnStatus,
  WaterfallDialog,
  type WaterfallStepContext,
} from './sdk.ts';
import { type Turn, turnOf } from './turn.ts';
import { makeWait } from './wait.ts';

type Step = WaterfallStepContext<AppOptions>;
/** An app as a dialog that any flow can begin by the app's identifier; it ends with an {@link AppEnding}. */
export class AppComponent<Id extends AppId = AppId> extends ComponentDialog<AppOptions> {
  readonly #app: AppDialog<Id>;

  constructor(app: AppDialog<Id>) {
    super(app.id);
    this.#app = app;
    this.addDialog(
      new WaterfallDialog<AppOptions>('steps', [
        ...lookupSteps(app),
        (step) => this.#customer(step),
        (step) => this.#choose(step),
        (step) => this.#fill(step),
        (step) => this.#confirm(step),
        (step) => this.#send(step),
        (step) => this.#outcome(step),
        (step) => this.#after(step),
      ]),
    );
    const started = [(step: Step) => this.#await(step), (step: Step) => this.#outcome(step), (step: Step) => this.#after(step)];
    this.addDialog(new WaterfallDialog<AppOptions>('started', started));
    const questions = [
      phoneQuestion,
      initialsQuestion,
      ...customerQuestions,
      troubleQuestion,
      insteadQuestion,
      confirmQuestion,
      againQuestion,
    ];
    for (const question of questions) this.addDialog(makeQuestion(question as never));
    for (const question of [app.choose?.question, app.fill?.question]) if (question) this.addDialog(makeQuestion(question as never));
    this.addDialog(makeWait(app as AppDialog));
  }

  protected override async onBeginDialog(inner: DialogContext, options?: AppOptions): Promise<DialogTurnResult> {
    return inner.beginDialog(options?.started ? 'started' : 'steps', options);
  }

  /** Commands come first, unless what was typed picks one of the open question's choices. */
  protected override async onContinueDialog(inner: DialogContext): Promise<DialogTurnResult> {
    const interrupted = await interruption(inner, this.#app.id);
    if (!interrupted) {
      const values = goneIn(this.#app, inner);
      if (!values) return super.onContinueDialog(inner);
      await inner.cancelAllDialogs();
      await say(turnOf(inner.context), turnOf(inner.context).t('question.changed'));
      return inner.beginDialog('steps', knownOptions(values));
    }
    if (interrupted.kind === 'handled') return { status: DialogTurnStatus.waiting };
    await inner.cancelAllDialogs();
    return { status: DialogTurnStatus.complete, result: interrupted.ending };
  }

  async #customer(step: Step): Promise<DialogTurnResult> {
    const turn = turnOf(step.context);
    const values = step.values as Values;
    const answer = step.result as CustomerAnswer | 'retry' | 'menu';
    if (answer === 'retry') return step.replaceDialog('steps', step.options);
    if (answer === 'menu') return this.#leave(step, 'menu');
    // Whoever was looked up and not found asks from there; everyone else from a service in trouble.
    if (answer === 'agent') return this.#escalate(step, values.found ? 'nobody_found' : 'trouble');
    if (answer === 'another') {
      forgetCaller(turn.memory);
      endVerification(turn.memory, turn.services.clock.now());
      return step.replaceDialog('steps', { again: true });
    }
    if (typeof answer === 'object' && 'phoneNumber' in answer) return step.replaceDialog('steps', { phoneNumber: answer.phoneNumber });
    const customer = values.customers?.find(({ id }) => id === answer.customerRef);
    if (!customer) return this.#again(step, turn);
    if (isOld(turn, values)) return step.replaceDialog('steps', { phoneNumber: values.phoneNumber, customerRef: customer.id });
    values.customer = customer;
    // Where nobody may learn whose a number is, whom the chat is about is what was typed.
    const { initials, phoneNumber } = values;
    changeCustomer(turn.memory, initials === undefined ? customer.id : `${phoneNumber} ${initials}`, turn.services.clock.now());
    const instead = this.#app.instead?.(customer);
    if (instead) return step.beginDialog('instead', instead);
    return step.next();
  }

  async #choose(step: Step): Promise<DialogTurnResult> {
    const values = step.values as Values;
    const switched = step.result as { switch: AppId } | 'menu' | undefined;
    if (switched === 'menu') return this.#leave(step, 'menu');
    if (switched) return step.endDialog({ kind: 'switch', app: switched.switch, options: { ...knownOptions(values) } } satisfies AppEnding);
    // Two digits from 10 to 99: no leading zero, so that nobody wonders whether it counts.
    values.code = String(10 + Math.floor(turnOf(step.context).services.random() * 90));
    const { choose } = this.#app;
    if (!choose) return step.next();
    const turn = turnOf(step.context);
    if (choose.offered(turn, values as Gathered<Id>).length === 0) {
      await say(turn, turn.t(choose.none));
      return this.#leave(step, 'menu');
    }
    const { before, named } = step.options;
    if (before && (!before.again || before.refused) && choose.offered(turn, values as Gathered<Id>).includes(before.chosen))
      return step.next(before.chosen);
    return step.beginDialog(choose.question.id, { ...values, named });
  }

  async #fill(step: Step): Promise<DialogTurnResult> {
    const turn = turnOf(step.context);
    const values = step.values as Values;
    const { choose, fill } = this.#app;
    if (choose) {
      values.chosen = step.result as string;
      if (isGone(this.#app, turn, values)) return this.#again(step, turn);
      if (isOld(turn, values)) return step.replaceDialog('steps', settled(values));
    }
    if (!fill?.needed(values as Gathered<Id>)) return step.next();
    const { before } = step.options;
    const filled = before?.chosen === values.chosen ? before?.filled : undefined;
    if (filled && !before?.again) return step.next(filled);
    const { refused } = filled && before?.refused ? before : {};
    return step.beginDialog(fill.question.id, { ...values, ...(filled && { filled }), ...(refused && { refused }) });
  }

  async #confirm(step: Step): Promise<DialogTurnResult> {
    const turn = turnOf(step.context);
    const values = step.values as Values;
    if (step.result !== undefined) values.filled = step.result as Record<string, string>;
    // Named with the question, so that a turn that is repeated, for example after a crash, sends what was confirmed once only once.
    values.interactionId = turn.services.newId();
    const about = this.#app.about(turn, values as Gathered<Id>);
    return step.beginDialog('confirm', { app: this.#app.id, about, changeable: this.#app.choose !== undefined } satisfies ConfirmOptions);
  }

  async #send(step: Step): Promise<DialogTurnResult> {
    const turn = turnOf(step.context);
    const values = step.values as Values;
    const answer = step.result as ConfirmAnswer;
    if (answer === 'cancel') return this.#leave(step, 'cancel');
    if (answer === 'change') return step.replaceDialog('steps', reopened(values));
    if (answer === 'late') {
      await say(turn, turn.t('question.late'));
      return step.replaceDialog('steps', settled(values));
    }
    const gathered = values as Gathered<Id>;
    await turn.context.sendActivity({ type: 'typing' });
    const plan = planOf(turn, this.#app, gathered, values.interactionId as string);
    const interaction = await turn.services.interactions.start(plan, turn.t.language);
    // Still an intent: a stop, or another process, came in between, and whoever holds it now sends it.
    if (interaction.state === 'waiting' || interaction.state === 'intended') {
      const price = this.#app.price?.(gathered);
      const to = destinationOf(turn, this.#app, gathered);
      return step.beginDialog('wait', { interactionId: interaction.id, code: gathered.code, to, ...(price && { price }) });
    }
    values.refused = this.#app.fill?.refused(gathered, interaction.refusedFields ?? []) ?? [];
    if (values.refused.length === 0) return step.next(interaction);
    await passOver(turn, interaction);
    return step.replaceDialog('steps', reopened(values));
  }

  /** Waits for what an agent has sent. */
  async #await(step: Step): Promise<DialogTurnResult> {
    const { values, to, price } = step.options.started as NonNullable<AppOptions['started']>;
    Object.assign(step.values, values);
    const { code = '', interactionId = '' } = values;
    return step.beginDialog('wait', { interactionId, code, to, ...(price && { price }) });
  }

  async #outcome(step: Step): Promise<DialogTurnResult> {
    const turn = turnOf(step.context);
    const interaction = step.result as Interaction | undefined;
    // What was waited for has been erased: there is nothing to tell, and nothing to wait for.
    if (!interaction) return this.#leave(step, 'menu');
    (step.values as Values).interactionId = interaction.id;
    await deliverOutcome(turn, interaction);
    const { status, by } = interaction.outcome ?? {};
    // What the customer took back is over for them; what others withdrew may still be wanted.
    if (status === 'success' || (status === 'cancelled' && by !== 'service') || isOn(turn))
      return step.endDialog({ kind: 'ended', interaction } satisfies AppEnding);
    return step.beginDialog('again', { unknown: !interaction.outcome && interaction.state !== 'refused' });
  }

  async #after(step: Step): Promise<DialogTurnResult> {
    const values = step.values as Values;
    switch (step.result as 'again' | 'another' | 'agent') {
      case 'again': {
        const { phoneNumber: _, customerRef: __, ...options } = reopened(values);
        if (values.initials === undefined) return step.replaceDialog('steps', reopened(values));
        // What was typed may have been wrong, and nobody may say so.
        forgetCaller(turnOf(step.context).memory);
        return step.replaceDialog('steps', options);
      }
      case 'agent':
        return this.#escalate(step, 'trouble');
      default: {
        const { otherWay: app } = this.#app;
        return app ? step.endDialog({ kind: 'switch', app, options: knownOptions(values) } satisfies AppEnding) : this.#leave(step, 'menu');
      }
    }
  }

  /** What was picked is offered no more, so it is asked for again. */
  async #again(step: Step, turn: Turn): Promise<DialogTurnResult> {
    await say(turn, turn.t('question.changed'));
    return step.replaceDialog('steps', knownOptions(step.values as Values));
  }

  #escalate(step: Step, reason: Escalation['reason']) {
    return step.endDialog({ kind: 'agent', escalation: { app: this.#app.id, reason } } satisfies AppEnding);
  }

  #leave(step: Step, why: Extract<AppEnding, { kind: 'left' }>['why']) {
    return step.endDialog({ kind: 'left', why } satisfies AppEnding);
  }
}
