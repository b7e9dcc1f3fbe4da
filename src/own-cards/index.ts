// The room's doorway: an operator's own cards in place of ours.
import type { Capability, OpenCapability } from '../compose/bot/capability.ts';
import { type Log, makeLog } from '../platform/log.ts';
import { ok, wrong } from '../platform/process/finding.ts';
import { words } from '../platform/settings/environment.ts';
import { SettingsError } from '../platform/settings/settings-error.ts';
import type { OwnCardsOption } from './options.ts';

/** CARDS_DIR: a folder of card templates. */
const shape = { CARDS_DIR: words.optional() };

/** Loaded only where there are any: the templates' library is large. */
const readCards = async (folder: string, log: Log) => (await import('./own-cards.ts')).readOwnCards(folder, log);

export const ownCards: Capability<OwnCardsOption, OpenCapability, typeof shape> = {
  name: 'own cards',
  settings: {
    shape,
    options: ({ CARDS_DIR }) => ({ cards: CARDS_DIR }),
    check: async ({ CARDS_DIR }) => {
      if (CARDS_DIR === undefined) return [];
      try {
        await readCards(CARDS_DIR, makeLog('silent'));
        return [['cards', ok('the templates are valid.')]];
      } catch (fault) {
        if (!(fault instanceof SettingsError)) throw fault;
        return fault.lines.map((line) => ['cards', wrong(line)]);
      }
    },
  },
  open: async ({ log }, { cards }) => (cards === undefined ? undefined : { dialogs: { redraw: await readCards(cards, log) } }),
};
