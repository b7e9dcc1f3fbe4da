// The texts that agents read in Chatwoot: the customer's messages with their files, and private notes.

import type { Line } from '../../../dialogs/index.ts';
import { inertLine } from '../../../dialogs/index.ts';
import { iso } from '../../platform/time/clock.ts';
import type { VerificationState } from '../../verification/index.ts';
import type { ActRefusal, AgentAct } from '../agent-act.ts';

/** The data of events, of any type. */
export interface HubEventData {
  readonly verification?: VerificationState;
  readonly message?: { readonly id: string; readonly text?: string; readonly attachments?: readonly object[] };
  readonly outcome?: { readonly app: string; readonly status: string; readonly requestId?: string; readonly agentId?: string };
  readonly lines?: readonly (Line | string)[];
  readonly flow?: string;
  readonly status?: string;
  readonly agentId?: string;
  readonly ending?: string;
  readonly by?: string;
}

/** The customer's message, with files as addresses, since the channel stores them. */
export const writtenBy = ({ text, attachments = [] }: NonNullable<HubEventData['message']>): string | undefined => {
  const files = (attachments as readonly { readonly name?: unknown; readonly contentUrl?: unknown }[]).map(
    ({ name, contentUrl }) => `${typeof name === 'string' ? name : 'file'}: ${String(contentUrl)}`,
  );
  const all = [...(text === undefined ? [] : [text]), ...files].join('\n');
  return all === '' ? undefined : all;
};

const speakers: Readonly<Record<Line['from'], string>> = { customer: 'Customer', bot: 'Bot', agent: 'Agent' };

/** The transcript; `undefined`: it is empty. */
export const transcriptNote = (lines: readonly Line[]): string | undefined =>
  lines.length === 0 ? undefined : ['Before a person was asked for:', ...lines.map(said)].join('\n');

const said = ({ agent, at, from, phone, text, verified }: Line) => {
  const speaker = agent === undefined ? speakers[from] : inertLine(agent);
  const whose = verified ? ` (${['verified', phone].filter(Boolean).join(' ')})` : '';
  return `${iso(at).slice(11, 16)} ${speaker}${whose}: ${inertLine(text)}`;
};

const endings: Readonly<Record<string, string>> = {
  returned: 'The customer went back to the bot.',
  withdrawn: 'The customer has left the chat.',
  failed: 'Nobody could come, and the customer was told so.',
  timed_out: 'Nobody came in time, and the customer was told so.',
  finished: 'The chat is finished.',
};

/** The private note for an event; `undefined`: none. */
export const noteOf = (
  type: string,
  { agentId, ending = '', flow, lines = [], outcome, status, verification }: HubEventData,
): string | undefined => {
  if (type === 'waited')
    return ['While nobody was there:', ...lines.flatMap((line) => (typeof line === 'object' ? said(line) : []))].join('\n');
  // In a flow that an agent started.
  if (type === 'bot') return lines.map((line) => `${speakers.bot}: ${inertLine(String(line))}`).join('\n');
  if (type === 'flow') return `${flow}: ${status}.`;
  if (type === 'started' && flow !== undefined) return `${flow}: begun by ${agentId}.`;
  if (type === 'ended') return endings[ending] ?? `The chat is over: ${ending}.`;
  if (type === 'verification') return verification?.state === 'expired' ? 'Nobody is verified in this chat any more.' : undefined;
  if (type !== 'outcome' || !outcome) return undefined;
  const { agentId: by, app, requestId } = outcome;
  const more = [by && `asked for by ${by}`, requestId && `request ${requestId}`].filter(Boolean).join(', ');
  return `${app}: ${outcome.status}${more === '' ? '' : ` (${more})`}.`;
};

const refusals: Readonly<Partial<Record<ActRefusal, string>>> = {
  over: 'The chat is with the bot again, and this did not reach the customer.',
  not_accepted: 'Nobody has this chat, and this did not reach the customer. Assign it first.',
  chat_gone: 'The customer’s chat takes no more messages.',
};

/** What Chatwoot deletes is not taken back from the customer. */
export const deletedNote = 'A deleted message stays with the customer, if it was in their chat already.';

/** Why an agent's action had no effect. */
export const refusalNote = ({ kind }: AgentAct, why: ActRefusal): string =>
  refusals[why] ?? `This had no effect in the chat (${kind}: ${why}).`;
