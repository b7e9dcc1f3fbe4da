// The two digits that the chat and the customer's device both show.
import { compareCode } from '../src/contract/index.ts';
import type { Interaction } from '../src/interactions/interaction.ts';
import type { Turn } from './turn.ts';

/** What the chat shows. `written` is what the bot put into the message itself, for a service that is not known to show any; without it nothing is promised. */
export const shownCode = ({ services }: Turn, { requestId }: Interaction, written?: string): string | undefined =>
  services.showsCode ? requestId && compareCode(requestId) : written;
