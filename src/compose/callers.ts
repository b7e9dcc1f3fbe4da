// How a bot finds out who is chatting, and how often it is asked to.
import {
  type CallerResolver,
  firstOf,
  networkIn,
  numberInToken,
  numberOfSender,
  parsePhoneNumber,
  type Services,
} from '../../dialogs/index.ts';
import type { Channels } from '../bot/index.ts';
import { countRate } from '../platform/rate-limit.ts';
import type { BotOptions } from './bot-options.ts';
import type { Limits } from './limits.ts';

/** How this bot identifies callers, and limits their lookups. */
export const callersOf = (
  { region = 'US', teamsPhone }: BotOptions,
  { lookups, lookupsOfNetwork }: Limits,
  { teamsNumber }: Channels,
): Pick<Services, 'admitLookup' | 'callerNumber' | 'lookupRate'> => {
  const numberInTeams: CallerResolver = async (activity) =>
    teamsPhone === 'graph' ? parsePhoneNumber((await teamsNumber?.(activity)) ?? '', region) : undefined;
  const countLookup = countRate(lookupsOfNetwork);
  return {
    lookupRate: lookups,
    admitLookup: async (activity) => {
      const network = networkIn(activity);
      return network === undefined || countLookup(network);
    },
    callerNumber: firstOf([numberInToken, numberOfSender, numberInTeams]),
  };
};
