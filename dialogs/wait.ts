// Waiting for an outcome while the customer may talk. Only news of this very interaction ends it.

import type { TurnContext } from 'botbuilder';
import { Dialog, type DialogContext, type DialogInstance, type DialogTurnResult } from 'botbuilder-dialogs';
import { button, type CardAction, type CardMessage, codeInput, waiting as waitingCard } from '../cards/index.ts';
import type { Interaction } from '../src/interactions/interaction.ts';
import { faultFields } from '../src/platform/log.ts';
import { personChoice, toAgent } from './agent.ts';
import type { AppDialog } from './app.ts';
import { shownCode } from './compare-code.ts';
import { unread } from './input.ts';
import { askToLeave, type Leaving, leavesBy } from './leave.ts';
import { maskPhoneNumber } from './mask.ts';
import { hasLeft, leave } from './outcome.ts';
import { appIn, type Command, commandIn } from './recogniser.ts';
import { asActivity, type Extras, say } from './say.ts';
import { takeBack } from './take-back.ts';
import { type Turn, turnOf } from './turn.ts';

export interface WaitOptions {
  readonly interactionId: string;
  /** The two digits that the chat and the device both show. */
  readonly code: string;
  /** Where the message went, masked. */
  readonly to: string;
}

/** The buttons of a waiting card. `check` hands over a typed passcode. */
const waitingButtons = ['check', 'status', 'resend', 'cancel'] as const;
type WaitingButton = (typeof waitingButtons)[number];

interface Waiting extends WaitOptions {
  readonly actions: Readonly<Record<WaitingButton, string>>;
  /** The card's activity, where the channel told its id. */
  readonly activityId?: string;
  /** Set while it is asked whether to leave. */
  readonly leaving?: Leaving | undefined;
}

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
    const { interactionId, code, to } = options as WaitOptions;
    const actions = Object.fromEntries(waitingButtons.map((name) => [name, turn.services.newId()])) as Waiting['actions'];
    const interaction = await turn.services.interactions.get(interactionId);
    // What is shown of a request that may not exist is settled here: its digits may be anything.
    const digits = interaction?.alike ? (this.#digits(turn, interaction, code) ?? (turn.services.showsCode ? code : '')) : code;
    const state: Waiting = { interactionId, code: digits, to, actions };
    const said = (now: Interaction) => say(turn, this.#card(turn, now, state), { ...extras(turn, now), name: `${now.id}:waiting` });
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
    if (!interaction || interaction.told) return dc.endDialog(interaction);
    if (interaction.state !== 'waiting' && interaction.state !== 'intended') {
      await say(turn, turn.t('waiting.justEnded'));
      return Dialog.EndOfTurn;
    }
    const leaves = leavesBy(turn, state.leaving);
    // Asked once: whatever else is said now is about the request again.
    if (state.leaving) this.#keep(dc, { ...state, leaving: undefined });
    if (leaves !== undefined) {
      if (leaves) await this.#obey(turn, interaction, state, 'cancel');
      else await say(turn, this.#still(turn, interaction, state, ''));
      if (input.kind === 'action') turn.memory.used = { click: input.click, at: turn.services.clock.now() };
    } else if (input.kind === 'text' && commandIn(input.text, turn.t) === 'restart') {
      this.#keep(dc, { ...state, leaving: await askToLeave(turn, this.#app.id) });
    } else if (input.kind === 'action') {
      const button = waitingButtons.find((name) => state.actions[name] === input.id);
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
        await say(turn, this.#still(turn, interaction, state, input.text));
    } else {
      await say(turn, input.kind === 'unreadable' ? unread(turn.t, input) : turn.t('question.stale'));
    }
    return hasLeft(turn, interaction) ? dc.endDialog() : Dialog.EndOfTurn;
  }

  override async repromptDialog(context: TurnContext, instance: DialogInstance): Promise<void> {
    const turn = turnOf(context);
    const state = instance.state as Waiting;
    const interaction = await turn.services.interactions.get(state.interactionId);
    if (interaction) await say(turn, this.#card(turn, interaction, state), extras(turn, interaction));
  }

  /** News of this interaction redraws its card; an ending ends the wait. News of another is none of ours. */
  async #hear(dc: DialogContext, turn: Turn, state: Waiting): Promise<DialogTurnResult> {
    const { kind, interaction } = turn.news as NonNullable<Turn['news']>;
    if (interaction.id !== state.interactionId) return Dialog.EndOfTurn;
    await this.#redraw(turn, interaction, state);
    return kind === 'outcome' ? dc.endDialog(interaction) : Dialog.EndOfTurn;
  }

  async #obey(turn: Turn, interaction: Interaction, state: Waiting, command: Exclude<Command, 'restart'> | WaitingButton): Promise<void> {
    const { t, services } = turn;
    const about = this.#about(turn, interaction, state);
    switch (command) {
      case 'status':
        await say(turn, t(this.#app.answered ? 'passcode.status' : `waiting.status.${stepOf(interaction)}`, about));
        return;
      case 'resend': {
        const answer = await services.interactions.resend(interaction.id);
        if (answer.kind === 'over') await say(turn, t('waiting.justEnded'));
        else await say(turn, answer.kind === 'trouble' ? t(`trouble.${answer.trouble}`) : t(`waiting.resend.${answer.kind}`, about));
        // A new code has tries of its own.
        if (answer.kind === 'resent' && this.#app.waiting) await this.#showAnew(turn, state);
        return;
      }
      case 'cancel': {
        // The card of the cancellation itself follows as the outcome, so only what it does not say is said here.
        const answer = await services.interactions.cancel(interaction.id);
        if (answer !== 'withdrawn') await say(turn, t(answer === 'over' ? 'waiting.justEnded' : 'waiting.released'));
        if (!interaction.alike) return;
        leave(turn, interaction);
        await this.#redraw(turn, { ...interaction, outcome: { status: 'cancelled', by: 'customer', at: services.clock.now() } }, state);
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

  #about(turn: Turn, interaction: Interaction, state: Waiting) {
    const app = turn.t(`apps.${this.#app.id}.name`);
    return { app, to: sentTo(interaction, state), minutes: minutesLeft(turn, interaction) };
  }

  /** What is said to words that mean nothing here; another wish has to wait, and is told so. */
  #still(turn: Turn, interaction: Interaction, state: Waiting, typed: string): string {
    const { t } = turn;
    const about = this.#about(turn, interaction, state);
    const wish = appIn(typed, t);
    if (wish && wish !== this.#app.id) return t('waiting.other', { ...about, wish: t(`apps.${wish}.name`) });
    return t(this.#app.answered ? 'passcode.still' : 'waiting.still', about);
  }

  /** Hands it to the app; `false` when it means nothing there. */
  async #answered(turn: Turn, interaction: Interaction, state: Waiting, typed: string): Promise<boolean> {
    const understood = await this.#app.answered?.(turn, interaction, typed);
    if (understood?.secret) await takeBack(turn);
    if (understood?.say === undefined) return understood !== undefined;
    const now = await turn.services.interactions.get(interaction.id);
    if (now) await this.#redraw(turn, now, state);
    await say(turn, understood.say);
    return true;
  }

  #card(turn: Turn, interaction: Interaction, state: Waiting): CardMessage {
    const { t } = turn;
    const { code, actions } = state;
    const { progress } = interaction;
    const ended = endOf(turn, interaction);
    const shown = interaction.alike ? code || undefined : this.#digits(turn, interaction, code);
    const compare = shown !== undefined && { compare: shown };
    const to = sentTo(interaction, state);
    const named = (name: WaitingButton): CardAction => button(name, actions[name], t);
    if (this.#app.waiting && !ended)
      return this.#app.waiting(turn, interaction, { to, ...compare, check: named('check'), actions: [named('resend'), named('cancel')] });
    return waitingCard(
      {
        app: this.#app.id,
        to,
        progress,
        ...(interaction.alike && { stepless: true }),
        actions: [named('status'), named('resend'), named('cancel')],
        ...(shown !== undefined && { code: shown }),
        ...(ended && { ended }),
      },
      t,
    );
  }

  /**
   * Redraws the card in place. Where the channel cannot, it stays as it was sent: steps are not repeated as new messages. A card that
   * cannot be redrawn costs a stale card, never the outcome.
   */
  async #redraw(turn: Turn, interaction: Interaction, state: Waiting): Promise<void> {
    if (!turn.channel.updates || state.activityId === undefined) return;
    try {
      const redrawn = asActivity(turn, this.#card(turn, interaction, state), extras(turn, interaction));
      await turn.context.updateActivity({ ...redrawn, id: state.activityId });
    } catch (fault) {
      turn.services.log.warn({ ...faultFields(fault), interaction: interaction.id }, 'a waiting card was not redrawn');
    }
  }

  /** Shows the card as it is now, in place where the channel can. */
  async #showAnew(turn: Turn, state: Waiting): Promise<void> {
    const now = await turn.services.interactions.get(state.interactionId);
    if (!now) return;
    if (turn.channel.updates && state.activityId !== undefined) await this.#redraw(turn, now, state);
    else await say(turn, this.#card(turn, now, state), extras(turn, now));
  }

  #digits(turn: Turn, interaction: Interaction, code: string): string | undefined {
    return shownCode(turn, interaction, this.#app.comparesCode ? code : undefined);
  }

  #keep(dc: DialogContext, state: Waiting) {
    Object.assign((dc.activeDialog as DialogInstance).state, state);
  }

  #kept(dc: DialogContext): Waiting {
    return (dc.activeDialog as DialogInstance).state;
  }
}

/** What can be said while waiting and has no button on the card; it goes when the wait is over. */
const extras = (turn: Turn, interaction: Interaction): Extras => {
  const { t } = turn;
  if (endOf(turn, interaction)) return {};
  return { quick: [t('cards.buttons.help'), t('cards.buttons.startOver'), ...personChoice(turn).map(({ title }) => title)] };
};

/** How it ended, if it did; of one that expired nobody knows how. */
const endOf = ({ services }: Turn, { outcome, state }: Interaction) =>
  outcome ?? (state === 'expired' || state === 'unresolved' ? ({ status: 'unknown', at: services.clock.now() } as const) : undefined);

const stepOf = ({ progress }: Interaction) =>
  progress.started ? 'started' : progress.opened ? 'opened' : progress.sent ? 'sent' : 'sending';

/** Where the message went; a wait from before an update does not know, and it was the phone for all but passkeys. */
const sentTo = ({ phoneNumber }: Interaction, { to }: Partial<WaitOptions>) => to ?? maskPhoneNumber(phoneNumber);

const minute = 60_000;
/** We wait a minute longer than what was sent is good for (compose/limits.ts), so that the service's own word comes first. */
const minutesLeft = ({ services }: Turn, { deadline }: Interaction) =>
  Math.max(1, Math.round((deadline - minute - services.clock.now()) / minute));
