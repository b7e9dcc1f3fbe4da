// Bringing a person into the chat.
import type { VerifyingAppId } from '../contract/index.ts';
import { EventFactory, type TurnContext } from './sdk.ts';

/** The context of a request for a person. No personal data: the transcript travels with the event. */
export interface Escalation {
  /** The app that the customer was using, if any. */
  readonly app?: string;
  /** The flow that asks, and why, in its designer's word. */
  readonly flow?: { readonly name: string; readonly reason: string };
  readonly reason: 'asked' | 'nobody_found' | 'trouble';
  /** The verifications that hold in this chat; absent when there are none. Instants in ISO 8601. */
  readonly verified?: readonly {
    readonly method: VerifyingAppId;
    readonly customerRef: string;
    readonly requestId: string;
    readonly since: string;
    readonly until: string;
  }[];
}

export interface Handoff {
  /** Asks for a person. `unavailable`: nobody can join this chat, and the customer must be told. */
  escalate(context: TurnContext, escalation: Escalation): Promise<'requested' | 'unavailable'>;
}

/**
 * For a bot behind an engagement hub that understands Bot Framework's handoff events (learn.microsoft.com: "Transition
 * conversations from bot to human").
 */
export const eventHandoff: Handoff = {
  escalate: async (context, escalation) => {
    await context.sendActivity(EventFactory.createHandoffInitiation(context, escalation));
    return 'requested';
  },
};

/** For a bot without such a hub. */
export const noHandoff: Handoff = { escalate: async () => 'unavailable' };
