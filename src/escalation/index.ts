// The room's doorway: asking for a person, what they are told, and what they do in the chat.
export {
  type Acting,
  type ActRefusal,
  type ActResult,
  type AgentAct,
  type AgentFile,
  actEndings,
  actIn,
  type BeginFlowAct,
  carryAct,
  type StartAct,
} from './acts.ts';
export {
  type CaseReference,
  caseReference,
  contextOf,
  type Escalation,
  type FlatContext,
  type HandoffCase,
  type Line,
  reasons,
  shortened,
  verifiedContext,
} from './case.ts';
export { eventHandoff, type Handoff, handoffStatus, initiateHandoff, noHandoff } from './event-handoff.ts';
export type { Handoffs } from './handoffs.ts';
export { inertLine } from './inert-line.ts';
export type { Agent, HandoffEnding, HandoffRecord, HandoffState, HubEventDraft, NewHandoff } from './record.ts';
export type { RunningChat } from './running-chat.ts';
export { transferCall } from './transfer.ts';
