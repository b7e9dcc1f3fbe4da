// One question to the customer. Only an answer advances it: a button, a title, a number, or words that it can read.
import { type CardAction, type CardMessage, record } from '../../cards/index.ts';
import { faultFields } from '../../src/platform/log.ts';
import { isNegated, namedIn, pickedBy } from '../language/recogniser.ts';
import { Dialog, type DialogContext, type DialogInstance, type DialogReason, type DialogTurnResult, type TurnContext } from '../sdk.ts';
import { answerClick, asActivity, say, unread } from '../turn/activities.ts';
import { type Choice, choiceIndexOf, pickedAmong, type QuestionState } from '../turn/question-state.ts';
import { awaitsAgent, canAskForAgent, type Turn, turnOf } from '../turn/turn.ts';

/** A question as it is asked: its choices, and how it is shown. The actions are in the order of the choices. */
export interface Asking<Value = unknown> {
  readonly choices: readonly Choice<Value>[];
  /** How many choices, from the first, show a number and can be picked by it. All, if the channel has no buttons. */
  readonly numbered?: number;
  /** The lines that stay once it is answered. Unset: its first. */
  readonly stays?: readonly string[];
  /** The kind of keyboard that suits the answer: our own page offers it. */
  readonly takes?: 'tel';
  /** What the customer said by pressing an answer. Without it, that its title is their answer. */
  said?(answer: Value): string | undefined;
  show(actions: readonly CardAction[]): CardMessage | string;
}

/**
 * The result of an answer in words or of a card's inputs: the answer; a sentence that corrects, before the question is
 * asked again; part of an answer, with which the question continues; or an aside, with quick replies: the question
 * stays as it was asked.
 */
export type Reading<Value, Options> =
  | { readonly answer: Value }
  | { readonly repair: string }
  | { readonly more: Options; readonly say?: string }
  | { readonly aside: Options; readonly say: string; readonly quick?: readonly string[] };

/** A kind of question. `Options` is plain JSON: it is stored while the question waits. */
export interface Question<Options extends object, Value> {
  readonly id: string;
  /** Words may be values here, so they are not read as wishes for another app. */
  readonly wordy?: boolean;
  ask(turn: Turn, options: Options): Asking;
  /** Reads words that match no choice. Without it, the choices are shown again. */
  read?(turn: Turn, typed: string, options: Options): Reading<Value, Options>;
  /** The answer when words only name a choice in passing, where an explicit choice means more. */
  guess?(value: Value): Value;
  /**
   * Reads the card's inputs when the choice `picked` was pressed, `age` milliseconds after the question was asked.
   * Without `fields` its title was typed, and no inputs were submitted.
   */
  submit?(
    turn: Turn,
    fields: Readonly<Record<string, string>> | undefined,
    picked: unknown,
    options: Options,
    age: number,
  ): Reading<Value, Options>;
}

/** A question's dialog, which ends with the answer. */
export const makeQuestion = <Options extends object, Value>(question: Question<Options, Value>): Dialog<Options> =>
  new QuestionDialog(question as Question<object, unknown>);

class QuestionDialog extends Dialog {
  readonly #question: Question<object, unknown>;

  constructor(question: Question<object, unknown>) {
    super(question.id);
    this.#question = question;
  }

  override async beginDialog(dc: DialogContext, options: { readonly named?: string } = {}): Promise<DialogTurnResult> {
    const turn = turnOf(dc.context);
    const { choices, numbered = choices.length } = this.#question.ask(turn, options);
    const named = options.named && namedIn(options.named, choices.slice(0, numbered), turn.t);
    if (named) return dc.endDialog(this.#guess(named.value));
    const state = this.#state(dc.activeDialog as DialogInstance);
    state.options = options;
    state.wordy = this.#question.wordy ?? false;
    await this.#put(turn, state);
    return Dialog.EndOfTurn;
  }

  override async continueDialog(dc: DialogContext): Promise<DialogTurnResult> {
    const turn = turnOf(dc.context);
    const state = this.#state(dc.activeDialog as DialogInstance);
    const { input } = turn;
    if (input.kind === 'none') return Dialog.EndOfTurn;
    if (input.kind === 'text') {
      const picked = this.#pickedBy(turn, input.text, state) ?? this.#namedBy(turn, input.text, state);
      if (picked) return this.#conclude(dc, this.#pick(turn, undefined, picked.value, state));
      return this.#conclude(dc, this.#question.read?.(turn, input.text, state.options) ?? { repair: turn.t('question.notUnderstood') });
    }
    if (input.kind === 'unreadable') return this.#conclude(dc, { repair: unread(turn.t, input) });
    const choice = input.kind === 'action' ? state.choices[choiceIndexOf(state, input.id)] : undefined;
    if (input.kind !== 'action' || !choice) {
      const stale = turn.t('question.stale');
      return (await answerClick(turn, stale)) ? Dialog.EndOfTurn : this.#conclude(dc, { repair: stale });
    }
    turn.memory.used = { click: input.click, at: turn.services.clock.now() };
    if (turn.notes) turn.notes.picked = choice.title;
    const isFilled = Object.keys(input.fields).length > 0;
    return this.#conclude(dc, this.#pick(turn, input.fields, choice.value, state), isFilled ? filled : choice.title);
  }

  override async repromptDialog(context: TurnContext, instance: DialogInstance): Promise<void> {
    const state = this.#state(instance);
    // It is not repeated because of a miss.
    delete state.missed;
    await this.#put(turnOf(context), state);
  }

  override async resumeDialog(dc: DialogContext, _reason: DialogReason): Promise<DialogTurnResult> {
    await this.repromptDialog(dc.context, dc.activeDialog as DialogInstance);
    return Dialog.EndOfTurn;
  }

  #state(instance: DialogInstance): QuestionState {
    return instance.state as QuestionState;
  }

  #guess(value: unknown) {
    return this.#question.guess ? this.#question.guess(value) : value;
  }

  #pick(turn: Turn, fields: Readonly<Record<string, string>> | undefined, value: unknown, { options, askedAt = -Infinity }: QuestionState) {
    const age = turn.services.clock.now() - askedAt;
    return this.#question.submit?.(turn, fields, value, options, age) ?? { answer: value };
  }

  /** The choice the words pick. A customer who changed the language answers in the new one. */
  #pickedBy(turn: Turn, typed: string, state: QuestionState) {
    const picked = pickedAmong(turn, typed, state);
    if (picked || state.language === turn.t.language) return picked;
    const { choices } = this.#question.ask(turn, state.options);
    return pickedBy(typed, { choices }, turn.t);
  }

  /** The list item that the words name: “the router”. Not for free text, nor in the menu, which reads whole wishes. */
  #namedBy({ t }: Turn, typed: string, { choices, numbered = 0, wordy }: QuestionState) {
    if (wordy || numbered === 0 || this.#question.id === 'menu' || isNegated(typed, t)) return undefined;
    const found = namedIn(typed, choices.slice(0, numbered), t);
    return found && { ...found, value: this.#guess(found.value) };
  }

  async #conclude(dc: DialogContext, given: Reading<unknown, object>, how?: AnswerGiven): Promise<DialogTurnResult> {
    const turn = turnOf(dc.context);
    const state = this.#state(dc.activeDialog as DialogInstance);
    const missed = 'repair' in given && turn.input.kind === 'text';
    // What is no answer may be meant for the person who is awaited, and is passed on (decision 0162).
    const reading =
      missed && awaitsAgent(turn) && !state.wordy ? { aside: state.options, say: `${turn.t('agent.passedOn')} ${given.repair}` } : given;
    if ('answer' in reading) {
      await this.#record(turn, state, how, reading.answer);
      return dc.endDialog(reading.answer);
    }
    if ('aside' in reading) {
      state.options = reading.aside;
      await say(turn, reading.say, { quick: reading.quick ?? [], answer: 'expected', ...this.#hint(turn, state) });
      return Dialog.EndOfTurn;
    }
    if ('repair' in reading && missed) {
      state.missed = (state.missed ?? 0) + 1;
      if (state.missed > 1) return this.#wayOut(turn, state, reading.repair);
    } else delete state.missed;
    if ('more' in reading) state.options = reading.more;
    // A card that was filled in is shown again below, with new buttons: this one is over.
    if (how !== undefined && turn.channel.universalActions) await this.#record(turn, state, how);
    await this.#put(turn, state, 'repair' in reading ? reading.repair : reading.say);
    return Dialog.EndOfTurn;
  }

  /** A second miss in a row: the question is still shown, so help is given instead of repeating it. */
  async #wayOut(turn: Turn, state: QuestionState, repair: string): Promise<DialogTurnResult> {
    const ways = ['help', 'cancel', ...(canAskForAgent(turn) ? (['person'] as const) : [])] as const;
    const quick = ways.map((name) => turn.t(`cards.buttons.${name}`));
    await say(turn, [repair, turn.t('question.wayOut')].join(' '), { quick, answer: 'expected', ...this.#hint(turn, state) });
    return Dialog.EndOfTurn;
  }

  /** The keyboard for its answer, for our own page. */
  #hint(turn: Turn, { options }: QuestionState) {
    const { takes } = this.#question.ask(turn, options);
    return takes && turn.channel.webChat ? { channelData: { takes } } : {};
  }

  /** Its card stays as the question and its answer. */
  async #record(turn: Turn, { card, choices, options }: QuestionState, how: AnswerGiven, answer?: unknown): Promise<void> {
    const { show, stays, said } = this.#question.ask(turn, options);
    const shown = show(choices.map(({ title }) => ({ title, id: '' })));
    const words = typeof how === 'string' ? (said?.(answer) ?? turn.t('question.chosen', { choice: how })) : how;
    if (card !== undefined) await recordAnswer(turn, card, stays ?? [typeof shown === 'string' ? shown : shown.summary], words);
  }

  /** Asks the question, after a correcting sentence if there is one. Its earlier buttons become invalid. */
  async #put(turn: Turn, state: QuestionState, repair?: string): Promise<void> {
    const { choices, numbered: listed = 0, show } = this.#question.ask(turn, state.options);
    // Without buttons every choice gets a number, except where free text may be a number too.
    const numbered = turn.channel.cards || state.wordy ? listed : choices.length;
    const titled = (title: string, index: number) => (index < listed || index >= numbered ? title : `${index + 1}. ${title}`);
    const actions = choices.map(
      ({ title, style }, index): CardAction => ({ title: titled(title, index), id: turn.services.newId(), ...(style && { style }) }),
    );
    state.actions = actions.map(({ id }) => id);
    state.choices = choices.map(({ style: _, ...choice }) => choice);
    state.numbered = numbered;
    state.language = turn.t.language;
    state.askedAt = turn.services.clock.now();
    if (turn.transferred) return;
    if (repair) await say(turn, repair, { answer: 'later' });
    const shown = show(actions);
    const id = await say(turn, shown, { answer: 'expected', ...this.#hint(turn, state) });
    if (id !== undefined && typeof shown !== 'string') state.card = id;
    else delete state.card;
  }
}

/** Marks an answer given by filling in a card's inputs. */
const filled = Symbol('filled in');

/** What the customer did with a card: the words for what they pressed, or its inputs. Unset: they typed an answer. */
type AnswerGiven = string | typeof filled | undefined;

/**
 * Replaces an answered card with what it `asked` and the answer, only once the turn is saved, so that an open question
 * never loses its buttons. A typed answer stands below it in the customer's own message. Filled-in values are not
 * repeated: they may be personal. There is one update per answer: channels limit calls, so a question that is asked
 * again leaves its earlier card.
 */
const recordAnswer = async (turn: Turn, id: string, asked: readonly string[], how: AnswerGiven): Promise<void> => {
  const { afterwards, channel, context, services, t } = turn;
  if (!channel.updates) return;
  const kept = record([...asked, ...(how === undefined ? [] : [how === filled ? t('question.filled') : how])], t);
  await answerClick(turn, kept);
  // The answer to the click is shown only to the person who pressed, until they look again; so the message itself is
  // changed too.
  const replacement = asActivity(turn, channel.universalActions ? kept : kept.text);
  afterwards.push(async () => {
    try {
      await context.updateActivity({ ...replacement, id });
    } catch (fault) {
      services.log.warn({ ...faultFields(fault), operation: 'update' }, 'an answered card was not updated');
    }
  });
};
