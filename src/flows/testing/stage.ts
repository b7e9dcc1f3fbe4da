// What a flow's test needs: a customer, their device, and a clock.
import type { AppId } from '../../contract/index.ts';
import type { OutcomeName } from '../grammar/schema.ts';
import type { FlowEvent } from '../running/events.ts';

export interface StageOptions {
  /** The customer's number, E.164; the channel vouches for it. */
  readonly caller?: string | undefined;
  readonly language?: string | undefined;
  /** The flow's inputs. */
  readonly inputs?: Readonly<Record<string, string | number>> | undefined;
  readonly observe?: ((event: FlowEvent) => void) | undefined;
}

export interface Stage {
  /** The bot's messages so far, as they would be read out. */
  readonly messages: readonly string[];
  /** How the flow ended, once it has. */
  ended(): FlowEvent['ended'];
  /** The step at which the flow waits, with its line; `undefined` if the chat is in no flow. */
  waitsFor(): Promise<string | undefined>;
  /** Starts the flow as another program does: with its inputs, without words. */
  begin(): Promise<void>;
  /** The customer says something. */
  say(text: string): Promise<void>;
  /**
   * Goes on to the app's request, answers questions on the way, and ends the request with this outcome.
   * @throws {StageFault}
   */
  device(app: AppId, outcome: OutcomeName): Promise<void>;
  /** Lets time pass (ms). */
  advance(ms: number): Promise<void>;
  close(): Promise<void>;
}

/** A test's step could not be done. The message says why. */
export class StageFault extends Error {
  override readonly name = 'StageFault';
  readonly code = 'stage';
}
