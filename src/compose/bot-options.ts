// The options of a whole bot: the core's, and each capability's own. Types alone: the package declares them.
import type { AzureDirectLineOption } from '../azure-direct-line/options.ts';
import type { FlowsOption } from '../flows/options.ts';
import type { HubsOption } from '../handoff/hub-options.ts';
import type { OwnCardsOption } from '../own-cards/options.ts';
import type { ProgramsOption } from '../programs/options.ts';
import type { VoiceOption } from '../voice/options.ts';
import type { CoreOptions } from './bot/core-options.ts';

/** A whole bot, with everything that it can do. Only `service` and `storage` are required. */
export type BotOptions = CoreOptions & AzureDirectLineOption & FlowsOption & HubsOption & OwnCardsOption & ProgramsOption & VoiceOption;
