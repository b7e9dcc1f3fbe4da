// one-time-passcode: the details to confirm, the card that takes the code, and the ending.
import { apps } from '../src/contract/index.ts';
import { type Addressee, type AppCards, addresseeFacts, endingCard } from './app-cards.ts';
import type { CardInput } from './card.ts';
import { heading, marked, paragraph } from './elements.ts';
import { type CardAction, type CardMessage, message } from './message.ts';
import type { Texts } from './texts.ts';
import { codeShown, type MessageFacts, messageParts, missingRow } from './waiting.ts';

export const oneTimePasscode: AppCards<'one-time-passcode', Addressee> = {
  summary: addresseeFacts,
  // The record has no additional fields.
  outcome: (ending, t) => endingCard('one-time-passcode', ending, {}, t),
};

/** The input in which a submit's value carries the code. */
export const codeInput = 'code';

export interface CodeEntry {
  /** Masked. */
  readonly phone: string;
  /** The previous code was wrong, or there is a new one. */
  readonly because?: 'wrong' | 'resent';
  /** Left out when it is not known. */
  readonly triesLeft?: number;
  /** Two digits that the message also shows. */
  readonly compare?: string;
  /** Facts by which the customer can recognise the message. */
  readonly about?: MessageFacts;
  /** Left out if there is no input. */
  readonly check?: CardAction;
  /** Resend, cancel: they work with the input left empty. */
  readonly actions: readonly CardAction[];
}

const { codeLength } = apps['one-time-passcode'].operations.check;
const reasons = { wrong: { mark: '✕', color: 'Attention' }, resent: { mark: '✓', color: 'Good' } } as const;

/** Asks for the code; it may be typed into the chat as well. */
export const enterCode = ({ phone, because, triesLeft, compare, about = {}, check, actions }: CodeEntry, t: Texts): CardMessage => {
  const app = t('apps.one-time-passcode.name');
  const title = t('cards.one-time-passcode.enter.title');
  const text = t('cards.one-time-passcode.enter.text', { phone });
  const reason = because && t(`cards.one-time-passcode.enter.${because}`);
  const tries = triesLeft === undefined ? undefined : t('cards.one-time-passcode.enter.tries', { count: triesLeft });
  const input: CardInput = {
    type: 'Input.Text',
    id: codeInput,
    label: t('cards.one-time-passcode.enter.label', { count: codeLength }),
    maxLength: 20,
    isRequired: true,
    errorMessage: t('cards.one-time-passcode.enter.empty'),
    spacing: 'Medium',
  };
  const comparing = compare && t('cards.one-time-passcode.enter.compare', { code: compare });
  const known = messageParts(about, undefined, t);
  const small = { size: 'Small', isSubtle: true, spacing: 'Small' } as const;
  // By its id, our own page shows which field it is about.
  const said = because && reason ? [{ ...marked(reasons[because], [paragraph(reason)]), id: `${codeInput}-${because}` }] : [];
  return message(
    {
      kind: 'one-time-passcode.enter',
      shown: () => ({ app, title, text, ...known.shown, ...codeShown(compare, t), reason, tries, inputs: [input] }),
      body: [
        // Without the app's name: a thing has one name here.
        heading(title),
        paragraph(text, { spacing: 'Small' }),
        ...(because === 'resent' ? said : []),
        input,
        ...(because === 'wrong' ? said : []),
        ...(tries ? [paragraph(tries, small)] : []),
        ...(comparing ? [paragraph(comparing, small)] : []),
        ...known.rows,
      ],
      lines: [
        reason,
        `${title}. ${text}`,
        known.line,
        compare && t('cards.one-time-passcode.enter.compare', { code: t.digits(compare) }),
        tries,
      ],
      submits: check ? [check] : [],
      actions,
      row: missingRow(t),
    },
    t,
  );
};
