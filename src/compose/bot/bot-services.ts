// What a bot's dialogs and turns work with, from a program's options and a connection to the service.
import { randomInt } from 'node:crypto';
import {
  type CallerResolver,
  type CallerServices,
  firstOf,
  isSignedIn,
  makeTextsFor,
  networkIn,
  numberInToken,
  numberOfSender,
  parsePhoneNumber,
  type Services,
  type Way,
} from '../../../dialogs/index.ts';
import { type Channels, makeSharedTurnLock, makeTurnLock, type TurnLock } from '../../bot/index.ts';
import { appIds } from '../../contract/index.ts';
import { channelOf } from '../../platform/channels.ts';
import { makeLimit } from '../../platform/limits.ts';
import type { Log } from '../../platform/log.ts';
import type { DialogPorts } from './capability.ts';
import type { Connection } from './connection.ts';
import type { ConversationOptions, CoreOptions, ServiceOptions } from './core-options.ts';
import type { Limits } from './limits.ts';
import type { Activity } from './sdk.ts';

/** The services that depend on the kind of bot. */
type OwnServices = DialogPorts & Pick<Services, 'admitLookup' | 'callerNumber' | 'chatOf' | 'holdOn' | 'lookupRate' | 'saysLinks'>;

/** The services of a bot's dialogs. */
export const servicesOf = (
  options: ConversationOptions & { readonly service: Pick<ServiceOptions, 'showsCode'> },
  { clock, interactions, log, newId }: Pick<Connection, 'clock' | 'interactions' | 'log' | 'newId'>,
  { flows, redraw, ...own }: OwnServices,
): Services => {
  const { agentContact, forms = [], handoff, hidden = [], locale = 'en', region = 'US', sender, texts, titles } = options;
  // By the hour, where people come by hubs: nobody is offered whom nobody can bring.
  const canCome: Services['person'] = (serviceUrl, call) =>
    agentContact !== undefined || (own.agents?.canCome(serviceUrl, call) ?? handoff !== undefined);
  const always = (way: Way | undefined) => ({
    get person() {
      return canCome(undefined, way === 'heard') ? 'yes' : 'no';
    },
  });
  return {
    ...own,
    ...(flows && { flows }),
    interactions,
    clock,
    newId,
    log,
    textsFor: makeTextsFor(locale, always, { own: texts, redraw }),
    forms,
    person: canCome,
    ...(handoff && { handoff }),
    ...(sender !== undefined && { sender }),
    ...(titles && { titles }),
    apps: appIds.filter((app) => !hidden.includes(app)),
    ...lookupReplies(options, log),
    showsCode: options.service.showsCode ?? false,
    defaultRegion: region,
    ...(agentContact !== undefined && { agentContact }),
    random: () => randomInt(2 ** 32) / 2 ** 32,
  };
};

/** How this bot finds out who is chatting, and limits their look-ups. */
export const callersOf = (
  { region = 'US', teamsPhone }: CoreOptions,
  { lookups, lookupsOfNetwork }: Limits,
  { teamsNumber }: Channels,
): Pick<CallerServices, 'admitLookup' | 'callerNumber' | 'lookupRate'> => {
  const numberInTeams: CallerResolver = async (activity) =>
    teamsPhone === 'graph' ? parsePhoneNumber((await teamsNumber?.(activity)) ?? '', region) : undefined;
  const { admits } = makeLimit(lookupsOfNetwork);
  return {
    lookupRate: lookups,
    admitLookup: async (activity) => {
      // A call has no network, and each is a chat of its own: it is counted by the number that it came from.
      const from = channelOf(activity).voice ? activity.from?.id : networkIn(activity);
      return from === undefined || admits(from);
    },
    callerNumber: firstOf([numberInToken, numberOfSender, numberInTeams]),
  };
};

/** How typed numbers are answered. By default hit and miss look alike, unless the channel vouches for the sender. */
export const lookupReplies = (
  { catalogueNumber, lookupReplies: replies, tenants = [] }: Pick<ConversationOptions, 'catalogueNumber' | 'lookupReplies' | 'tenants'>,
  log: Log,
): Pick<CallerServices, 'asksInitials' | 'catalogueNumber'> => {
  if (replies !== 'offer' && catalogueNumber === undefined)
    log.warn(
      { component: 'bot', reason: 'no_catalogue_number' },
      'catalogueNumber is not given (CATALOGUE_NUMBER in settings): customers who type their number cannot choose documents and products',
    );
  return {
    asksInitials: (activity: Partial<Activity>) => replies !== 'offer' && (replies === 'alike' || !isSignedIn(activity, tenants)),
    ...(catalogueNumber !== undefined && { catalogueNumber }),
  };
};

/** The turn lock that suits the connection's storage. */
export const turnLockOf = (connection: Pick<Connection, 'log' | 'newId' | 'random' | 'storage'>): TurnLock => {
  const { turnLeases } = connection.storage;
  return turnLeases ? makeSharedTurnLock(turnLeases, connection) : makeTurnLock();
};
