// The option of a bot that takes calls.
export interface VoiceOption {
  readonly voice?:
    | {
        /** Opens the routes for a voice gateway, which sends it as a bearer token. Unset: no such routes. */
        readonly key?: string | undefined;
      }
    | undefined;
}
