// What is sent to the agent who takes a chat over: why a person is wanted, who is verified, and what was said, without
// secrets.
import type { AppId } from '../../src/contract/index.ts';
import { iso } from '../../src/platform/time/clock.ts';
import type { VerificationState } from '../../src/verification/index.ts';
import { inertLine } from './inert-line.ts';

/** Why a person is wanted. `message`: nobody could come, and the customer left a message. */
export const reasons = ['asked', 'nobody_found', 'trouble', 'message'] as const;

/** Why a person is wanted, and where. */
export interface Escalation {
  /** The app the customer was in, if any. */
  readonly app?: AppId;
  /** The flow that asked for a person, and the reason that its designer gave. */
  readonly flow?: { readonly name: string; readonly reason: string };
  /** `taken`: the customer asked for nobody, and an agent joined. */
  readonly reason: (typeof reasons)[number] | 'taken';
}

/** A line of the transcript, without secrets. */
export interface Line {
  readonly from: 'customer' | 'bot' | 'agent';
  readonly text: string;
  /** Epoch milliseconds. */
  readonly at: number;
  /** The agent who wrote it, as customers know them. */
  readonly agent?: string;
  /** The customer was verified when this was written: the one with this number, which is masked. */
  readonly verified?: true;
  readonly phone?: string;
}

/** Everything that is sent. */
export interface HandoffCase extends Escalation {
  /** The chat's language, BCP 47. */
  readonly language: string;
  readonly verification: VerificationState;
  /** The service's ids of this chat's requests, newest last. */
  readonly requestIds: readonly string[];
  /** Oldest first. */
  readonly transcript: readonly Line[];
  /** The message that the customer left. */
  readonly note?: string;
}

/** Values by name, as engagement hubs take them: flat, without lists. */
export type FlatContext = Readonly<Record<string, string | number | boolean>>;

/** What a case belongs to, and the proof of its verification, which names the same. */
export interface CaseReference {
  /** The handoff, if there is one. */
  readonly handoff?: string | undefined;
  /** Its name as others may see it (`shownConversation`). */
  readonly conversation?: string | undefined;
  readonly assertion?: string | undefined;
}

/** The case as flat values (learn.microsoft.com, "Transition conversations from bot to human": context variables). */
export const contextOf = (
  { app, language, reason, requestIds, verification, ...rest }: HandoffCase,
  { assertion, conversation, handoff }: CaseReference = {},
): FlatContext => ({
  ...(handoff !== undefined && { cs_handoff: handoff }),
  ...(conversation !== undefined && { cs_conversation: conversation }),
  cs_reason: reason,
  ...(app !== undefined && { cs_app: app }),
  ...(rest.flow && { cs_flow: rest.flow.name, cs_flow_reason: inertLine(rest.flow.reason) }),
  ...verifiedContext(verification),
  ...(requestIds.length > 0 && { cs_request_ids: requestIds.join(',') }),
  va_Language: language,
  va_AgentMessage: summaryOf({ ...rest, ...(app !== undefined && { app }), language, reason, requestIds, verification }),
  ...(assertion !== undefined && { cs_assertion: assertion }),
});

/** The verification state as flat values: with the masked number of the person, and the customer only if verified. */
export const verifiedContext = (of: VerificationState): FlatContext => ({
  cs_verified: of.state === 'verified',
  cs_verification: of.state,
  ...(of.phone !== undefined && { cs_phone: of.phone }),
  ...('method' in of && { cs_verified_method: of.method, cs_verified_at: iso(of.at), cs_verified_until: iso(of.until) }),
  ...(of.state === 'verified' && { cs_customer_ref: of.customerRef }),
  ...(of.state === 'failed' && { cs_failed_tries: of.tries }),
});

/** The case in one line, for an agent in a hurry. */
const summaryOf = ({ app, flow, note, reason, verification }: HandoffCase): string =>
  [
    flow ? `The flow ${flow.name} asks for a person: ${inertLine(flow.reason)}.` : wanted[reason],
    app && `App: ${app}.`,
    stands(verification),
    note && `Message: ${inertLine(note)}`,
  ]
    .filter(Boolean)
    .join(' ');

const wanted: Readonly<Record<Escalation['reason'], string>> = {
  asked: 'The customer asked for a person.',
  nobody_found: 'No customer was found by the number.',
  trouble: 'The service had trouble.',
  message: 'The customer left a message.',
  taken: 'An agent has taken the chat over.',
};

const whose = ({ phone }: VerificationState) => (phone === undefined ? '' : ` (${phone})`);

const stands = (of: VerificationState): string => {
  switch (of.state) {
    case 'verified':
      return `Verified by ${of.method} until ${iso(of.until)}, in this chat${whose(of)}.`;
    case 'expired':
      return `Was verified by ${of.method} until ${iso(of.until)}; expired${whose(of)}.`;
    case 'failed':
      return `Not verified: ${of.tries} failed${whose(of)}.`;
    case 'none':
      return 'Not verified.';
    default:
      return of satisfies never;
  }
};
