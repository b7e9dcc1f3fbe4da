// What the dialogs work with, from a program's options and a connection to the service.
import { randomInt } from 'node:crypto';
import { makeTextsFor, type Services } from '../../dialogs/index.ts';
import { noHandoff } from '../handoff/index.ts';
import type { ConversationOptions, ServiceOptions } from './bot-options.ts';
import type { Connection } from './connection.ts';
import { lookupReplies } from './lookup-replies.ts';

/** What depends on the bot that talks. */
type OwnServices = Pick<Services, 'admitLookup' | 'callerNumber' | 'chatOf' | 'handoffs' | 'lookupRate'>;

/** The services of a bot's dialogs. */
export const servicesOf = (
  options: ConversationOptions & { readonly service: Pick<ServiceOptions, 'showsCode'> },
  { clock, interactions, log, newId }: Pick<Connection, 'clock' | 'interactions' | 'log' | 'newId'>,
  own: OwnServices,
): Services => {
  const { agentContact, forms = [], handoff, locale = 'en', region = 'US', sender, titles } = options;
  const { handoffs } = own;
  // By the hour, where people come by hubs: nobody is offered whom nobody can bring.
  const canCome = () => agentContact !== undefined || (handoffs?.canCome() ?? handoff !== undefined);
  const always = {
    get person() {
      return canCome() ? 'yes' : 'no';
    },
  };
  return {
    ...own,
    interactions,
    clock,
    newId,
    log,
    textsFor: makeTextsFor(locale, always),
    forms,
    get person() {
      return canCome();
    },
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
