// Shows in a Chatwoot conversation who is verified, by attributes and a label. Both follow from the handoff's record.

import { type Escalation, reasons, verifiedContext } from '../../../dialogs/index.ts';
import type { VerificationState } from '../../verification/index.ts';
import type { HandoffRecord } from '../record.ts';
import type { ChatwootApi, ChatwootConversation } from './chatwoot-api.ts';

/** The labels of the verification states. */
const stateLabels = { verified: 'cs-verified', expired: 'cs-expired', failed: 'cs-failed', none: 'cs-not-verified' } as const;

export const verificationLabel = ({ state }: VerificationState): string => stateLabels[state];

export const reasonLabel = (reason: Escalation['reason']): string => `cs-${reason.replaceAll('_', '-')}`;

/** Every label that the hub may give a conversation. */
export const chatwootLabels: readonly string[] = [...Object.values(stateLabels), ...reasons.map(reasonLabel)];

const attributes = [
  'cs_verified',
  'cs_verification',
  'cs_verified_method',
  'cs_verified_at',
  'cs_verified_until',
  'cs_customer_ref',
  'cs_failed_tries',
  'cs_phone',
  'cs_assertion',
];

/** In a locked inbox, a conversation may have gone on to a later handoff of its chat. */
export const isAbout = ({ custom_attributes: has }: ChatwootConversation, { id }: HandoffRecord): boolean =>
  typeof has?.cs_handoff !== 'string' || has.cs_handoff === id;

/** Whether a conversation shows somebody as verified who is not, or not any more. */
export const overstates = ({ custom_attributes: has }: ChatwootConversation, { state }: VerificationState): boolean =>
  state !== 'verified' && (has?.cs_verified === true || has?.cs_assertion !== undefined);

/** Writes the label and the attributes; `assertion` proves the verification. */
export const writeVerification = async (
  api: ChatwootApi,
  { custom_attributes: has, id }: ChatwootConversation,
  state: VerificationState,
  assertion: string | undefined,
  signal: AbortSignal,
): Promise<void> => {
  const before = has ?? {};
  const after: Readonly<Record<string, unknown>> = {
    ...verifiedContext(state),
    ...(assertion !== undefined && { cs_assertion: assertion }),
  };
  const gone = attributes.filter((name) => name in before && !(name in after));
  if (gone.length === 0 && Object.entries(after).every(([name, value]) => before[name] === value)) return;
  // First, so that attributes that are right mean that the label is right too.
  await addLabels(api, String(id), [verificationLabel(state)], signal);
  await api.changeAttributes(String(id), after, gone, signal);
};

/** Adds labels, keeps the agents' own, and replaces the label of an earlier state. */
export const addLabels = async (api: ChatwootApi, place: string, labels: readonly string[], signal: AbortSignal): Promise<void> => {
  const before = await api.labels(place, signal);
  const states: readonly string[] = Object.values(stateLabels);
  const after = [...new Set([...before.filter((one) => !states.includes(one)), ...labels])];
  if (after.join() !== before.join()) await api.setLabels(place, after, signal);
};
