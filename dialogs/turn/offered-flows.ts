// Designers' flows (src/flows), as the conversation sees them: a choice in the menu, a wish in words, and a dialog
// that runs them.

import type { z } from 'zod';
import type { Texts } from '../../cards/index.ts';
import type { AppId } from '../../src/contract/index.ts';
import type { Clock } from '../../src/platform/time/clock.ts';
import type { Dialog, DialogState, TurnContext } from '../sdk.ts';
import type { Memory } from './memory.ts';

/** A flow as the menu shows it. */
export type OfferedFlow = Pick<DescribedFlow, 'description' | 'flow' | 'title'>;

/** A wished-for flow, the words of the wish, and the inputs found in them. Plain JSON. */
export interface FlowWish {
  readonly flow: string;
  readonly words: string;
  readonly inputs?: Readonly<Record<string, string | number | boolean>>;
  /** The customer, if another program that knows them has begun the flow. */
  readonly caller?: { readonly phoneNumber: string; readonly customerRef?: string };
  /** Set if a program began it and has decided that its requests are sent. `run` is a ULID that names this run. */
  readonly program?: { readonly run: string; readonly phoneNumber: string; readonly customerRef: string };
}

/** The customer of a wish whose number is known. */
export const callerIn = (phoneNumber: string | undefined, customerRef?: string | undefined): Pick<FlowWish, 'caller'> =>
  phoneNumber === undefined ? {} : { caller: { phoneNumber, ...(customerRef !== undefined && { customerRef }) } };

/** A flow as other programs see it: its inputs and outputs, by name. */
export interface DescribedFlow {
  readonly flow: string;
  readonly title: string;
  readonly description?: string;
  /** As written: `text`, or `text?` if optional. */
  readonly needs: Readonly<Record<string, string>>;
  readonly gives: Readonly<Record<string, string>>;
  /** The same, as a schema that checks values. */
  readonly inputs: z.ZodObject;
  /** All optional: an ending other than success may lack them. */
  readonly outputs: z.ZodObject;
}

/** The result of a flow's dialog that was not left for something else. `handoff`: an agent was asked for. */
export interface FlowEnding {
  readonly kind: 'flow-ended';
  readonly flow: string;
  readonly status: 'success' | 'failure' | 'timeout' | 'cancelled' | 'handoff';
  /** Set if it failed because an update of the bot left it no way to go on. */
  readonly reason?: 'outdated';
  /** Those of its outputs that have values. */
  readonly gives: Readonly<Record<string, string | number | boolean>>;
}

export interface Flows {
  /** Runs the flow that is asked for; its identifier is `flow`. */
  readonly dialog: Dialog<FlowWish>;
  offered(t: Texts): readonly OfferedFlow[];
  /** All flows, including those that no menu shows. */
  described(t: Texts): readonly DescribedFlow[];
  /** Reports the end of the run in dialogs that were dropped, once the turn is stored; `undefined`: there was none. */
  dropped(context: TurnContext, dialogs: DialogState): FlowEnding | undefined;
  /** The flow that a sentence asks for: its phrase is more specific than those of the apps and of other flows. */
  wishIn(
    turn: {
      readonly t: Texts;
      readonly memory: Memory;
      readonly services: { readonly clock: Clock; readonly defaultRegion: string; readonly apps: readonly AppId[] };
    },
    typed: string,
  ): FlowWish | undefined;
}
