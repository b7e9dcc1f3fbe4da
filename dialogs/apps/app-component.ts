// The waterfall that all apps share: who calls, which customer, what, confirm and send, wait, outcome.
import type { AppId } from '../../src/contract/index.ts';
import { changeCustomer } from '../../src/verification/index.ts';
import type { AppDialog, AppEnding, AppOptions, ChoiceAnswer, Gathered, Values } from '../asking/app-dialog.ts';
import { type CustomerAnswer, callerQuestions } from '../asking/caller.ts';
import { type ConfirmAnswer, type ConfirmOptions, type EndedApp, offerQuestions } from '../asking/offer.ts';
import { makeQuestion } from '../asking/question.ts';
import { ComponentDialog, type DialogContext, type DialogTurnResult, DialogTurnStatus, WaterfallDialog } from '../sdk.ts';
import { say } from '../turn/activities.ts';
import { waitFirst } from '../turn/stacks.ts';
import { hasAgent, isSkill, type Turn, turnOf } from '../turn/turn.ts';
import { endProofs } from '../turn/verified.ts';
import { interruption } from '../waiting/interruption.ts';
import { deliverOutcome, passOver } from '../waiting/outcome.ts';
import { makeWait, type Waited } from '../waiting/wait.ts';
import { afterEnding, askAnew, escalate, leave, renumber } from './app-exits.ts';
import { choosingOf, mayRenumber, nameOfSent } from './choosing.ts';
import {
  type AppStep,
  bind,
  boundTo,
  chosenIn,
  goneIn,
  inStep,
  isGone,
  isOld,
  knownChoice,
  knownOptions,
  newCode,
  reopened,
  settled,
} from './gathered.ts';
import { forAnother, lookupSteps } from './lookup.ts';
import { isOpenAnew, noteOpen, sendGathered } from './sending.ts';
import { catchUp } from './sent-already.ts';

/** An app as a dialog that any flow can begin by the app's identifier; it ends with an {@link AppEnding}. */
export class AppComponent<Id extends AppId = AppId> extends ComponentDialog<AppOptions> {
  readonly #app: AppDialog<Id>;
  readonly #choosesOnly: boolean;
  readonly #asksAgain: boolean;
  readonly #unnamed: (dc: DialogContext) => void;

  /**
   * How it is used beyond the menu: `choosesOnly` ends, as `chosen`, as soon as it is known what would be sent; `asksAgain`,
   * as usual, what to do next after an ending other than success.
   * @param unnamed - called if the words in a flow's file match nothing that is offered
   */
  constructor(
    app: AppDialog<Id>,
    { id = app.id as string, choosesOnly = false, asksAgain = true } = {},
    unnamed: (dc: DialogContext) => void = () => {},
  ) {
    super(id);
    [this.#app, this.#choosesOnly, this.#asksAgain, this.#unnamed] = [app, choosesOnly, asksAgain, unnamed];
    const [outcome, after] = [inStep((...at) => this.#outcome(...at)), inStep((step, turn) => this.#after(step, turn))];
    this.addDialog(
      new WaterfallDialog<AppOptions>('steps', [
        ...lookupSteps(app),
        ...[this.#customer, this.#choose, this.#fill, this.#confirm, this.#send].map((run) => inStep(run.bind(this))),
        outcome,
        after,
      ]),
    );
    this.addDialog(new WaterfallDialog<AppOptions>(waitFirst, [(step) => this.#await(step), outcome, after]));
    const questions = [...callerQuestions, ...offerQuestions, app.choose?.question, app.fill?.question];
    for (const question of questions) if (question) this.addDialog(makeQuestion(question as never));
    this.addDialog(makeWait(app as AppDialog));
  }

  protected override async onBeginDialog(inner: DialogContext, options?: AppOptions): Promise<DialogTurnResult> {
    if (options?.bound) bind(inner, options.customerRef);
    return inner.beginDialog(options?.started ? waitFirst : 'steps', options);
  }

  /** Commands come first, unless what was typed picks one of the open question's choices. */
  protected override async onContinueDialog(inner: DialogContext): Promise<DialogTurnResult> {
    const caughtUp = await catchUp(inner);
    if (caughtUp) return caughtUp;
    const interrupted = await interruption(inner, this.#app.id);
    if (!interrupted) {
      const values = goneIn(this.#app, inner);
      if (!values) return super.onContinueDialog(inner);
      await inner.cancelAllDialogs();
      await say(turnOf(inner.context), turnOf(inner.context).t('question.changed'), { answer: 'later' });
      return inner.beginDialog('steps', knownOptions(values));
    }
    if (interrupted.kind === 'handled') return { status: DialogTurnStatus.waiting };
    const { options = {}, values = {} }: { options?: AppOptions; values?: Values } = inner.stack.at(0)?.state ?? {};
    await inner.cancelAllDialogs();
    if (interrupted.kind === 'ending') return { status: DialogTurnStatus.complete, result: interrupted.ending };
    const another = forAnother(turnOf(inner.context), options, values, interrupted.phoneNumber);
    if (!boundTo(inner)) return inner.beginDialog('steps', another);
    return { status: DialogTurnStatus.complete, result: { kind: 'left', why: 'menu' } satisfies AppEnding };
  }

  async #customer(step: AppStep, turn: Turn, values: Values): Promise<DialogTurnResult> {
    const answer = step.result as CustomerAnswer | 'retry' | 'menu';
    if (answer === 'retry') return step.replaceDialog('steps', step.options);
    if (answer === 'menu') return leave(step, 'menu');
    // Either the customer was not found, or the service was in trouble.
    if (answer === 'agent') return escalate(step, this.#app.id, values.found ? 'nobody_found' : 'trouble');
    if (answer === 'another') return renumber(step, values);
    if (typeof answer === 'object' && 'phoneNumber' in answer) return renumber(step, values, answer.phoneNumber);
    const customer = values.customers?.find(({ id }) => id === answer.customerRef);
    if (!customer) return askAnew(step);
    if (isOld(turn, values)) return step.replaceDialog('steps', { phoneNumber: values.phoneNumber, customerRef: customer.id });
    values.customer = customer;
    const bound = boundTo(step);
    if (bound !== undefined && values.initials === undefined && customer.id !== bound) {
      endProofs(turn);
      return leave(step, 'menu');
    }
    // If the chat may not learn whose number it is, the typed number and initials stand for the customer.
    const { initials, phoneNumber } = values;
    changeCustomer(turn.memory, initials === undefined ? customer.id : `${phoneNumber} ${initials}`, turn.services.clock.now());
    const instead = this.#app.instead?.(customer);
    if (instead && this.#isAllowed(turn, instead.to)) return step.beginDialog('instead', instead);
    return step.next();
  }

  async #choose(step: AppStep, turn: Turn, values: Values): Promise<DialogTurnResult> {
    const switched = step.result as { switch: AppId } | 'menu' | undefined;
    if (switched === 'menu') return leave(step, 'menu');
    if (switched) return step.endDialog({ kind: 'switch', app: switched.switch, options: { ...knownOptions(values) } } satisfies AppEnding);
    values.code = newCode(turn.services);
    const { choose } = this.#app;
    if (!choose) return step.next();
    if (choose.offered(turn, values as Gathered<Id>).length === 0) {
      await say(turn, turn.t(choose.none), { answer: 'later' });
      return leave(step, 'menu');
    }
    const known =
      (await knownChoice(this.#app as AppDialog, turn, values, step.options, () => this.#unnamed(step))) ??
      (step.options.before?.again === 'chosen' ? undefined : this.#onlyChoice(turn, values as Gathered<Id>));
    if (known !== undefined) return step.next({ guessed: known } satisfies ChoiceAnswer);
    const asked = { ...values, named: step.options.named };
    if (this.#choosesOnly) return step.beginDialog(choose.question.id, asked);
    const list = choosingOf(turn, this.#app, values as Gathered<Id>, mayRenumber(turn, values, boundTo(step)));
    // What is chosen may be sent at once. The id is made with the question: see #confirm.
    [values.atOnce, values.interactionId] = [list.atOnce, turn.services.newId()];
    return step.beginDialog(choose.question.id, { ...asked, choosing: list });
  }

  /** The only thing that can be chosen: it is shown at once. A flow's own choice is always asked for. */
  #onlyChoice(turn: Turn, gathered: Gathered<Id>): string | undefined {
    const [only, ...others] = this.#app.choose?.offered(turn, gathered) ?? [];
    return this.#choosesOnly || others.length > 0 ? undefined : only;
  }

  async #fill(step: AppStep, turn: Turn, values: Values): Promise<DialogTurnResult> {
    const { choose, fill } = this.#app;
    if (choose) {
      const answer = step.result as ChoiceAnswer;
      if (typeof answer === 'object' && 'instead' in answer)
        return answer.instead === 'another' ? renumber(step, values) : leave(step, 'cancel');
      values.chosen = typeof answer === 'string' ? answer : answer.guessed;
      values.atOnce = values.atOnce === true && typeof answer === 'string';
      if (isGone(this.#app, turn, values)) return askAnew(step);
      if (isOld(turn, values)) return step.replaceDialog('steps', settled(values));
      if (this.#choosesOnly) return step.endDialog(chosenIn(values as Gathered));
    }
    if (!fill?.needed(values as Gathered<Id>)) return step.next();
    const { before } = step.options;
    const filled = before?.chosen === values.chosen ? before?.filled : undefined;
    if (filled && !before?.again) return step.next(filled);
    const { refused } = filled && before?.refused ? before : {};
    return step.beginDialog(fill.question.id, { ...values, ...(filled && { filled }), ...(refused && { refused }) });
  }

  async #confirm(step: AppStep, turn: Turn, values: Values): Promise<DialogTurnResult> {
    if (step.result === 'cancel') return leave(step, 'cancel');
    if (step.result === 'another') return step.replaceDialog('steps', knownOptions(values));
    if (step.result !== undefined) values.filled = step.result as Record<string, string>;
    // The list has said where it is sent, and to whom.
    if (values.atOnce) return step.next('send' satisfies ConfirmAnswer);
    // The id is made with the question, so that repeating a turn after a crash does not send twice.
    values.interactionId = step.options.confirmed ?? turn.services.newId();
    if (step.options.confirmed) return step.next('send' satisfies ConfirmAnswer);
    const about = this.#app.about(turn, values as Gathered<Id>);
    const changeable =
      this.#app.choose !== undefined && (values.filled !== undefined || this.#onlyChoice(turn, values as Gathered<Id>) === undefined);
    const renumbers = mayRenumber(turn, values, boundTo(step));
    const open = await noteOpen(turn, this.#app.id, values);
    const what = nameOfSent(turn, this.#app, values as Gathered<Id>);
    return step.beginDialog('confirm', { app: this.#app.id, about, what, changeable, renumbers, ...open } satisfies ConfirmOptions);
  }

  async #send(step: AppStep, turn: Turn, values: Values): Promise<DialogTurnResult> {
    const answer = step.result as ConfirmAnswer;
    if (answer === 'cancel') return leave(step, 'cancel');
    if (answer === 'another') return renumber(step, values);
    if (!this.#isAllowed(turn)) return leave(step, 'menu');
    const gathered = values as Gathered<Id>;
    // The customer changes one thing at a time: if values were filled in, another choice is offered beside them.
    if (answer === 'change') return step.replaceDialog('steps', reopened(values, this.#app.fill?.needed(gathered) ? 'filled' : 'chosen'));
    if (answer === 'late') {
      await say(turn, turn.t('question.late'), { answer: 'later' });
      return step.replaceDialog('steps', settled(values));
    }
    if (!step.options.confirmed && (await isOpenAnew(turn, this.#app.id, values))) return step.replaceDialog('steps', settled(values));
    const { interaction, wait } = await sendGathered(turn, this.#app, gathered, values.interactionId as string);
    if (wait) return step.beginDialog('wait', wait);
    values.refused = this.#app.fill?.refused(gathered, interaction.refusedFields ?? []) ?? [];
    if (values.refused.length === 0) return step.next({ interaction } satisfies Waited);
    await passOver(turn, interaction);
    return step.replaceDialog('steps', reopened(values, 'filled'));
  }

  /** Waits for what an agent has sent. */
  async #await(step: AppStep): Promise<DialogTurnResult> {
    const { values, to, price } = step.options.started as NonNullable<AppOptions['started']>;
    Object.assign(step.values, values);
    const { code = '', interactionId = '' } = values;
    return step.beginDialog('wait', { interactionId, code, to, ...(price && { price }) });
  }

  async #outcome(step: AppStep, turn: Turn, values: Values): Promise<DialogTurnResult> {
    const { interaction, renumbers } = step.result as Waited;
    // A root bot decides what comes next.
    const asksAgain = this.#asksAgain && !isSkill(turn) && this.#isAllowed(turn);
    if (interaction) await deliverOutcome(turn, interaction, !asksAgain, hasAgent(turn) ? 'welcome' : 'later');
    const { status, by } = interaction?.outcome ?? {};
    if (renumbers && status !== 'success') return renumber(step, values);
    // The interaction has been erased: there is nothing to show or to wait for.
    if (!interaction) return leave(step, 'menu');
    values.interactionId = interaction.id;
    values.rejected = interaction.refusal === 'rejected';
    if (asksAgain && status === 'success' && this.#app.leavesMore?.(turn, interaction) && !hasAgent(turn)) {
      values.next = turn.services.newId();
      return step.beginDialog('onward');
    }
    // A cancelled request is over for the customer who cancelled it; one cancelled by others may still be wanted.
    if (!asksAgain || status === 'success' || (status === 'cancelled' && by !== 'service') || hasAgent(turn)) {
      return step.endDialog({ kind: 'ended', interaction, price: this.#app.price?.(values as Gathered<Id>) } satisfies AppEnding);
    }
    const unknown = !interaction.outcome && interaction.state !== 'refused';
    return step.beginDialog('again', { unknown, instead: this.#app.otherWay } satisfies EndedApp);
  }

  async #after(step: AppStep, turn: Turn): Promise<DialogTurnResult> {
    const { id, otherWay } = this.#app;
    return afterEnding(step, id, otherWay && this.#isAllowed(turn, otherWay) ? otherWay : undefined);
  }

  /** Whether customers may use it, or another app, here. Within a flow, the flow decides. */
  #isAllowed({ services }: Turn, app: AppId = this.#app.id): boolean {
    return !this.#asksAgain || services.apps.includes(app);
  }
}
