// Bringing a person into the chat.
import { EventFactory, type TurnContext } from './sdk.ts';

/** Why a person is wanted, for whoever takes the chat over. No personal data: the chat itself travels with the event. */
export interface Escalation {
  /** The app the customer was in, if any. */
  readonly app?: string;
  /** The flow that asks, and why, in its designer's word. */
  readonly flow?: { readonly name: string; readonly reason: string };
  readonly reason: 'asked' | 'nobody_found' | 'trouble';
  /** Who was verified in this chat and still is; absent when nobody is. Instants in ISO 8601. */
  readonly verified?: readonly {
    readonly method: 'passkeys' | 'one-time-passcode';
    readonly customerRef: string;
    readonly requestId: string;
    readonly since: string;
    readonly until: string;
  }[];
}

export interface Handoff {
  /** Asks for a person. `unavailable`: nobody can be reached through this chat, and the customer must be told so. */
  escalate(context: TurnContext, escalation: Escalation): Promise<'requested' | 'unavailable'>;
}

/** For a bot behind an engagement hub that understands Bot Framework's handoff events (learn.microsoft.com: "Transition conversations from bot to human"). */
export const eventHandoff: Handoff = {
  escalate: async (context, escalation) => {
    await context.sendActivity(EventFactory.createHandoffInitiation(context, escalation));
    return 'requested';
  },
};

/** For a bot with nobody behind it. */
export const noHandoff: Handoff = { escalate: async () => 'unavailable' };
