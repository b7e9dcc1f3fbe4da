// The option of a bot that other programs may call.

/** Which programs may call. At least one of the first two is required. */
export interface ProgramsOptions {
  /** The bearer key: any text of 32 characters or more. Unset: only tokens are accepted. */
  readonly key?: string | undefined;
  /** The authorization server whose access tokens are accepted. Unset: only the key is. */
  readonly issuer?: string | undefined;
  /** The audience that tokens must have. Unset: the address that was called. */
  readonly audience?: string | undefined;
  /** The scopes that tokens must have, separated by spaces. Unset: none. */
  readonly scope?: string | undefined;
}

export interface ProgramsOption {
  /**
   * How other agents may start the same apps and flows, at `/mcp` and `/connector` (docs/agents.md). Unset: none may.
   */
  readonly programs?: ProgramsOptions | undefined;
}
