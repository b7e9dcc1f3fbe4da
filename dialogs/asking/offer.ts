// Questions with choices: one of several things, the next step after a failure, the final confirmation, and an agent.
import { type CardAction, choices as choicesCard, confirmCard, type KeysUnder, notice, type RequestData } from '../../cards/index.ts';
import type { AppId } from '../../src/contract/index.ts';
import type { Trouble } from '../../src/interactions/index.ts';
import { phrasesOf } from '../language/words.ts';
import type { Choice } from '../turn/question-state.ts';
import { canAskForAgent, type Turn } from '../turn/turn.ts';
import type { Question } from './question.ts';

export interface Offering<Value> {
  readonly question: string;
  /** Instead of the hint how to choose. */
  readonly text?: string;
  /**
   * The choices. Their values are identifiers, never positions: lists change while a question waits. `aside`: at the end
   * of the line, such as a price.
   */
  readonly offers?: readonly (Pick<Choice<Value>, 'names' | 'title' | 'value'> & { readonly subtitle?: string; readonly aside?: string })[];
  /** The alternatives to choosing. */
  readonly others?: readonly Choice<Value>[];
  readonly said?: (answer: Value) => string | undefined;
}

/** The most offers that a card shows. Some channels refuse larger cards, and nobody reads them. */
const maxShown = 20;

/** A question whose answer is the value of the chosen offer, or of another choice. `more`: other ways to answer it. */
export const offer = <Options extends object, Value>(
  id: string,
  describe: (turn: Turn, options: Options) => Offering<Value>,
  more: Pick<Question<Options, Value>, 'guess' | 'read'> = {},
): Question<Options, Value> => ({
  id,
  ...more,
  ask: (turn, options) => {
    const { question, text, offers = [], others = [], said } = describe(turn, options);
    const shown = offers.slice(0, maxShown);
    const more = offers.length - shown.length;
    const tiles = (actions: readonly CardAction[]) =>
      shown.map(({ title: _, value: __, names: ___, ...rest }, index) => ({ ...rest, action: actions[index] as CardAction }));
    return {
      numbered: shown.length,
      choices: [...offers.map(({ title, value, names }) => ({ title, value, ...(names && { names }) })), ...others],
      ...(said && { said: (answer: unknown) => said(answer as Value) }),
      show: (actions) =>
        offers.length > 0
          ? choicesCard(
              {
                question,
                ...(text !== undefined && { text }),
                ...(more > 0 && { text: turn.t('question.more', { count: more }) }),
                choices: tiles(actions),
                actions: actions.slice(offers.length),
              },
              turn.t,
            )
          : notice({ title: question, actions }, turn.t),
    };
  },
});

/** The service could not be asked, or not again by this user. Another try is offered only where it may help. */
export const troubleQuestion = offer<{ readonly trouble: Trouble | 'lookups' }, 'retry' | 'agent' | 'menu'>(
  'trouble',
  (turn, { trouble }) => {
    const { t } = turn;
    const retry: Choice<'retry'> = {
      title: t('cards.buttons.again'),
      value: 'retry',
      style: 'positive',
      phrases: 'phrases.yes',
    };
    return {
      question: t(`trouble.${trouble}`),
      others: [
        ...(trouble === 'misconfigured' || trouble === 'lookups' ? [] : [retry]),
        ...agentChoice(turn),
        { title: t('cards.buttons.menu'), value: 'menu', phrases: 'phrases.no' },
      ],
    };
  },
);

/** Another app that does the same, and why the customer needs it: the name of a text under `instead`. */
export type Instead = { readonly to: AppId & KeysUnder<'instead'>; readonly because: Exclude<KeysUnder<'instead'>, AppId> };

/** The customer cannot use this app, but another does the same for them. */
const insteadQuestion = offer<Instead, { readonly switch: AppId } | 'menu'>('instead', ({ t }, { to, because }) => ({
  question: t(`instead.${because}`),
  others: [
    { title: t(`instead.${to}`), value: { switch: to }, style: 'positive', phrases: 'phrases.yes' },
    { title: t('cards.buttons.menu'), value: 'menu', phrases: 'phrases.no' },
  ],
}));

/** How an app ended. `instead`: another app that does the same; without one, the menu is offered. */
export type EndedApp = { readonly unknown: boolean; readonly instead?: (AppId & KeysUnder<'again'>) | undefined };

/** It failed, timed out, or its end is unknown. */
export const againQuestion = offer<EndedApp, 'again' | 'another' | 'agent'>('again', (turn, { unknown, instead }) => ({
  question: turn.t(unknown ? 'again.unknown' : 'again.text'),
  others: [
    { title: turn.t('cards.buttons.again'), value: 'again', style: 'positive', phrases: 'phrases.yes' },
    {
      title: turn.t(instead && turn.services.apps.includes(instead) ? `again.${instead}` : 'cards.buttons.menu'),
      value: 'another',
      phrases: 'phrases.no',
    },
    ...agentChoice(turn),
  ],
}));

/** It succeeded, and left something to do. */
const onwardQuestion = offer<object, 'menu' | 'onward'>('onward', ({ t }) => ({
  question: t('again.onward'),
  others: [
    { title: t('cards.buttons.onward'), value: 'onward', style: 'positive', phrases: 'phrases.yes' },
    { title: t('cards.buttons.notNow'), value: 'menu', phrases: 'phrases.no' },
  ],
}));

/** What the customer wants after an ending. */
export type AfterAnswer = 'again' | 'agent' | 'another' | 'menu' | 'onward';

/** Declines. Where there is no other number to give, that includes who says to be somebody else. */
export const notNow = <Value>(t: Turn['t'], value: Value, renumbers: boolean): Choice<Value> => ({
  title: t('cards.buttons.notNow'),
  value,
  phrases: renumbers ? 'phrases.no' : [...phrasesOf(t, 'phrases.no'), ...phrasesOf(t, 'phrases.notMe')],
});

export interface ConfirmOptions<Id extends AppId = AppId> {
  readonly app: Id;
  readonly about: RequestData[Id];
  /** The title of what is sent, with its price. Unset in questions of an earlier version. */
  readonly what?: string;
  /** Whether there is anything to choose differently. */
  readonly changeable: boolean;
  /** A request for the same is open; `code`: the two digits that its message shows, if it does. */
  readonly open?: { readonly code?: string };
  /** Whether the customer may be somebody else. Unset in questions of an earlier version, which asked that before. */
  readonly renumbers?: boolean;
}

/** `late`: send it, but the details may have changed since they were shown. */
export type ConfirmAnswer = 'send' | 'change' | 'another' | 'cancel' | 'late';

/** How long (ms) an answer counts. After that, the offers or the person reading the chat may have changed. */
export const answerable = 15 * 60_000;

export const confirmQuestion: Question<ConfirmOptions, ConfirmAnswer> = {
  id: 'confirm',
  ask: ({ t }, { app, about, what, changeable, open, renumbers = false }) => {
    const note = open && t('question.open', { numbered: open.code === undefined ? 'no' : 'yes', code: open.code ?? '' });
    const card = (data: typeof about, actions: readonly CardAction[]) => confirmCard(app, data, actions, t, note);
    const change: Choice = { title: t('cards.buttons.change'), value: 'change', phrases: 'phrases.change' };
    const another: Choice = { title: t('customer.another'), value: 'another', phrases: 'phrases.notMe' };
    return {
      choices: [
        { title: t(`cards.${app}.confirm.send`), value: 'send', style: 'positive', phrases: 'phrases.yes' },
        notNow(t, 'cancel', renumbers),
        ...(changeable ? [change] : []),
        ...(renumbers ? [another] : []),
      ],
      said: (answer) => (answer === 'send' && what !== undefined ? t(`asked.${app}`, { what }) : undefined),
      // What the customer filled in does not stay.
      stays: card({ ...about, variables: [] }, []).text.split('\n'),
      show: (actions) => card(about, actions),
    };
  },
  submit: (_turn, _fields, picked, _options, age) => ({
    answer: picked === 'send' && age > answerable ? 'late' : (picked as ConfirmAnswer),
  }),
};

/** An agent as a choice, if one can be reached. Asking for one in words is answered in any case. */
export const agentChoice = (turn: Pick<Turn, 'channel' | 'context' | 'services' | 't'>): readonly Choice<'agent'>[] =>
  canAskForAgent(turn) ? [{ title: turn.t('cards.buttons.person'), value: 'agent', phrases: 'phrases.agent' }] : [];

export const offerQuestions = [troubleQuestion, insteadQuestion, confirmQuestion, againQuestion, onwardQuestion];
