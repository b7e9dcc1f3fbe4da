// Telling how an interaction ended: once per chat, with a card and a text that say the same.
import { notice, outcomeCard } from '../cards/index.ts';
import { verificationBy, withVerification } from '../src/handoff/index.ts';
import type { Interaction } from '../src/interactions/interaction.ts';
import { remember } from './memory.ts';
import { say } from './say.ts';
import type { Turn } from './turn.ts';

/**
 * Tells the ending unless this chat has told it before. `channelData.interaction` is for a page or hub that embeds the chat (decisions:
 * The outcome message); a refusal or an unknown fate is no outcome, so it carries none.
 */
export const tellOutcome = async (turn: Turn, interaction: Interaction, subject?: string): Promise<void> => {
  const { memory, t } = turn;
  const { app, id, outcome, refusal, requestId, state } = interaction;
  if (memory.told?.includes(id)) return;
  // The customer's own turn may tell it, and the turn that brings the news: whichever dies, the other says the same thing under the same name.
  const name = `${id}:ending`;
  if (outcome) {
    const { status, at, by, result } = outcome;
    const elsewhere = by === 'service';
    const ending = { status, at, elsewhere, actions: [], ...(result && { result }), ...(subject !== undefined && { subject }) };
    await say(turn, outcomeCard(app, ending, t), { name, channelData: { interaction: { app, requestId, status } } });
  } else if (state === 'unknown') {
    const unknown = { app, title: t('cards.notSent.unknown.title'), text: t('cards.notSent.unknown.text'), tone: 'warning' } as const;
    await say(turn, notice(unknown, t), { name });
  } else {
    const refused = {
      app,
      title: t('cards.notSent.refused.title'),
      text: t(`trouble.${refusal ?? 'unavailable'}`),
      tone: 'problem',
    } as const;
    await say(turn, notice(refused, t), { name });
  }
  const verification = verificationBy(interaction);
  if (verification) memory.verified = withVerification(memory.verified, verification);
  memory.told = remember(memory.told, id);
  // In a proactive turn whoever brought the news notes it. In the customer's own nobody else would, and the next start would tell it again.
  if (!turn.news) await turn.services.interactions.told(id);
};
