// Waiting for an outcome while the customer may talk. Only news of this very interaction ends it.
import { codeInput, notice } from '../cards/index.ts';
import type { AppId } from '../src/contract/index.ts';
import type { Interaction } from '../src/interactions/index.ts';
import { say, takeBack, unread } from './activities.ts';
import type { AppDialog } from './app-dialog.ts';
import { toAgent } from './escalation.ts';
import { hasLeft, leave } from './outcome.ts';
import { pickedBy } from './picking.ts';
import { type ChatCommand, commandIn, phrasesOf } from './recogniser.ts';
import { Dialog, type DialogContext, type DialogInstance, type DialogTurnResult, type TurnContext } from './sdk.ts';
import { type Turn, turnOf } from './turn.ts';
import {
  aboutOf,
  keptDigits,
  type Leaving,
  redraw,
  showAnew,
  stepOf,
  still,
  type WaitButton,
  type WaitOptions,
  type WaitState,
  waitButtons,
  waitCard,
  waitExtras,
} from './wait-card.ts';

/** Waits for one interaction of the app; ends with the interaction as it then is. */
export const makeWait = (app: AppDialog): Dialog<WaitOptions> => new WaitDialog(app);

class WaitDialog extends Dialog<WaitOptions> {
  readonly #app: AppDialog;

  constructor(app: AppDialog) {
    super('wait');
    this.#app = app;
  }

  override async beginDialog(dc: DialogContext, options?: WaitOptions): Promise<DialogTurnResult> {
    const turn = turnOf(dc.context);
    const given = options as WaitOptions;
    const actions = Object.fromEntries(waitButtons.map((name) => [name, turn.services.newId()])) as WaitState['actions'];
    const interaction = await turn.services.interactions.get(given.interactionId);
    const state: WaitState = { ...given, code: keptDigits(this.#app, turn, interaction, given.code), actions };
    const said = (now: Interaction) =>
      say(turn, waitCard(this.#app, turn, now, state), { ...waitExtras(turn, now), deliveryKey: `${now.id}:waiting` });
    const activityId = interaction && (await said(interaction));
    this.#keep(dc, { ...state, ...(activityId && { activityId }) });
    return Dialog.EndOfTurn;
  }

  override async continueDialog(dc: DialogContext): Promise<DialogTurnResult> {
    const turn = turnOf(dc.context);
    const state = this.#kept(dc);
    if (turn.news) return this.#hear(dc, turn, state);
    const { input } = turn;
    if (input.kind === 'none') return Dialog.EndOfTurn;

    const interaction = await turn.services.interactions.get(state.interactionId);
    // It ended, and the chat has been told (or nobody can tell it any more): there is nothing to wait for.
    if (!interaction || interaction.delivered) return dc.endDialog(interaction);
    if (interaction.state !== 'waiting' && interaction.state !== 'intended') {
      await say(turn, turn.t('waiting.justEnded'));
      return Dialog.EndOfTurn;
    }
    const leaves = leavesBy(turn, state.leaving);
    // Asked once: whatever else is said now is about the request again.
    if (state.leaving) this.#keep(dc, { ...state, leaving: undefined });
    if (leaves !== undefined) {
      if (leaves) await this.#obey(turn, interaction, state, 'cancel');
      else await say(turn, still(this.#app, turn, interaction, state, ''));
      if (input.kind === 'action') turn.memory.used = { click: input.click, at: turn.services.clock.now() };
    } else if (input.kind === 'text' && commandIn(input.text, turn.t) === 'restart') {
      this.#keep(dc, { ...state, leaving: await askToLeave(turn, this.#app.id) });
    } else if (input.kind === 'action') {
      const button = waitButtons.find((name) => state.actions[name] === input.id);
      if (button === 'check') {
        if (!(await this.#answered(turn, interaction, state, input.fields[codeInput] ?? ''))) await say(turn, turn.t('passcode.notACode'));
      } else if (button) await this.#obey(turn, interaction, state, button);
      else await say(turn, turn.t('question.stale'));
      // A click that took a try or ended the wait has had its effect; doubled, it would take another, or look like one from an earlier step.
      const now = button && (await turn.services.interactions.get(interaction.id));
      if (now && (now.mistyped !== interaction.mistyped || now.state !== 'waiting' || hasLeft(turn, now)))
        turn.memory.used = { click: input.click, at: turn.services.clock.now() };
    } else if (input.kind === 'text') {
      const command = commandIn(input.text, turn.t);
      if (command && command !== 'restart') await this.#obey(turn, interaction, state, command);
      else if (!(await this.#answered(turn, interaction, state, input.text)))
        await say(turn, still(this.#app, turn, interaction, state, input.text));
    } else {
      await say(turn, input.kind === 'unreadable' ? unread(turn.t, input) : turn.t('question.stale'));
    }
    return hasLeft(turn, interaction) ? dc.endDialog() : Dialog.EndOfTurn;
  }

  override async repromptDialog(context: TurnContext, instance: DialogInstance): Promise<void> {
    const turn = turnOf(context);
    const state = instance.state as WaitState;
    const interaction = await turn.services.interactions.get(state.interactionId);
    if (interaction) await say(turn, waitCard(this.#app, turn, interaction, state), waitExtras(turn, interaction));
  }

  /** News of this interaction redraws its card; an ending ends the wait. News of another is none of ours. */
  async #hear(dc: DialogContext, turn: Turn, state: WaitState): Promise<DialogTurnResult> {
    const { kind, interaction } = turn.news as NonNullable<Turn['news']>;
    if (interaction.id !== state.interactionId) return Dialog.EndOfTurn;
    await redraw(this.#app, turn, interaction, state);
    return kind === 'outcome' ? dc.endDialog(interaction) : Dialog.EndOfTurn;
  }

  async #obey(
    turn: Turn,
    interaction: Interaction,
    state: WaitState,
    command: Exclude<ChatCommand, 'restart'> | WaitButton,
  ): Promise<void> {
    const { t, services } = turn;
    const about = aboutOf(this.#app, turn, interaction, state);
    switch (command) {
      case 'status':
        await say(turn, t(this.#app.answered ? 'passcode.status' : `waiting.status.${stepOf(interaction)}`, about));
        return;
      case 'resend': {
        const answer = await services.interactions.resend(interaction.id);
        if (answer.kind === 'over') await say(turn, t('waiting.justEnded'));
        else await say(turn, answer.kind === 'trouble' ? t(`trouble.${answer.trouble}`) : t(`waiting.resend.${answer.kind}`, about));
        // A new code has tries of its own.
        if (answer.kind === 'resent' && this.#app.waiting) await showAnew(this.#app, turn, state);
        return;
      }
      case 'cancel': {
        // The card of the cancellation itself follows as the outcome, so only what it does not say is said here.
        const answer = await services.interactions.cancel(interaction.id);
        if (answer !== 'withdrawn') await say(turn, t(answer === 'over' ? 'waiting.justEnded' : 'waiting.released'));
        if (!interaction.alike) return;
        leave(turn, interaction);
        await redraw(
          this.#app,
          turn,
          { ...interaction, outcome: { status: 'cancelled', by: 'customer', at: services.clock.now() } },
          state,
        );
        return;
      }
      case 'agent':
        await toAgent(turn, { app: this.#app.id, reason: 'asked' });
        return;
      case 'help':
      case 'check':
        await say(turn, t(this.#app.answered ? 'passcode.help' : 'help.waiting', about));
        return;
      default:
        return command satisfies never;
    }
  }

  /** Hands it to the app; `false` when it means nothing there. */
  async #answered(turn: Turn, interaction: Interaction, state: WaitState, typed: string): Promise<boolean> {
    const understood = await this.#app.answered?.(turn, interaction, typed);
    if (understood?.secret) await takeBack(turn);
    if (understood?.say === undefined) return understood !== undefined;
    const now = await turn.services.interactions.get(interaction.id);
    if (now) await redraw(this.#app, turn, now, state);
    await say(turn, understood.say);
    return true;
  }

  #keep(dc: DialogContext, state: WaitState) {
    Object.assign((dc.activeDialog as DialogInstance).state, state);
  }

  #kept(dc: DialogContext): WaitState {
    return (dc.activeDialog as DialogInstance).state;
  }
}

/** Asks whether to withdraw the request of an app. */
const askToLeave = async (turn: Turn, app: AppId): Promise<Leaving> => {
  const { t, services } = turn;
  const leaving = { yes: services.newId(), no: services.newId() };
  const actions = (['yes', 'no'] as const).map((name) => ({ title: t(`waiting.leave.${name}`), id: leaving[name] }));
  await say(turn, notice({ app, title: t('waiting.leave.text', { app: t(`apps.${app}.name`) }), actions }, t));
  return leaving;
};

/** Whether the customer leaves, once asked; `undefined` where they were not, or say something else. */
const leavesBy = ({ input, t }: Turn, leaving: Leaving | undefined): boolean | undefined => {
  if (!leaving) return undefined;
  if (input.kind === 'action') return input.id === leaving.yes ? true : input.id === leaving.no ? false : undefined;
  const choices = [
    { title: t('waiting.leave.yes'), value: true, phrases: phrasesOf(t, 'phrases.yes') },
    { title: t('waiting.leave.no'), value: false, phrases: phrasesOf(t, 'phrases.no') },
  ];
  return input.kind === 'text' ? pickedBy(input.text, { choices }, t)?.value : undefined;
};
