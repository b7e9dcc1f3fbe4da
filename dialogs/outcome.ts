// Telling how an interaction ended: once per chat, with a card or a text that say the same.
import { type CardMessage, notice, outcomeCard } from '../cards/index.ts';
import { verificationBy, withVerification } from '../src/handoff/index.ts';
import type { Interaction } from '../src/interactions/interaction.ts';
import { faultFields } from '../src/platform/log.ts';
import { remember } from './memory.ts';
import { type Extras, say } from './say.ts';
import type { Turn } from './turn.ts';

/**
 * Tells the ending unless this chat has been told. `channelData.interaction` is for a page or hub that embeds the chat;
 * a refusal or an unknown fate is no outcome, so it carries none. That it was told is kept before anything else is said:
 * should the rest of the turn fail, it is not told again. One that its channel refuses, in words too, is given up: the chat goes on.
 */
export const tellOutcome = async (turn: Turn, interaction: Interaction, subject?: string): Promise<void> => {
  const { memory, services } = turn;
  const { app, id, state, told } = interaction;
  if (memory.told?.includes(id)) return;
  const verification = verificationBy(interaction);
  if (verification) memory.verified = withVerification(memory.verified, verification);
  memory.told = remember(memory.told, id);
  // What could not be delivered is told to a customer who is here again.
  if (told && state !== 'undeliverable') return;
  try {
    await say(turn, ...ending(turn, interaction, subject));
  } catch (fault) {
    if (!isRefused(fault)) throw fault;
    const { status } = fault as { status?: unknown };
    const fields = { ...faultFields(fault), app, interaction: id, ...(typeof status === 'number' && { status }) };
    services.log.warn(fields, 'an outcome is undeliverable: the channel refuses it, in words too');
    await services.interactions.told(interaction, 'unreachable');
    return;
  }
  await services.interactions.told(interaction);
};

/** The channel will never take this message; another it may (bot: connector error `rejected`). */
const isRefused = (fault: unknown) => (fault as { code?: unknown }).code === 'rejected';

/**
 * What is said of it. The customer's own turn may say it, and the turn that brings the news: both under the same name.
 */
const ending = ({ t }: Turn, { app, id, outcome, refusal, requestId, state }: Interaction, subject?: string): [CardMessage, Extras] => {
  const name = `${id}:ending`;
  if (outcome) {
    const { status, at, by, result } = outcome;
    const elsewhere = by === 'service';
    const ended = { status, at, elsewhere, actions: [], ...(result && { result }), ...(subject !== undefined && { subject }) };
    return [outcomeCard(app, ended, t), { name, channelData: { interaction: { app, requestId, status } }, alert: true }];
  }
  if (state === 'unknown') {
    const unknown = { app, title: t('cards.notSent.unknown.title'), text: t('cards.notSent.unknown.text'), tone: 'warning' } as const;
    return [notice(unknown, t), { name }];
  }
  const title = t('cards.notSent.refused.title');
  return [notice({ app, title, text: t(`trouble.${refusal ?? 'unavailable'}`), tone: 'problem' }, t), { name }];
};
