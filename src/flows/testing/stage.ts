// What a test of a flow needs of the world: a customer, their device, and a clock.
import type { AppId } from '../../contract/index.ts';
import type { FlowEvent } from '../events.ts';
import type { OutcomeName } from '../schema.ts';

export interface StageOptions {
  /** The customer's number, E.164, which the channel vouches for. */
  readonly caller?: string | undefined;
  readonly language?: string | undefined;
  /** What the flow is begun with. */
  readonly inputs?: Readonly<Record<string, string | number>> | undefined;
  readonly observe?: ((event: FlowEvent) => void) | undefined;
}

export interface Stage {
  /** What the bot has said so far, as it would be read out. */
  readonly messages: readonly string[];
  /** How the flow ended, once it did. */
  ended(): FlowEvent['ended'];
  /** The step at which the flow waits, with its line; `undefined` where the chat is in none. */
  waitsFor(): Promise<string | undefined>;
  /** Begins the flow as another program does: with its inputs, without words. */
  begin(): Promise<void>;
  /** The customer says something. */
  say(text: string): Promise<void>;
  /**
   * Goes as far as the app's request, and has it end so. What is asked on the way there is answered.
   * @throws {StageFault}
   */
  device(app: AppId, outcome: OutcomeName): Promise<void>;
  /** Time goes by (ms). */
  advance(ms: number): Promise<void>;
  close(): Promise<void>;
}

/** What a test asked for could not be done. The message says why. */
export class StageFault extends Error {
  override readonly name = 'StageFault';
  readonly code = 'stage';
}
