// The capabilities of the bot: the only place that knows them all. The order is their precedence, and each may use
// those above it.
import { azureDirectLine } from '../azure-direct-line/index.ts';
import { connector } from '../connector/index.ts';
import { designer } from '../designer/index.ts';
import { desk } from '../desk/capability.ts';
import { flows } from '../flows/index.ts';
import { gallery } from '../gallery/index.ts';
import { guests } from '../guests/index.ts';
import { handoff } from '../handoff/index.ts';
import { mcp } from '../mcp/index.ts';
import { ownCards } from '../own-cards/index.ts';
import { programs } from '../programs/index.ts';
import { skill } from '../skill/index.ts';
import { voice } from '../voice/index.ts';

export const capabilities = [
  flows,
  handoff,
  desk,
  designer,
  gallery,
  skill,
  programs,
  mcp,
  connector,
  azureDirectLine,
  voice,
  ownCards,
  guests,
] as const;
