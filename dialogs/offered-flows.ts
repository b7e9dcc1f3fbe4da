// What designers composed (src/flows), as the conversation sees it: something to choose in the menu, to wish for in
// words, and a dialog that runs it.

import { fileURLToPath } from 'node:url';
import type { z } from 'zod';
import type { Texts } from '../cards/index.ts';
import type { Clock } from '../src/platform/clock.ts';
import type { Memory } from './memory.ts';
import type { Dialog } from './sdk.ts';

/** A flow as the menu shows it. */
export interface OfferedFlow {
  readonly flow: string;
  readonly title: string;
  readonly description?: string;
}

/** A flow that is wanted, the words in which it was, and what of its inputs they say. Plain JSON. */
export interface FlowWish {
  readonly flow: string;
  readonly words: string;
  readonly inputs?: Readonly<Record<string, string | number | boolean>>;
  /** Whose affairs it is about, where another program has begun it and knows. */
  readonly caller?: { readonly phoneNumber: string; readonly customerRef?: string };
  /** A program began it, which has decided that what it asks for is sent. `run` is a ULID that names this run. */
  readonly program?: { readonly run: string; readonly phoneNumber: string; readonly customerRef: string };
}

/** A flow as other programs see it: what it takes and what it gives, by name. */
export interface DescribedFlow extends OfferedFlow {
  /** As it is written: `text`, or `text?` where it may be missing. */
  readonly needs: Readonly<Record<string, string>>;
  readonly gives: Readonly<Record<string, string>>;
  /** The same, to check values by. */
  readonly inputs: z.ZodObject;
  /** Any may be missing: what ended otherwise than in success may lack them. */
  readonly outputs: z.ZodObject;
}

/** What a flow's dialog ends with, where it was not left for something else. `handoff`: a person was asked for. */
export interface FlowEnding {
  readonly kind: 'flow-ended';
  readonly flow: string;
  readonly status: 'success' | 'failure' | 'timeout' | 'cancelled' | 'handoff';
  /** Its outputs, as far as they have values. */
  readonly gives: Readonly<Record<string, string | number | boolean>>;
}

/** What reading a sentence needs of a turn. */
export interface Hearing {
  readonly t: Texts;
  readonly memory: Memory;
  readonly services: { readonly clock: Clock; readonly defaultRegion: string; readonly flows?: Flows };
}

export interface Flows {
  /** Runs the flow that is asked for; its identifier is `flow`. */
  readonly dialog: Dialog<FlowWish>;
  offered(t: Texts): readonly OfferedFlow[];
  /** All of them, also those that no menu shows. */
  described(t: Texts): readonly DescribedFlow[];
  /** The flow that a sentence asks for: its phrase is more specific than those of the apps and of other flows. */
  wishIn(hearing: Hearing, typed: string): FlowWish | undefined;
}

/** Where the flows are that come with the bot: beside this module, in the sources and in a bundle alike. */
export const flowsFolder: string = fileURLToPath(new URL('./flows', import.meta.url));
