// Does Chatwoot accept the bot's token, is the inbox of type API, and do its settings suit the bot?
import { Agent } from 'undici';
import { type Finding, ok, unknown, warning, wrong } from '../../platform/process/finding.ts';
import { systemClock } from '../../platform/time/clock.ts';
import type { HubSettings } from '../hubs.ts';
import { ChatwootFault, makeChatwootApi } from './chatwoot-api.ts';
import { chatwootLabels } from './chatwoot-verification.ts';

type Named = Pick<HubSettings, 'CHATWOOT_ACCOUNT' | 'CHATWOOT_INBOX' | 'CHATWOOT_TOKEN' | 'CHATWOOT_URL'>;

const advice: Readonly<Record<number, string>> = {
  401:
    'the token is not accepted. Check CHATWOOT_TOKEN: the access token is in the profile of the bot’s user. ' +
    'If nginx is in front of Chatwoot, set underscores_in_headers on: it drops the header api_access_token otherwise.',
  403: 'the token has no access to this. Make the bot’s user an administrator of the account CHATWOOT_ACCOUNT.',
  404: 'there is no such account or inbox. Check CHATWOOT_ACCOUNT and CHATWOOT_INBOX.',
};

/** Settings of the inbox that customers or agents will notice, each with the value that suits the bot. */
const suited = {
  lock_to_single_conversation: [false, 'all requests of a chat share one conversation, also in reports'],
  enable_auto_assignment: [false, 'assigning counts as joining, so customers are told of agents who may not be there'],
  allow_messages_after_resolved: [true, 'a message on its way while an agent resolves the conversation may be refused'],
} as const;

/** Reads the inbox. @param patience - milliseconds */
export const checkChatwoot = async (settings: Named, patience: number): Promise<Finding> => {
  const { CHATWOOT_ACCOUNT: account = 0, CHATWOOT_INBOX: inbox = 0, CHATWOOT_TOKEN: token = '', CHATWOOT_URL: url = '' } = settings;
  const { host } = new URL(url);
  const connections = new Agent({ connect: { timeout: patience }, allowH2: false });
  try {
    const api = makeChatwootApi({ url, token, account, inbox }, connections, systemClock);
    const signal = AbortSignal.timeout(patience);
    const { channel_type: kind, ...settings } = await api.inbox(signal);
    const found = Object.entries(suited).flatMap(([name, [suits, consequence]]) =>
      settings[name as keyof typeof suited] === !suits ? [`${name} is ${suits ? 'off' : 'on'}: ${consequence}`] : [],
    );
    if (kind !== 'Channel::Api')
      return wrong(
        `${host}: inbox ${inbox} is of another type (${kind ?? 'unnamed'}). Create one of type API, and set CHATWOOT_INBOX to it.`,
      );
    const defined = await api.accountLabels(signal);
    const missing = chatwootLabels.filter((label) => !defined.includes(label));
    if (missing.length > 0)
      found.push(`there are labels that the account has not defined: ${missing.join(', ')}. Chatwoot may leave them out`);
    if (found.length > 0) return warning(`${host}: for inbox ${inbox}, ${found.join('; ')}.`);
    return ok(`${host}: inbox ${inbox} is of type API, and the token is accepted.`);
  } catch (fault) {
    if (!(fault instanceof ChatwootFault)) throw fault;
    const { code, status } = fault;
    if (status === undefined) return wrong(`${host}: it cannot be reached (${code}). Check CHATWOOT_URL.`);
    const known = advice[status];
    return known ? wrong(`${host}: ${known}`) : unknown(`${host}: it answers with ${status}.`);
  } finally {
    await connections.destroy();
  }
};
