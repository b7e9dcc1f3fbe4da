// What the harness runs on: each row says how many bots share which database, and how much of the time budget it gets.

export interface FaultBackend {
  readonly name: string;
  /** Deaths and network faults in the tests of every day. */
  readonly kills: number;
  readonly networkFaults: number;
}

export const backends: readonly FaultBackend[] = [{ name: 'SQLite', kills: 200, networkFaults: 300 }];
