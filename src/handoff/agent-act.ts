// What an agent does in a chat. Each act is a turn of the customer's conversation, so that nothing runs beside it.
import type { AppId } from '../contract/index.ts';
import type { Subject } from '../verification/index.ts';
import type { Agent, HandoffEnding, HandoffRecord } from './record.ts';
import type { TurnContext } from './sdk.ts';

/** A file that an agent sends, by an address that the customer's channel can open. */
export interface AgentFile {
  readonly contentType: string;
  readonly contentUrl: string;
  readonly name: string;
}

/** An app that an agent starts for the customer. */
export interface StartAct {
  readonly kind: 'start';
  /** A ULID. A repeat with the same one starts nothing. */
  readonly id: string;
  readonly app: AppId;
  /** The agent, as named in results. */
  readonly agentId: string;
  /**
   * The customer's number (E.164) and identifier; unset: those of the verified customer, or of the number given in the
   * chat.
   */
  readonly phoneNumber?: string | undefined;
  readonly customerRef?: string | undefined;
  /** `false`: it is refused if somebody else is verified in the chat. Otherwise their verification ends. */
  readonly forAnother?: boolean | undefined;
  /** The document, product or form. */
  readonly chosen?: string | undefined;
  /** Values for the document's blanks. */
  readonly filled?: Readonly<Record<string, string>> | undefined;
}

/** A flow that an agent starts. The customer answers its questions while the agent stays. */
export interface BeginFlowAct {
  readonly kind: 'flow';
  /** A ULID. A repeat with the same one starts nothing. */
  readonly id: string;
  readonly flow: string;
  /** The agent, as named in the results of what the flow sends. */
  readonly agentId: string;
  /** The flow's inputs, by name. */
  readonly inputs?: Readonly<Record<string, string | number | boolean>> | undefined;
}

export type AgentAct =
  | { readonly kind: 'accept'; readonly agent: Agent }
  | { readonly kind: 'say'; readonly id: string; readonly text?: string | undefined; readonly files?: readonly AgentFile[] | undefined }
  /**
   * The chat goes to another agent. `from`: the agent who transfers it, unless the other took it over. `note`: for the
   * other; the customer never sees it.
   */
  | { readonly kind: 'transfer'; readonly agent: Agent; readonly from?: Agent | undefined; readonly note?: string | undefined }
  | { readonly kind: 'return' }
  | { readonly kind: 'finish'; readonly wrapUp?: string | undefined }
  | StartAct
  | BeginFlowAct
  /** The agent is typing. */
  | { readonly kind: 'typing' }
  /** Stops the flow that the agent started. */
  | { readonly kind: 'stop' }
  /** Cancels a request that the agent has sent. */
  | { readonly kind: 'cancel'; readonly id: string; readonly agentId: string }
  /** An agent of that hub joins a chat whose customer has not asked for a person. */
  | { readonly kind: 'come'; readonly hub: string; readonly agent: Agent }
  /** The agent who has the chat is not there any more: somebody else is asked for. */
  | { readonly kind: 'release'; readonly agent: Agent }
  /** No agent came in time. */
  | { readonly kind: 'expire' }
  /** The hub cannot take the chat. */
  | { readonly kind: 'fail' }
  /** Something that the customer wrote at that time (epoch ms) will never reach the hub. */
  | { readonly kind: 'undelivered'; readonly event: string; readonly at: number };

/** The ending that an agent's act causes. */
export const actEndings: Readonly<Partial<Record<AgentAct['kind'], HandoffEnding>>> = {
  finish: 'finished',
  return: 'returned',
  fail: 'failed',
};

/** Why an act has no effect. */
export type ActRefusal =
  /** The handoff has ended. */
  | 'over'
  /** No agent has accepted the handoff. */
  | 'not_accepted'
  /** Another agent has the chat. */
  | 'taken'
  /** The agent who acts does not have the chat, or does not have it any more. */
  | 'not_yours'
  /** The chat accepts no more messages. */
  | 'chat_gone'
  /** Somebody else is verified in the chat. */
  | 'other_customer'
  /** There is no such customer, or several without a choice. */
  | 'unknown_customer'
  /** There is no such document, product, form or open request, or several without a choice. */
  | 'unknown_choice'
  /** A document's blank is not filled in, or a flow's input is missing or of another type. */
  | 'blanks_missing'
  /** The identifier is already used for something else. */
  | 'id_taken'
  /** The service cannot accept it now. */
  | 'service';

/**
 * What an act has come to. `interaction`: what the agent has started, and for whom. `choices` of an act without effect:
 * what there is to choose, if the choice was none of it.
 */
export type ActResult =
  | { readonly done: true; readonly handoff?: string; readonly interaction?: Subject & { readonly id: string; readonly state: string } }
  | { readonly refused: ActRefusal; readonly choices?: readonly { readonly id: string; readonly title: string }[] };

/** An act that is passed through a turn. */
export interface Acting {
  /** The handoff; or, if the act creates one, its future id and its chat. */
  readonly handoff: Pick<HandoffRecord, 'address' | 'conversation' | 'id'>;
  readonly act: AgentAct;
  /** The agent who acts, by their id; unset: the act needs no owner, or the hub has checked that. */
  readonly by?: string | undefined;
  /** Set by the turn. */
  result?: ActResult;
}

const key = Symbol('act');

/** Attaches an act to the turn's context. */
export const carryAct = (context: TurnContext, acting: Acting): void => {
  context.turnState.set(key, acting);
};

/** The act that a turn is for; `undefined` in every other turn. */
export const actIn = (context: TurnContext): Acting | undefined => context.turnState.get(key);
