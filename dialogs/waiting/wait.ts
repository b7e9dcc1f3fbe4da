// Waits for an outcome while the customer may talk. Only news of this interaction ends the wait.
import { codeInput } from '../../cards/index.ts';
import type { Interaction } from '../../src/interactions/index.ts';
import type { AppDialog } from '../asking/app-dialog.ts';
import { toAgent } from '../escalation/to-agent.ts';
import { bareCommandIn, type ChatCommand, commandIn } from '../language/recogniser.ts';
import { Dialog, type DialogContext, type DialogInstance, type DialogTurnResult, type TurnContext } from '../sdk.ts';
import { answerClick, isRefresh, say, takeBack, unread } from '../turn/activities.ts';
import { awaitsAgent, type Turn, turnOf } from '../turn/turn.ts';
import { asksToLeave, askToLeave, leavesBy } from './leaving.ts';
import { hasLeft, leave } from './outcome.ts';
import {
  aboutOf,
  keptDigits,
  mayStillCome,
  numberedIn,
  redraw,
  showAnew,
  stepOf,
  still,
  type WaitBeginning,
  type WaitButton,
  type WaitState,
  waitButtons,
  waitCard,
  waitExtras,
} from './wait-card.ts';

/** The result of a wait: the interaction in its final state, and whether another number is to be asked for. */
export type Waited = { readonly interaction?: Interaction | undefined; readonly renumbers?: true | undefined };

/** Waits for one interaction of the app; ends with {@link Waited}. */
export const makeWait = (app: AppDialog): Dialog<WaitBeginning> => new WaitDialog(app);

class WaitDialog extends Dialog<WaitBeginning> {
  readonly #app: AppDialog;

  constructor(app: AppDialog) {
    super('wait');
    this.#app = app;
  }

  override async beginDialog(dc: DialogContext, options?: WaitBeginning): Promise<DialogTurnResult> {
    const turn = turnOf(dc.context);
    const { link, ...given } = options as WaitBeginning;
    const [check, resend, cancel] = [turn.services.newId(), turn.services.newId(), turn.services.newId()];
    const actions: WaitState['actions'] = { check, resend, cancel };
    const interaction = await turn.services.interactions.get(given.interactionId);
    // After a stall of this replica, another may have delivered the end: a prompt would appear below it.
    if (interaction?.delivered) return dc.endDialog({ interaction } satisfies Waited);
    const state: WaitState = { ...given, code: keptDigits(this.#app, turn, interaction, given.code), actions };
    const said = (now: Interaction) =>
      say(turn, waitCard(this.#app, turn, now, state, link), { ...waitExtras(turn, now), deliveryKey: `${now.id}:waiting` });
    const activityId = interaction && (await said(interaction));
    if (interaction && turn.channel.voice) turn.afterwards.push(async () => turn.services.holdOn?.(interaction));
    this.#keep(dc, { ...state, ...(activityId && { activityId }) });
    return Dialog.EndOfTurn;
  }

  override async continueDialog(dc: DialogContext): Promise<DialogTurnResult> {
    const turn = turnOf(dc.context);
    const state = this.#kept(dc);
    if (turn.news) return this.#hear(dc, turn, state);
    const { input } = turn;
    if (input.kind === 'none') {
      if (isRefresh(dc.context.activity)) await this.#show(turn, state);
      return Dialog.EndOfTurn;
    }

    const interaction = await turn.services.interactions.get(state.interactionId);
    // The chat has the end, or it will never be known: there is nothing to wait for.
    if (!interaction || interaction.delivered) return this.#end(dc, interaction);
    if (!mayStillCome(interaction.state)) {
      await say(turn, turn.t('waiting.justEnded'));
      return Dialog.EndOfTurn;
    }
    const { leaving } = state;
    const numbered = input.kind === 'text' && !leaving ? numberedIn(this.#app, turn, state, input.text) : undefined;
    const leaves = leavesBy(turn, leaving);
    // The question is asked only once; any other answer is about the request again.
    if (leaving) this.#keep(dc, { ...state, leaving: undefined, ...(leaves && leaving.renumbers && { renumbers: true }) });
    const asks = leaves === undefined ? asksToLeave(turn, interaction, state, numbered) : undefined;
    if (leaves !== undefined) {
      const chosen = turn.t('question.chosen', { choice: turn.t(`waiting.leave.${leaves ? 'yes' : 'no'}`) });
      await answerClick(turn, chosen);
      if (leaves) await this.#obey(turn, interaction, state, 'cancel');
      else await say(turn, still(this.#app, turn, interaction, state, ''));
      if (input.kind === 'action') turn.memory.used = { click: input.click, at: turn.services.clock.now() };
    } else if (asks) {
      this.#keep(dc, { ...state, leaving: await askToLeave(turn, this.#app.id, asks) });
    } else if (input.kind === 'action') {
      const button = waitButtons.find((name) => state.actions[name] === input.id);
      if (button === 'check') {
        if (!(await this.#answered(turn, interaction, state, input.fields[codeInput] ?? ''))) await say(turn, turn.t('passcode.notACode'));
      } else if (button) await this.#obey(turn, interaction, state, button);
      else await this.#refuse(turn);
      if (button) await this.#show(turn, state);
      // A click that used a try or ended the wait is spent; a second one would use another try or look stale.
      const now = button && (await turn.services.interactions.get(interaction.id));
      if (now && (now.mistyped !== interaction.mistyped || now.state !== 'waiting' || hasLeft(turn, now)))
        turn.memory.used = { click: input.click, at: turn.services.clock.now() };
    } else if (input.kind === 'text') {
      const command = numbered ?? (awaitsAgent(turn) ? bareCommandIn : commandIn)(input.text, turn.t);
      if (command && command !== 'restart' && command !== 'number') await this.#obey(turn, interaction, state, command);
      else if (!(await this.#answered(turn, interaction, state, input.text)))
        await say(turn, awaitsAgent(turn) ? turn.t('agent.passedOn') : still(this.#app, turn, interaction, state, input.text));
    } else {
      if (input.kind === 'unreadable') await say(turn, unread(turn.t, input));
      else await this.#refuse(turn);
    }
    return hasLeft(turn, interaction) ? this.#end(dc) : Dialog.EndOfTurn;
  }

  override async repromptDialog(context: TurnContext, instance: DialogInstance): Promise<void> {
    const turn = turnOf(context);
    const state = instance.state as WaitState;
    const interaction = await turn.services.interactions.get(state.interactionId);
    if (interaction) await say(turn, waitCard(this.#app, turn, interaction, state), waitExtras(turn, interaction));
  }

  /** News of this interaction redraws its card, and an outcome ends the wait. Other news is ignored. */
  async #hear(dc: DialogContext, turn: Turn, state: WaitState): Promise<DialogTurnResult> {
    const { kind, interaction } = turn.news as NonNullable<Turn['news']>;
    if (interaction.id !== state.interactionId) return Dialog.EndOfTurn;
    if (kind === 'still') {
      const { app } = aboutOf(this.#app, turn, interaction, state);
      // Each is said, although the words are the same.
      await say(turn, turn.t('speech.hold', { app }), { deliveryKey: `${interaction.id}:still:${turn.services.newId()}` });
      return Dialog.EndOfTurn;
    }
    // News of a step may arrive after the end.
    const now = kind === 'outcome' ? interaction : await turn.services.interactions.get(interaction.id);
    if (now) await redraw(this.#app, turn, now, state);
    return kind === 'outcome' ? this.#end(dc, interaction) : Dialog.EndOfTurn;
  }

  async #obey(
    turn: Turn,
    interaction: Interaction,
    state: WaitState,
    command: Exclude<ChatCommand, 'restart' | 'number'> | WaitButton,
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
        if (answer.kind !== 'resent') return;
        state.sentAgainAt = services.clock.now();
        // A new code has new tries.
        if (this.#app.waiting) await showAnew(this.#app, turn, state);
        else await redraw(this.#app, turn, (await services.interactions.get(interaction.id)) ?? interaction, state);
        return;
      }
      case 'cancel': {
        // The card of the cancellation follows as the outcome, so only other answers are given here.
        const answer = await services.interactions.cancel(interaction.id);
        if (answer !== 'withdrawn') await say(turn, t(answer === 'over' ? 'waiting.justEnded' : 'waiting.released'));
        if (!interaction.blindLookup) return;
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
        await toAgent(turn, { app: this.#app.id, reason: 'asked' }, 'welcome');
        return;
      case 'help':
      case 'check':
        await say(turn, t(this.#app.answered ? 'passcode.help' : 'help.waiting', about));
        return;
      default:
        return command satisfies never;
    }
  }

  /** Passes the input to the app; `false` if it means nothing there. */
  async #answered(turn: Turn, interaction: Interaction, state: WaitState, typed: string): Promise<boolean> {
    const understood = await this.#app.answered?.(turn, interaction, typed);
    if (understood?.secret) await takeBack(turn);
    if (understood?.say === undefined) return understood !== undefined;
    const now = await turn.services.interactions.get(interaction.id);
    if (now) await redraw(this.#app, turn, now, state);
    if (understood.say !== '') await say(turn, understood.say);
    return true;
  }

  #end(dc: DialogContext, interaction?: Interaction) {
    return dc.endDialog({ interaction, renumbers: this.#kept(dc).renumbers } satisfies Waited);
  }

  /** Answers the click on the waiting card, or the card that came into view, with the card as it is now. */
  async #show(turn: Turn, state: WaitState): Promise<void> {
    const now = turn.context.activity.replyToId === state.activityId && (await turn.services.interactions.get(state.interactionId));
    if (now) await answerClick(turn, waitCard(this.#app, turn, now, state), waitExtras(turn, now));
  }

  /** Says that a button is outdated: on its card if the channel can show that. */
  async #refuse(turn: Turn): Promise<void> {
    const stale = turn.t('question.stale');
    if (!(await answerClick(turn, stale))) await say(turn, stale);
  }

  #keep(dc: DialogContext, state: WaitState) {
    Object.assign((dc.activeDialog as DialogInstance).state, state);
  }

  #kept(dc: DialogContext): WaitState {
    return (dc.activeDialog as DialogInstance).state;
  }
}
