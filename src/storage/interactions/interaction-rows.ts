// An interaction as a row. Columns keep the names that operators know: `told` is `delivered` in code; `owner` and
// `epoch` are the claim.
import type { Selectable } from 'kysely';
import { isAppId } from '../../contract/index.ts';
import { type Intent, type Interaction, isState, keptOf, notClaimed, type State, type Transition } from '../../interactions/index.ts';
import { nobody } from '../replica.ts';
import type { InteractionTable } from '../schema.ts';

/** Whether a transition counts a wrong code. */
export const counts = ({ kind }: Transition): boolean => kind === 'mistyped' || kind === 'guessed';

/**
 * The columns that a transition writes beside the state and the count of wrong codes. After delivery the token and the
 * address are not needed, so they are cleared.
 */
export const columnsOf = (transition: Transition, before: State): Partial<InteractionTable> => {
  switch (transition.kind) {
    case 'accepted':
      return sentAs(transition);
    case 'resent':
      return { ...sentAs(transition), mistyped: 0 };
    case 'refused':
      return { refusal: transition.refusal };
    case 'decided': {
      const { result } = transition.outcome;
      return { outcome: JSON.stringify({ ...transition.outcome, ...(result && { result: keptOf(result) }) }) };
    }
    case 'delivered':
      // A late outcome may still be delivered to the same address.
      return before === 'expired' ? { ws_token: null } : over;
    case 'abandoned':
      return over;
    case 'unreachable':
      return { told: 1, ws_token: null, owner: nobody };
    case 'mistyped':
    case 'guessed':
    case 'lost':
    case 'expired':
      return {};
    default:
      return transition satisfies never;
  }
};

const sentAs = ({ requestId, wsToken, deadline }: Transition & { readonly kind: 'accepted' | 'resent' }) => ({
  request_id: requestId,
  ws_token: wsToken ?? null,
  ...(deadline !== undefined && { deadline }),
});

/** Nothing is left to deliver. */
const over = { told: 1, ws_token: null, address: '', owner: nobody };

export const toRow = (intent: Intent, owner: string): InteractionTable => ({
  id: intent.id,
  app: intent.app,
  state: 'intended',
  conversation: intent.conversation,
  address: intent.address,
  session_ref: intent.sessionRef,
  customer_ref: intent.customerRef,
  phone_number: intent.phoneNumber,
  request: JSON.stringify(intent.request),
  request_id: null,
  ws_token: null,
  progress: '{}',
  mistyped: 0,
  outcome: null,
  refusal: null,
  told: 0,
  created_at: intent.createdAt,
  deadline: intent.deadline,
  traceparent: intent.traceparent ?? null,
  subject: intent.subject ?? null,
  alike: intent.blindLookup ? 1 : 0,
  cancel_requested: 0,
  agent_id: intent.agentId ?? null,
  rating: null,
  mentioned: 0,
  owner,
  epoch: 1,
});

/** A row that this version cannot read: a newer version's, or damaged. */
class UnreadableRow extends Error {
  override readonly name = 'UnreadableRow';
  readonly code: 'unknown_app' | 'unknown_state';

  constructor(code: UnreadableRow['code']) {
    super(code);
    this.code = code;
  }
}

/** @throws where the row cannot be read. */
export const fromRow = (row: Selectable<InteractionTable>, replicaId: string): Interaction => {
  const { app, state } = row;
  if (!isAppId(app)) throw new UnreadableRow('unknown_app');
  if (!isState(state)) throw new UnreadableRow('unknown_state');
  return {
    id: row.id,
    epoch: row.owner === replicaId ? row.epoch : notClaimed,
    app,
    state,
    conversation: row.conversation,
    address: row.address,
    sessionRef: row.session_ref,
    customerRef: row.customer_ref,
    phoneNumber: row.phone_number,
    request: JSON.parse(row.request),
    ...(row.request_id !== null && { requestId: row.request_id }),
    ...(row.ws_token !== null && { wsToken: row.ws_token }),
    progress: JSON.parse(row.progress),
    mistyped: row.mistyped,
    ...(row.outcome !== null && { outcome: JSON.parse(row.outcome) }),
    ...(row.refusal !== null && { refusal: row.refusal }),
    delivered: row.told === 1 || row.state === 'unresolved',
    createdAt: row.created_at,
    deadline: row.deadline,
    ...(row.traceparent !== null && { traceparent: row.traceparent }),
    ...(row.subject !== null && { subject: row.subject }),
    ...(row.alike === 1 && { blindLookup: true as const }),
    ...(row.cancel_requested === 1 && { cancelRequested: true as const }),
    ...(row.agent_id !== null && { agentId: row.agent_id }),
  };
};

/** The ids of the rows that this version cannot read. */
export const unreadableOf = (rows: readonly Selectable<InteractionTable>[]): string[] =>
  rows.flatMap((row) => {
    try {
      fromRow(row, nobody);
      return [];
    } catch {
      return [row.id];
    }
  });
