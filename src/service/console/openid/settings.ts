// What the console has to know of an OpenID provider: where it is, who we are there, and which of its claims makes whom what.

export interface OpenIdSettings {
  /** The issuer identifier, exactly as the provider calls itself. Plain http only on this machine. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** What is asked for, scopes with spaces between: `offline_access` among them where the provider gives refresh tokens for that only. */
  readonly scopes: string;
  /** The name of the claim that tells roles, or the way to it with dots between. */
  readonly roleClaim: string;
  /** Values of that claim that make an operator. */
  readonly operators: readonly string[];
  /** Values of it that make a viewer, where none makes an operator. */
  readonly viewers: readonly string[];
}
