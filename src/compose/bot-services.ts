// What the dialogs work with, from a program's options and a connection to the service.
import { randomInt } from 'node:crypto';
import { type Flows, makeTextsFor, type Services } from '../../dialogs/index.ts';
import { noHandoff } from '../handoff/index.ts';
import type { ConversationOptions, ServiceOptions } from './bot-options.ts';
import type { Connection } from './connection.ts';
import { lookupReplies } from './lookup-replies.ts';

/** What depends on the bot that talks. */
type OwnServices = Pick<Services, 'admitLookup' | 'callerNumber' | 'chatOf' | 'lookupRate'> & { readonly flows?: Flows | undefined };

/** The services of a bot's dialogs. */
export const servicesOf = (
  options: ConversationOptions & { readonly service: Pick<ServiceOptions, 'showsCode'> },
  { clock, interactions, log, newId }: Pick<Connection, 'clock' | 'interactions' | 'log' | 'newId'>,
  { flows, ...own }: OwnServices,
): Services => {
  const { agentContact, forms = [], handoff, locale = 'en', region = 'US', sender, titles } = options;
  const person = handoff !== undefined || agentContact !== undefined;
  return {
    ...own,
    ...(flows && { flows }),
    interactions,
    clock,
    newId,
    log,
    textsFor: makeTextsFor(locale, { person: person ? 'yes' : 'no' }),
    forms,
    person,
    handoff: handoff ?? noHandoff,
    ...(sender !== undefined && { sender }),
    ...(titles && { titles }),
    ...lookupReplies(options, log),
    showsCode: options.service.showsCode ?? false,
    defaultRegion: region,
    ...(agentContact !== undefined && { agentContact }),
    random: () => randomInt(2 ** 32) / 2 ** 32,
  };
};
