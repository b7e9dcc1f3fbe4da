// What a customer sees and reads while waiting: the card of the steps, and the words about it.
import { button, type CardAction, type CardMessage, type MessageFacts, waiting as waitingCard } from '../../cards/index.ts';
import { compareCode } from '../../src/contract/index.ts';
import { type Interaction, margin } from '../../src/interactions/index.ts';
import { faultFields } from '../../src/platform/log.ts';
import { maskPhoneNumber } from '../../src/platform/text/masks.ts';
import type { AppDialog } from '../asking/app-dialog.ts';
import { agentChoice } from '../asking/offer.ts';
import { allowedWishesIn } from '../asking/wishes.ts';
import { pickedBy } from '../language/recogniser.ts';
import { asActivity, type Extras, say } from '../turn/activities.ts';
import type { Turn } from '../turn/turn.ts';

/** What a wait begins with. */
export interface WaitBeginning {
  readonly interactionId: string;
  /** The two digits that the chat and the device both show. */
  readonly code: string;
  /** Where the message went, masked. */
  readonly to: string;
  /** The amount that the chat asked for. */
  readonly price?: NonNullable<MessageFacts['price']>;
  /**
   * The link that the customer can open at once, if the chat is on the phone that receives the message. It is said once,
   * at the beginning, and not stored.
   */
  readonly link?: string;
}

/** The buttons of a waiting card. `check` hands over a typed passcode; only cards of an earlier version have `status`. */
export const waitButtons = ['check', 'status', 'resend', 'cancel'] as const;
export type WaitButton = (typeof waitButtons)[number];

/** The stored state of a wait. */
export interface WaitState extends Omit<WaitBeginning, 'link'> {
  readonly actions: Readonly<Record<Exclude<WaitButton, 'status'>, string>> & { readonly status?: string };
  /** When it was last sent again, epoch milliseconds. */
  sentAgainAt?: number;
  /** The card's activity, where the channel gave its id. */
  readonly activityId?: string;
  /** Set while the customer is asked whether to leave: the action ids, and whether another number is asked for then. */
  readonly leaving?: { readonly yes: string; readonly no: string; readonly renumbers?: true } | undefined;
  /** The customer has left to begin again with another number. */
  readonly renumbers?: true;
}

/** The values for the sentences about a wait. */
export const aboutOf = (app: AppDialog, turn: Turn, interaction: Interaction, state: WaitState) => {
  const name = turn.t(`apps.${app.id}.name`);
  return { app: name, to: sentTo(interaction, state), minutes: minutesLeft(turn, interaction) };
};

/** The answer to words that mean nothing here. Other wishes have to wait, and the customer is told so. */
export const still = (app: AppDialog, turn: Turn, interaction: Interaction, state: WaitState, typed: string): string => {
  const { t } = turn;
  const about = aboutOf(app, turn, interaction, state);
  const wish = allowedWishesIn(typed, turn)[0]?.app;
  if (wish && wish !== app.id) return t('waiting.other', { ...about, wish: t(`apps.${wish}.name`) });
  return t(app.answered ? 'passcode.still' : 'waiting.still', about);
};

/**
 * The card as it is now: the app's own while it waits for an answer there, else the steps. A `link` stands on it only
 * while nobody has opened the page.
 */
export const waitCard = (app: AppDialog, turn: Turn, interaction: Interaction, state: WaitState, link?: string): CardMessage => {
  const { t } = turn;
  const { code, actions, sentAgainAt } = state;
  const progress = { ...interaction.progress, ...(sentAgainAt !== undefined && { sent: sentAgainAt }) };
  const ended = endOf(turn, interaction);
  const shown = interaction.blindLookup ? code || undefined : digitsOf(app, turn, interaction, code);
  const compare = shown !== undefined && { compare: shown };
  const to = sentTo(interaction, state);
  const offered = wordsOffered(app, state);
  // Without buttons, each has a number.
  const numberOf = (name: WaitButton) => (turn.channel.cards ? '' : `${offered.indexOf(name) + 1}. `);
  const named = (name: WaitButton): CardAction => {
    const { title, ...rest } = button(name, actions[name] ?? '', t);
    return { ...rest, title: numberOf(name) + title };
  };
  const about = factsOf(turn, interaction, state);
  if (app.waiting && !ended)
    return app.waiting(turn, interaction, {
      to,
      about,
      ...compare,
      // If the passcode is typed into the chat, there is nothing to press.
      ...(turn.channel.cards && { check: named('check') }),
      actions: offered.map(named),
    });
  return waitingCard(
    {
      app: app.id,
      to,
      progress,
      ...(interaction.blindLookup && { stepless: true }),
      about,
      actions: offered.map(named),
      ...(link !== undefined && isUnopened(interaction) && { link }),
      ...(shown !== undefined && { code: shown }),
      ...(ended && { ended }),
    },
    t,
  );
};

/** The commands for a request on its way, in the order of their numbers. */
const wordsOffered = (app: AppDialog, { actions }: WaitState): readonly WaitButton[] =>
  app.waiting || actions.status === undefined ? ['resend', 'cancel'] : ['status', 'resend', 'cancel'];

/** The command that a number means if there are no buttons. */
export const numberedIn = (app: AppDialog, { channel, t }: Turn, state: WaitState, typed: string): WaitButton | undefined => {
  if (channel.cards) return undefined;
  const choices = wordsOffered(app, state).map((name) => ({ title: t(`cards.buttons.${name}`), value: name }));
  return pickedBy(typed, { choices, numbered: choices.length }, t)?.value;
};

/**
 * Redraws the card in place. Where the channel cannot, it stays as it was sent: steps are not repeated as new messages.
 * A card that cannot be redrawn costs a stale card, never the outcome.
 */
export const redraw = async (app: AppDialog, turn: Turn, interaction: Interaction, state: WaitState): Promise<void> => {
  if (!turn.channel.updates || state.activityId === undefined) return;
  try {
    const redrawn = asActivity(turn, waitCard(app, turn, interaction, state), waitExtras(turn, interaction));
    await turn.context.updateActivity({ ...redrawn, id: state.activityId });
  } catch (fault) {
    turn.services.log.warn({ ...faultFields(fault), interaction: interaction.id }, 'a waiting card was not redrawn');
  }
};

/** Shows the card as it is now, in place where the channel can. */
export const showAnew = async (app: AppDialog, turn: Turn, state: WaitState): Promise<void> => {
  const now = await turn.services.interactions.get(state.interactionId);
  if (!now) return;
  if (turn.channel.updates && state.activityId !== undefined) await redraw(app, turn, now, state);
  else await say(turn, waitCard(app, turn, now, state), waitExtras(turn, now));
};

/** A quick reply that asks for a person. It disappears when the wait is over. */
export const waitExtras = (turn: Turn, interaction: Interaction): Extras => {
  if (endOf(turn, interaction)) return {};
  return {
    refreshes: true,
    quick: agentChoice(turn).map(({ title }) => title),
  };
};

/**
 * The digits to store when a wait begins. They come from the request's identifier; a request that may not exist gets
 * arbitrary digits here, so that they reveal nothing.
 */
export const keptDigits = (app: AppDialog, turn: Turn, interaction: Interaction | undefined, code: string): string =>
  interaction?.blindLookup ? (digitsOf(app, turn, interaction, code) ?? (turn.services.showsCode ? code : '')) : code;

const digitsOf = (app: AppDialog, turn: Turn, interaction: Interaction, code: string): string | undefined =>
  shownCode(turn, interaction, app.comparesCode ? code : undefined);

/** How it ended, if it did. A request that is not open never asks for anything, even without an outcome. */
const endOf = ({ services }: Turn, { outcome, state }: Interaction) => {
  if (outcome || mayStillCome(state)) return outcome;
  return { status: state === 'refused' ? 'failure' : 'unknown', at: services.clock.now() } as const;
};

/** Whether an outcome is still possible. */
export const mayStillCome = (state: Interaction['state']): boolean => state === 'intended' || state === 'waiting';

/** The request's latest step. */
export const stepOf = ({ progress }: Interaction) =>
  progress.started ? 'started' : progress.opened ? 'opened' : progress.sent ? 'sent' : 'sending';

/** Whether the page has not been opened, as far as known. */
const isUnopened = ({ progress }: Interaction) => progress.opened === undefined && progress.started === undefined;

/** Where the message went; a wait from before an update does not know, and it was the phone for all but passkeys. */
const sentTo = ({ phoneNumber }: Interaction, { to }: { readonly to?: string }) => to ?? maskPhoneNumber(phoneNumber);

/** Until when the request is valid, epoch milliseconds. */
const goodUntil = ({ deadline }: Interaction) => deadline - margin;

const minute = 60_000;
const minutesLeft = ({ services }: Turn, interaction: Interaction) =>
  Math.max(1, Math.round((goodUntil(interaction) - services.clock.now()) / minute));

/** Facts by which the customer can recognise the message, as far as the chat may show them. */
const factsOf = ({ channel, services, t }: Turn, interaction: Interaction, { price }: WaitState): MessageFacts => {
  const { sender, clock } = services;
  const at = goodUntil(interaction);
  return {
    ...(sender !== undefined && { sender }),
    ...(interaction.subject !== undefined && { subject: interaction.subject }),
    ...(price && { price }),
    // A spoken time of day is forgotten, or wrong in another time zone; the caller can ask how many minutes
    // are left.
    ...(at > clock.now() && !channel.voice && { until: { at, dated: t.date(at) !== t.date(clock.now()) } }),
  };
};

/** The digits the chat shows. `written`: those in the bot's own message, for a service that shows none. */
const shownCode = ({ services }: Turn, { requestId }: Interaction, written?: string): string | undefined =>
  services.showsCode ? requestId && compareCode(requestId) : written;
