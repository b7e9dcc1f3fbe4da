// The root menu: the apps and an agent, by button or in the customer's words.

import { type CardAction, maxPaired, menu as menuCard } from '../../cards/index.ts';
import { forgetCaller } from '../asking/caller.ts';
import { agentChoice, offer } from '../asking/offer.ts';
import type { Question, Reading } from '../asking/question.ts';
import { remarkOn } from '../asking/remarks.ts';
import { allowedWishesIn, titleOf, wishesLeft } from '../asking/wishes.ts';
import type { Escalation } from '../escalation/case.ts';
import { commandIn, pickedBy, remarkIn, type Wish } from '../language/recogniser.ts';
import { lastInWords } from '../turn/memory.ts';
import type { FlowWish } from '../turn/offered-flows.ts';
import type { Choice } from '../turn/question-state.ts';
import type { Turn } from '../turn/turn.ts';
import { endProofs } from '../turn/verified.ts';

export interface MenuOptions {
  /** Said first: on a first visit, or after something was left. */
  readonly greeting?: string;
  /** The customer has seen it before. */
  readonly brief?: boolean;
  /** The choices are asked for. Where each word costs something, they are said only then. */
  readonly listed?: true;
  /** The number of consecutive inputs that were not understood. */
  readonly missed?: number;
}

/** The customer's wishes in their order, a flow, or an agent. */
export type MenuAnswer =
  | { readonly kind: 'wishes'; readonly wishes: readonly Wish[] }
  /** The next of the stored wishes, or none of them. */
  | { readonly kind: 'next' | 'none' }
  /** The whole menu. */
  | { readonly kind: 'all' }
  | { readonly kind: 'flow'; readonly wish: FlowWish }
  | { readonly kind: 'agent'; readonly escalation: Escalation };

const person: MenuAnswer = { kind: 'agent', escalation: { reason: 'asked' } };

/** The menu again, after a sentence but without its greeting. */
const again = (sentence: string) => ({ more: { brief: true, listed: true as const }, say: sentence });

/** A sentence alone: the menu is still shown, and comes again when it is asked for. */
const aside = ({ t }: Turn, sentence: string, { missed: _, ...options }: MenuOptions): Reading<MenuAnswer, MenuOptions> => ({
  aside: options,
  say: sentence,
  quick: [t('cards.buttons.menu')],
});

/** The first miss is answered in a line; the second in a row with alternatives that always work. */
const missed = (turn: Turn, options: MenuOptions): Reading<MenuAnswer, MenuOptions> => {
  const times = (options.missed ?? 0) + 1;
  const people = times > 1 ? agentChoice(turn).map(({ title }) => title) : [];
  return {
    aside: { ...options, missed: times },
    say: turn.t(times > 1 ? 'menu.notUnderstoodAgain' : 'menu.notUnderstood'),
    quick: [...people, turn.t('cards.buttons.menu')],
  };
};

/** Whether the choices are only said when they are asked for. */
const isUnlisted = ({ channel: { segments, voice } }: Turn, { greeting, listed }: MenuOptions) =>
  greeting === undefined && !listed && (voice || segments);

/** Whether the words are nothing but the number of a choice. */
const isNumber = (typed: string, t: Turn['t']) =>
  pickedBy(typed, { choices: Array(20).fill({ title: '' }), numbered: 20 }, t) !== undefined;

export const menuQuestion: Question<MenuOptions, MenuAnswer> = {
  id: 'menu',
  ask: (turn, options) => {
    // A number may still answer what was asked before, so none begins anything that was not listed.
    if (isUnlisted(turn, options)) return { choices: [], show: () => turn.t('menu.else') };
    const { greeting, brief = false } = options;
    const { voice, segments } = turn.channel;
    const offeredApps = turn.services.apps;
    const apps = offeredApps.map(
      (app): Choice<MenuAnswer> => ({ title: titleOf(turn, app), value: { kind: 'wishes', wishes: [{ app, words: '' }] } }),
    );
    const offered = turn.services.flows?.offered(turn.t) ?? [];
    const flows = offered.map(({ flow, title }): Choice<MenuAnswer> => ({ title, value: { kind: 'flow', wish: { flow, words: '' } } }));
    // On a phone, the key 0 asks for an agent.
    const people = voice ? [] : agentChoice(turn).map((choice) => ({ ...choice, value: person }));
    const listed = [...apps, ...flows, ...people];
    const long = brief && turn.channel.cards && listed.length > maxPaired;
    const all: Choice<MenuAnswer>[] = long ? [{ title: turn.t('cards.menu.more'), value: { kind: 'all' } }] : [];
    return {
      numbered: listed.length,
      choices: [...listed, ...all],
      show: (actions) =>
        menuCard(
          {
            apps: offeredApps.map((app, index) => ({ app, action: actions[index] as CardAction })),
            flows: offered.map(({ description }, index) => ({
              action: actions[apps.length + index] as CardAction,
              ...(description !== undefined && { description }),
            })),
            ...(people.length > 0 && { person: actions[listed.length - 1] as CardAction }),
            ...(long && { all: actions.at(-1) as CardAction }),
            ...(greeting !== undefined && { greeting }),
            // Every word costs time or money there.
            brief: brief || voice || segments,
          },
          turn.t,
        ),
    };
  },
  read: (turn, typed, options) => {
    const { t } = turn;
    if (isUnlisted(turn, options) && isNumber(typed, t))
      return aside(turn, [lastInWords(turn) ?? '', t('menu.else')].join(' ').trim(), options);
    const command = commandIn(typed, t);
    if (command === 'agent') return { answer: person };
    const remark = remarkOn(turn, typed);
    const flow = remarkIn(typed, t) ? undefined : turn.services.flows?.wishIn(turn, typed);
    if (flow) return { answer: { kind: 'flow', wish: flow } };
    const wishes = remarkIn(typed, t) ? [] : allowedWishesIn(typed, turn);
    if (wishes.length > 0) return { answer: { kind: 'wishes', wishes } };
    switch (command) {
      case 'help':
        return again(t('help.question'));
      case 'restart':
        return { more: { brief: true, listed: true } };
      case 'status':
        return again(lastInWords(turn) ?? t('menu.nothingOpen'));
      case 'number':
        if (remark !== undefined) return aside(turn, remark, options);
        forgetCaller(turn.memory);
        endProofs(turn);
        return aside(turn, t('remarks.number'), options);
      case 'cancel':
      case 'resend':
        return again(t('menu.nothingOpen'));
      case undefined:
        return remark === undefined ? missed(turn, options) : aside(turn, remark, options);
      default:
        return command satisfies never;
    }
  },
};

/** One of several wishes was left or did not work; the others may still be wanted. `unsent`: it was never sent. */
export const restQuestion: Question<{ readonly unsent: boolean }, MenuAnswer> = {
  ...offer<{ readonly unsent: boolean }, MenuAnswer>('rest', (turn, { unsent }) => ({
    question: turn.t(unsent ? 'wishes.left' : 'wishes.goOn', { rest: wishesLeft(turn) ?? '' }),
    others: [
      { title: turn.t('cards.buttons.yes'), value: { kind: 'next' }, style: 'positive', phrases: 'phrases.yes' },
      { title: turn.t('cards.buttons.menu'), value: { kind: 'none' }, phrases: 'phrases.no' },
    ],
  })),
  read: (turn, typed, options) => {
    const reading = menuQuestion.read?.(turn, typed, { listed: true }) as Reading<MenuAnswer, MenuOptions>;
    if ('answer' in reading) return reading;
    const command = commandIn(typed, turn.t);
    if (command === 'cancel' || command === 'restart') return { answer: { kind: 'none' } };
    return 'repair' in reading ? reading : { more: options, say: reading.say ?? '' };
  },
};
