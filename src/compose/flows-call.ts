// How a verb of `countersign flows` is called.
import type { Environment } from '../platform/environment.ts';

/** What a verb is given. */
export interface FlowsCall {
  readonly args: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>;
  readonly environment: Environment;
  readonly json: boolean;
  /** Prints a line. */
  readonly print: (line: string) => void;
}
