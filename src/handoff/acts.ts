// What a person does from their side of the chat. Each act is a turn of the customer's conversation, so that nothing
// happens beside it.
import type { AppId } from '../contract/index.ts';
import type { Agent, HandoffRecord } from '../storage/index.ts';
import type { TurnContext } from './sdk.ts';

/** A file that an agent sends: an address that the customer's channel opens. */
export interface AgentFile {
  readonly contentType: string;
  readonly contentUrl: string;
  readonly name: string;
}

/** An app that an agent begins for the customer. */
export interface StartAct {
  readonly kind: 'start';
  /** A ULID. The same one again starts nothing. */
  readonly id: string;
  readonly app: AppId;
  /** Who asks for it, as results say it. */
  readonly agentId: string;
  /**
   * The customer's number (E.164) and identifier; unset: those of whoever is verified in the chat, or of the number
   * that was given there.
   */
  readonly phoneNumber?: string | undefined;
  readonly customerRef?: string | undefined;
  /** The document, product or form. */
  readonly chosen?: string | undefined;
  /** The document's blanks. */
  readonly filled?: Readonly<Record<string, string>> | undefined;
}

/** A flow that an agent begins for the customer, who answers what it asks while the agent stays. */
export interface BeginFlowAct {
  readonly kind: 'flow';
  /** A ULID. The same one again begins nothing. */
  readonly id: string;
  readonly flow: string;
  /** Who asks for it, as the results of what it sends say it. */
  readonly agentId: string;
  /** What it has to be given, by name. */
  readonly inputs?: Readonly<Record<string, string | number | boolean>> | undefined;
}

/** An agent comes into a chat whose customer has not asked for anybody. */
export interface ComeAct {
  readonly kind: 'come';
  /** Where they sit. */
  readonly hub: string;
  readonly agent: Agent;
}

/** Another agent has the chat from now on. */
export interface TransferAct {
  readonly kind: 'transfer';
  readonly agent: Agent;
  /** Who gives it to them, where it is given and not taken; and what they tell them, which the customer never sees. */
  readonly from?: Agent | undefined;
  readonly note?: string | undefined;
}

export type AgentAct =
  | { readonly kind: 'accept'; readonly agent: Agent }
  | { readonly kind: 'say'; readonly id: string; readonly text?: string | undefined; readonly files?: readonly AgentFile[] | undefined }
  | TransferAct
  | { readonly kind: 'return' }
  | { readonly kind: 'finish'; readonly wrapUp?: string | undefined }
  | StartAct
  | BeginFlowAct
  /** The agent is writing. */
  | { readonly kind: 'typing' }
  /** Stops the flow that an agent has begun. */
  | { readonly kind: 'stop' }
  | ComeAct
  /** Nobody came in time. */
  | { readonly kind: 'expire' }
  /** The hub cannot take it. */
  | { readonly kind: 'fail' };

/** Why an act has no effect. */
export type ActRefusal =
  /** It ended. */
  | 'over'
  /** Nobody has accepted it. */
  | 'not_accepted'
  /** Another person has it. */
  | 'taken'
  /** The chat takes no more messages. */
  | 'chat_gone'
  /** There is no such customer, or it is not said which one. */
  | 'unknown_customer'
  /** There is no such document, product or form, or it is not said which one. */
  | 'unknown_choice'
  /** The document's blanks are not filled in, or what a flow has to be given is missing or of another kind. */
  | 'blanks_missing'
  /** The identifier belongs to something else. */
  | 'id_taken'
  /** The service does not take it now. */
  | 'service';

export type ActResult =
  | {
      readonly done: true;
      readonly handoff?: string;
      readonly interaction?: { readonly id: string; readonly state: string; readonly requestId?: string };
    }
  | { readonly refused: ActRefusal };

/** An act on its way through a turn. */
export interface Acting {
  /** The handoff; or the name that the one is to have which is made by it, and its chat. */
  readonly handoff: Pick<HandoffRecord, 'address' | 'conversation' | 'id'>;
  readonly act: AgentAct;
  /** Set by the turn. */
  result?: ActResult;
}

const key = Symbol('act');

/** Puts an act where the turn finds it. */
export const carryAct = (context: TurnContext, acting: Acting): void => {
  context.turnState.set(key, acting);
};

/** The act that a turn is for; `undefined` in every other turn. */
export const actIn = (context: TurnContext): Acting | undefined => context.turnState.get(key);
