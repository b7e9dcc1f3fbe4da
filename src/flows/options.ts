// The option of a bot that has flows.
export interface FlowsOption {
  /** Folders of flows (docs/flows.md). Unset: none. */
  readonly flows?:
    | {
        /** Of two flows with one name the one of the later folder counts. */
        readonly folders: readonly string[];
        /** Whether they are read again when a file changes. */
        readonly reload?: boolean | undefined;
      }
    | undefined;
}
