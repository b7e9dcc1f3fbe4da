// The room's doorway: the gallery of cards, on a developer's machine only.
import type { Capability } from '../compose/bot/capability.ts';

export const gallery: Capability = {
  name: 'gallery',
  open: ({ trial }, { theme }) =>
    trial && {
      serve: async ({ chat, http, services }) => {
        // For development only, so nothing of it is loaded elsewhere.
        const { addGallery } = await import('./gallery.ts');
        await addGallery(http, chat.assets, theme, services.textsFor);
      },
    },
};
